"""The files that a script names in its own block, and what it may not name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from torpor.cli import exits
from torpor.cli.script import named_files
from torpor.errors import ValidationFailedError

Torpor = Callable[..., Any]
SCRIPT = '# /// script\n# [tool.torpor]\n# files = ["{}"]\n# ///\nopen("{}").read()\n'


def write_script(folder: Path, name: str) -> str:
    script = folder / "script.py"
    script.write_text(SCRIPT.format(name, name))
    return str(script)


def test_a_named_file_lies_at_the_same_place_in_the_workspace(torpor_cli: Torpor, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "data.txt").write_text("seen")
    ended = torpor_cli("run", "-s", "demo", write_script(tmp_path, "in/data.txt"))
    assert (ended.status, ended.out) == (exits.OK, "'seen'\n")
    assert ended.err == "torpor: copied in/data.txt to /workspace/in/data.txt\n"


def test_it_is_copied_again_only_when_it_changed(torpor_cli: Torpor, tmp_path: Path) -> None:
    data, script = tmp_path / "data.txt", write_script(tmp_path, "data.txt")
    data.write_text("one")
    torpor_cli("run", "-s", "demo", script)
    assert torpor_cli("run", "-s", "demo", script).err == ""
    data.write_text("two")
    assert torpor_cli("run", "-s", "demo", script).out == "'two'\n"


@pytest.mark.parametrize("name", ["../secret", "/etc/hostname", "in/../../secret", "link", ""])
def test_nothing_outside_the_scripts_folder_is_handed_over(
    torpor_cli: Torpor, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret").write_text("secret")
    (folder / "link").symlink_to(tmp_path / "secret")
    ended = torpor_cli("run", "-s", "demo", write_script(folder, name))
    assert ended.status == exits.USAGE
    assert "not inside the script's folder" in ended.err
    assert torpor_cli("sandbox", "ls", "-o", "json").json == []


@pytest.mark.parametrize("refused", [["-b", "NONE"], ["--context", "none"]])
def test_a_request_that_is_refused_copies_nothing(
    torpor_cli: Torpor, tmp_path: Path, refused: list[str]
) -> None:
    (tmp_path / "data.txt").write_text("seen")
    ended = torpor_cli("run", "-s", "demo", *refused, write_script(tmp_path, "data.txt"))
    assert ended.status == exits.USAGE
    assert torpor_cli("sandbox", "ls", "-o", "json").json == []


def test_a_missing_file_and_a_missing_sandbox_are_wrong_usage(torpor_cli: Torpor, tmp_path: Path) -> None:
    script = write_script(tmp_path, "data.txt")
    assert torpor_cli("run", "-s", "demo", script).status == exits.USAGE
    refused = torpor_cli("run", script)
    assert refused.status == exits.USAGE
    assert "-s ID" in refused.err


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("x = 1", ()),
        ('// /// script\n// [tool.torpor]\n// files = ["a", "b/c"]\n// ///\n', ("a", "b/c")),
        ('# /// script\n# dependencies = ["x"]\n# ///\n', ()),
        ('# /// other\n# [tool.torpor]\n# files = ["a"]\n# ///\n', ()),
        ('"""\n# /// script\n"""\n', ()),
    ],
)
def test_which_files_a_block_names(code: str, names: tuple[str, ...]) -> None:
    assert named_files(code, Path("s")) == names


@pytest.mark.parametrize("line", ["files = [", 'files = "a"', "files = [1]"])
def test_a_block_that_cannot_be_read_says_so(line: str) -> None:
    with pytest.raises(ValidationFailedError):
        named_files(f"# /// script\n# [tool.torpor]\n# {line}\n# ///\n", Path("s"))
