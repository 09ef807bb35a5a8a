"""How listings and progress look, on a terminal and in a pipe."""

import pytest

from torpor.cli import tables
from torpor.cli.options import Format
from torpor.cli.progress import CompileProgress

ROWS = [("a", 7, "short"), ("b" * 30, 1234, "a long text " * 8)]


def test_in_a_pipe_columns_are_aligned_and_nothing_wraps(capsys: pytest.CaptureFixture[str]) -> None:
    tables.show([], Format.TABLE, ["NAME", "SIZE", "TEXT"], ROWS)
    assert capsys.readouterr().out.splitlines() == [
        "NAME".ljust(30) + "  SIZE  TEXT",
        "a".ljust(30) + "     7  short",
        "b" * 30 + "  1234  " + ("a long text " * 8).rstrip(),
    ]


def test_on_a_terminal_only_the_last_column_wraps(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")  # 80 columns and no colours
    tables.show([], Format.TABLE, ["NAME", "SIZE", "TEXT"], ROWS)
    out = capsys.readouterr().out
    assert "b" * 30 in out
    assert max(map(len, out.splitlines())) <= 80


def test_an_empty_listing_is_a_heading_or_an_empty_list(capsys: pytest.CaptureFixture[str]) -> None:
    tables.show((), Format.TABLE, ["NAME", "SIZE"], [])
    assert capsys.readouterr().out == "NAME  SIZE\n"
    tables.show((), Format.JSON, ["NAME", "SIZE"], [])
    assert capsys.readouterr().out == "[]\n"


def test_progress_in_a_pipe_is_one_line_per_engine(capfd: pytest.CaptureFixture[str]) -> None:
    with CompileProgress() as progress:
        for seconds in range(3):
            progress("ONE", None, f"compiling ({seconds} s)")
        progress("TWO", 0.5, "compiling")
    out, err = capfd.readouterr()
    assert out == ""
    assert err.splitlines() == ["torpor: ONE: compiling (0 s)", "torpor: TWO: compiling 50%"]


def test_progress_says_nothing_when_nothing_is_compiled(capfd: pytest.CaptureFixture[str]) -> None:
    with CompileProgress():
        pass
    assert capfd.readouterr() == ("", "")
