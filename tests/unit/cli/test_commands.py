"""The commands that need no engine, on a real sandbox."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import torpor
from torpor.cli import exits, repl_history
from torpor.cli.main import main
from torpor.config import Config

Torpor = Callable[..., Any]


@pytest.fixture
def local(tmp_path: Path) -> Path:
    file = tmp_path / "data.csv"
    file.write_bytes(b"a,b\n\xff\n")
    return file


def names(cli: Torpor, *arguments: str) -> list[str]:
    listed = cli("files", "ls", "demo", "-o", "json", *arguments)
    assert listed.status == exits.OK
    return [info["relativePath"] for info in listed.json]


def test_a_file_goes_in_and_comes_out_byte_for_byte(
    home: Path, local: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["files", "put", "demo", str(local)]) == exits.OK
    assert main(["files", "cat", "demo", "data.csv"]) == exits.OK
    assert capfdbinary.readouterr().out == local.read_bytes()
    assert main(["files", "get", "demo", "/workspace/data.csv", str(tmp_path / "copy")]) == exits.OK
    assert (tmp_path / "copy").read_bytes() == local.read_bytes()


def test_putting_into_a_directory_keeps_the_name(torpor_cli: Torpor, local: Path) -> None:
    torpor_cli("files", "mkdir", "demo", "in")
    for target in ("in", "in/"):
        assert torpor_cli("files", "put", "demo", str(local), target).status == exits.OK
    torpor_cli("files", "put", "demo", str(local), "in/other.csv")
    assert names(torpor_cli, "-r") == ["in", "in/data.csv", "in/other.csv"]


def test_standard_input_needs_a_name(torpor_cli: Torpor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"piped")))
    refused = torpor_cli("files", "put", "demo", "-")
    assert (refused.status, "PATH" in refused.err) == (exits.USAGE, True)
    assert torpor_cli("files", "put", "demo", "-", "piped").status == exits.OK
    assert torpor_cli("files", "cat", "demo", "piped").out == "piped"


def test_getting_without_a_name_writes_here(
    torpor_cli: Torpor, local: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    torpor_cli("files", "put", "demo", str(local), "x.csv")
    torpor_cli("files", "get", "demo", "x.csv")
    assert (here / "x.csv").read_bytes() == local.read_bytes()


def test_files_are_moved_removed_and_hidden(torpor_cli: Torpor, local: Path) -> None:
    torpor_cli("files", "put", "demo", str(local), ".hidden")
    torpor_cli("files", "put", "demo", str(local), "a")
    torpor_cli("files", "mkdir", "demo", "-p", "d/e")
    assert names(torpor_cli) == ["a", "d"]
    assert names(torpor_cli, "-a") == [".hidden", "a", "d"]
    assert torpor_cli("files", "mv", "demo", "a", "d/b").status == exits.OK
    assert names(torpor_cli, "-r") == ["d", "d/b", "d/e"]
    refused = torpor_cli("files", "rm", "demo", "d")
    assert refused.status == exits.USAGE
    assert refused.err == "torpor: /workspace/d: it is a directory; pass recursive to remove it\n"
    assert torpor_cli("files", "rm", "demo", "d", "-r").status == exits.OK
    assert torpor_cli("files", "rm", "demo", "d").status == exits.USAGE
    assert torpor_cli("files", "rm", "demo", "d", "-f").status == exits.OK
    assert names(torpor_cli) == []


def test_a_path_out_of_the_workspace_is_refused(torpor_cli: Torpor, local: Path) -> None:
    refused = torpor_cli("files", "put", "demo", str(local), "/etc/passwd")
    assert refused.status == exits.USAGE
    assert "/workspace" in refused.err
    assert torpor_cli("sandbox", "ls", "-o", "json").json == []


def test_a_name_cannot_drive_the_terminal(torpor_cli: Torpor, local: Path) -> None:
    torpor_cli("files", "put", "demo", str(local), "a\x1b[2J\nb")
    listed = torpor_cli("files", "ls", "demo").out
    assert "\x1b" not in listed
    assert r"a\x1b[2J\nb" in listed


def test_listings_are_aligned_and_have_no_blanks_at_the_end(torpor_cli: Torpor, local: Path) -> None:
    torpor_cli("files", "put", "demo", str(local), "a")
    header, row = torpor_cli("files", "ls", "demo").out.splitlines()
    assert header.split() == ["TYPE", "SIZE", "MODIFIED", "NAME"]
    assert header.index("NAME") == row.index("a", row.index(":"))
    assert (header, row) == (header.rstrip(), row.rstrip())


def test_going_back_copying_and_removing(torpor_cli: Torpor, local: Path) -> None:
    torpor_cli("files", "put", "demo", str(local), "first")
    torpor_cli("files", "put", "demo", str(local), "second")
    history = torpor_cli("sandbox", "history", "demo", "-o", "json").json
    assert [entry["generation"] for entry in history] == [2, 1]
    assert torpor_cli("sandbox", "rewind", "demo", "1").status == exits.OK
    assert names(torpor_cli) == ["first"]
    assert torpor_cli("sandbox", "fork", "demo", "copy", "--at", "2").status == exits.OK
    listed = torpor_cli("sandbox", "ls", "-o", "json").json
    assert [(s["id"], s["workspace"]["files"]) for s in listed] == [("copy", 2), ("demo", 1)]
    assert torpor_cli("sandbox", "rm", "demo", "copy").status == exits.OK
    assert torpor_cli("sandbox", "ls", "-o", "json").json == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("sandbox", "show", "none"),
        ("sandbox", "history", "none"),
        ("sandbox", "rm", "none"),
        ("sandbox", "fork", "none", "copy"),
        ("sandbox", "export", "none", "file"),
        ("sandbox", "show", "-bad-"),
        ("context", "ls", "none"),
        ("context", "rm", "none", "id"),
    ],
)
def test_a_sandbox_that_is_not_there_is_bad_input_and_not_made(
    torpor_cli: Torpor, arguments: tuple[str, ...]
) -> None:
    refused = torpor_cli(*arguments)
    assert refused.status == exits.USAGE
    assert refused.out == ""
    assert len(refused.err.splitlines()) == 1
    assert torpor_cli("sandbox", "ls", "-o", "json").json == []


def test_a_sandbox_moves_as_one_file(torpor_cli: Torpor, local: Path, tmp_path: Path) -> None:
    torpor_cli("files", "put", "demo", str(local))
    file = tmp_path / "demo.torpor"
    assert torpor_cli("sandbox", "export", "demo", str(file)).status == exits.OK
    assert torpor_cli("sandbox", "import", str(file)).status == exits.USAGE  # it is still there
    assert torpor_cli("sandbox", "import", str(file), "--id", "other").status == exits.OK
    assert torpor_cli("files", "cat", "other", "data.csv").status == exits.OK


def test_showing_a_sandbox_keeps_the_values_of_variables_back(torpor_cli: Torpor, home: Path) -> None:
    torpor.get_sandbox("demo").set_env_vars({"TOKEN": "s3cret"})
    shown = torpor_cli("sandbox", "show", "demo")
    assert "TOKEN" in shown.out
    assert "s3cret" not in shown.out


def test_removing_a_sandbox_removes_what_was_typed_in_it(torpor_cli: Torpor, home: Path, local: Path) -> None:
    typed = repl_history.prepare(Config.from_environment(), "demo")
    typed.write_text("+password = 1\n")
    torpor_cli("files", "put", "demo", str(local))
    torpor_cli("sandbox", "rm", "demo")
    assert not typed.exists()


def test_the_doctor_names_what_it_looked_at(torpor_cli: Torpor, home: Path) -> None:
    checks = {check["name"]: check for check in torpor_cli("doctor", "-o", "json").json}
    assert str(home) in checks["home"]["detail"]
    assert checks["home"]["ok"] is True


def test_a_store_that_cannot_be_written_is_torpors_failure(
    torpor_cli: Torpor, home: Path, local: Path
) -> None:
    home.write_text("a file where the folder should be")
    failed = torpor_cli("files", "put", "demo", str(local))
    assert failed.status == exits.TORPOR
    assert len(failed.err.splitlines()) == 1
