"""The build hook against a small stand-in for the npm package."""

import base64
import hashlib
import io
import shutil
import tarfile
import types
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.build_hook_kit import load_hook

ENGINE = Path(__file__).parents[3] / "engines" / "ruby"
MODULE = b"\0asm the old module"
PATCHED = b"\0asm the renewed module"
PATCH = "# why\n\n9 6f6c64 72656e65776564\n"
MEMBERS = {
    "package/dist/ruby+stdlib.wasm": MODULE,
    "package/dist/LICENSE": b"its licence",
    "package/dist/NOTICE": b"all notices",
}
PINNED = {
    "ruby+stdlib.wasm": PATCHED,
    "LICENSES/ruby.wasm.txt": b"its licence",
    "LICENSES/NOTICE.md": b"all notices",
}


def archive(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as file:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            file.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


@pytest.fixture
def hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    hook = load_hook(ENGINE)
    pins = tmp_path / "artifacts.sha256"
    pins.write_text("".join(f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in PINNED.items()))
    patch = tmp_path / "stack_buffers.patch"
    patch.write_text(PATCH)
    monkeypatch.setattr(hook, "PINS", pins)
    monkeypatch.setattr(hook, "PATCH", patch)
    offer(hook, monkeypatch, archive(MEMBERS))
    return hook


def offer(
    hook: types.ModuleType, monkeypatch: pytest.MonkeyPatch, data: bytes, *, trusted: bool = True
) -> None:
    """Have npm's stand-in fetch `data`, and pin its integrity if it is to be trusted."""

    def fetch(folder: Path) -> Path:
        (folder / "package.tgz").write_bytes(data)
        return folder / "package.tgz"

    monkeypatch.setattr(hook, "fetch", fetch)
    if trusted:
        digest = base64.b64encode(hashlib.sha512(data).digest()).decode()
        monkeypatch.setattr(hook, "INTEGRITY", f"sha512-{digest}")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_the_folder_holds_the_patched_module_and_the_licences(hook: types.ModuleType, tmp_path: Path) -> None:
    hook.prepare(tmp_path / "out" / "artifacts")
    found = contents(tmp_path / "out" / "artifacts")
    assert found.pop("STAMP")
    assert found == PINNED
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["artifacts"]


def test_another_archive_ends_the_build(
    hook: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(hook, monkeypatch, archive({**MEMBERS, "package/more": b"more"}), trusted=False)
    with pytest.raises(RuntimeError, match=r"the integrity sha512-.* is pinned"):
        hook.prepare(tmp_path / "artifacts")
    assert not (tmp_path / "artifacts").exists()


def test_a_file_that_is_not_the_pinned_one_ends_the_build(
    hook: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(hook, monkeypatch, archive({**MEMBERS, "package/dist/NOTICE": b"other"}))
    with pytest.raises(RuntimeError, match=r"NOTICE\.md .* is pinned"):
        hook.prepare(tmp_path / "artifacts")


def test_a_file_that_is_missing_ends_the_build(
    hook: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(hook, monkeypatch, archive({"package/dist/ruby+stdlib.wasm": MODULE}))
    with pytest.raises(RuntimeError, match="does not contain package/dist/LICENSE"):
        hook.prepare(tmp_path / "artifacts")


def test_a_module_that_the_patch_does_not_fit_ends_the_build(
    hook: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(hook, monkeypatch, archive({**MEMBERS, "package/dist/ruby+stdlib.wasm": b"\0asm another"}))
    with pytest.raises(RuntimeError, match="does not fit"):
        hook.prepare(tmp_path / "artifacts")


def test_a_complete_folder_is_left_alone(hook: types.ModuleType, tmp_path: Path) -> None:
    target = tmp_path / "artifacts"
    hook.prepare(target)
    before = (target / "ruby+stdlib.wasm").stat().st_ino
    hook.prepare(target)
    assert (target / "ruby+stdlib.wasm").stat().st_ino == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda target: (target / "ruby+stdlib.wasm").write_bytes(b"damaged"),
        lambda target: (target / "LICENSES/NOTICE.md").unlink(),
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


def test_npm_is_required_only_where_it_is_missing(
    hook: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook, "TARGET", tmp_path / "artifacts")
    monkeypatch.setattr(shutil, "which", lambda name, path=None: f"/bin/{name}")
    assert hook.ArtifactsHook().dependencies() == []
    monkeypatch.setattr(shutil, "which", lambda name, path=None: None)
    assert hook.ArtifactsHook().dependencies() == [hook.FALLBACK]
    with pytest.raises(RuntimeError, match="needs npm"):
        hook.npm()
    hook.prepare(tmp_path / "artifacts")
    assert hook.ArtifactsHook().dependencies() == []


def test_a_failure_of_npm_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = load_hook(ENGINE)
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho there is no network >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setattr(hook, "npm", lambda: str(npm))
    with pytest.raises(RuntimeError, match="there is no network"):
        hook.fetch(tmp_path)
