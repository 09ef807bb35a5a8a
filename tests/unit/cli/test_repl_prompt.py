"""The REPL's keys, typed into the real editor through a pipe."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

import torpor
from torpor.cli.completeness import is_complete
from torpor.cli.repl import cells
from torpor.cli.repl_prompt import prompt_session
from torpor.cli.repl_session import ReplSession
from torpor.config import Config

ENTER, ALT_ENTER, TAB, UP, LEFT = "\r", "\x1b\r", "\t", "\x1b[A", "\x1b[D"
Type = Callable[[str], str]


@pytest.fixture
def type_keys(tmp_path: Path) -> Iterator[Type]:
    """What one prompt gives for the keys typed."""
    session = ReplSession(torpor.get_sandbox("demo", config=Config(tmp_path, tmp_path)), "ANY")
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):

        def type_keys(keys: str) -> str:
            pipe.send_text(keys)
            return prompt_session(session, tmp_path / "history").prompt()

        yield type_keys


def test_enter_runs_a_line_that_is_whole(type_keys: Type) -> None:
    assert type_keys("1 + 1" + ENTER) == "1 + 1"


def test_a_block_goes_on_with_its_indentation_until_a_blank_line(type_keys: Type) -> None:
    typed = type_keys("def f():" + ENTER + "return 1" + ENTER + ENTER)
    assert typed.rstrip() == "def f():\n    return 1"


def test_an_open_bracket_goes_on(type_keys: Type) -> None:
    assert type_keys("f(" + ENTER + "1" + ENTER + ")" + ENTER).split() == ["f(", "1", ")"]


def test_enter_in_the_middle_begins_a_line_and_alt_enter_runs_at_once(type_keys: Type) -> None:
    assert type_keys("ab" + LEFT + ENTER + ALT_ENTER) == "a\nb"
    assert type_keys("f(" + ALT_ENTER) == "f("


def test_what_was_typed_is_there_in_the_next_session(type_keys: Type) -> None:
    type_keys("remembered" + ENTER)
    assert type_keys(UP + ENTER) == "remembered"


def test_tab_indents_where_nothing_stands(type_keys: Type) -> None:
    assert type_keys(TAB + "x" + ALT_ENTER) == "    x"


def test_piped_input_is_divided_into_cells() -> None:
    lines = ["x = 1\n", "def f():\n", "    return x\n", "\n", "f(\n", ")\n", "last("]
    assert list(cells(lines, is_complete)) == ["x = 1", "def f():\n    return x\n", "f(\n)", "last("]
