"""The REPL's own commands: what they take, and that mistakes do not end the session."""

from pathlib import Path

import pytest

import torpor
from torpor.cli.repl_session import ReplSession
from torpor.config import Config


@pytest.fixture
def session(tmp_path: Path) -> ReplSession:
    return ReplSession(torpor.get_sandbox("demo", config=Config(tmp_path, tmp_path)), "ANY")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (":nope", ":help"),
        (":rewind", "a generation"),
        (":rewind x", "whole number"),
        (":rewind 1 2", "1 2"),
        (":rewind 99", "torpor: "),
        (":fork", "the copy's id"),
        (":history now", "now"),
        (":info", "no sandbox"),
        (":env 1=2", "Invalid envVars key"),
    ],
)
def test_a_mistake_is_told_and_the_session_goes_on(
    session: ReplSession, capsys: pytest.CaptureFixture[str], typed: str, said: str
) -> None:
    session.handle(typed)
    out, err = capsys.readouterr()
    assert out == ""
    [line] = err.splitlines()
    assert line.startswith("torpor: ")
    assert said in line
    assert not session.ended


def test_environment_variables_are_set_unset_and_never_shown(
    session: ReplSession, capsys: pytest.CaptureFixture[str]
) -> None:
    session.handle(":env TOKEN=s3cret OTHER=x=y")
    assert capsys.readouterr().out == "OTHER TOKEN\n"
    session.handle(":env TOKEN")
    assert capsys.readouterr().out == "OTHER\n"
    assert session.sandbox.get_info().env_vars == {"OTHER": "x=y"}


def test_files_are_listed_and_generations_rewound(
    session: ReplSession, capsys: pytest.CaptureFixture[str]
) -> None:
    session.sandbox.write_file("first.txt", "")
    session.sandbox.write_file("second.txt", "")
    session.handle(":rewind 1")
    session.handle(":files")
    out = capsys.readouterr().out
    assert "first.txt" in out
    assert "second.txt" not in out


def test_a_fork_leaves_the_session_where_it_is(session: ReplSession) -> None:
    session.sandbox.write_file("a", "")
    session.handle(":fork copy")
    session.handle(":env ONLY=here")
    assert session.sandbox.get_info().env_vars == {"ONLY": "here"}
    copy = session.sandbox.fork("another", at=1)
    assert copy.get_info().env_vars == {}


def test_only_the_newest_generations_are_listed(
    session: ReplSession, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(25):
        session.sandbox.write_file(f"f{number}", "")
    session.handle(":history")
    out, err = capsys.readouterr()
    assert "write f24" in out
    assert "write f4\n" not in out
    assert "25" in err


def test_help_lists_every_command_and_quit_ends(
    session: ReplSession, capsys: pytest.CaptureFixture[str]
) -> None:
    session.handle(":help")
    out = capsys.readouterr().out
    assert all(f":{name}" in out for name in ReplSession.COMMANDS)
    session.handle(":quit")
    assert session.ended


def test_commands_complete_by_their_beginning(session: ReplSession) -> None:
    assert session.complete(":re", 3) == ((":rewind", ":reset"), 0)
    assert session.complete(":x", 2) == ((), 0)


def test_what_cannot_be_completed_completes_to_nothing(session: ReplSession) -> None:
    assert session.complete("abc", 3) == ((), 3)
