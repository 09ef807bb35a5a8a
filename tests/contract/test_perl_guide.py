"""What docs/perl.md shows is what a guest answers, live and asleep between any two lines."""

import re
from collections.abc import Iterator

import pytest

import torpor
from tests.contract.documents import ROOT, Example
from tests.contract.sandbox_kit import new_id
from torpor.config import Config
from torpor.sandbox.host import host_for

GUIDE = ROOT / "docs" / "perl.md"
#: Code stands after the first prompt, further lines of a cell after the second.
_PROMPT = re.compile(r"^> ", re.MULTILINE)
_CONTINUED = ". "


def sessions() -> list[list[Example]]:
    """Each fenced block is a session of its own: its cells, with the output below them."""
    found = re.findall(r"^```perl-session\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    return [[example(part) for part in _PROMPT.split(block)[1:]] for block in found]


def example(part: str) -> Example:
    first, *rest = part.splitlines()
    more = []
    while rest and rest[0].startswith(_CONTINUED):
        more.append(rest.pop(0).removeprefix(_CONTINUED))
    shown = "\n".join(rest).strip()
    return Example("\n".join([first, *more]), f"{shown}\n" if shown else "")


def answer(sandbox: torpor.Sandbox, code: str) -> str:
    result = sandbox.interpreter.run_code(code, binding="PERL")
    output = "".join(chunk.text for chunk in result.logs.chunks)
    output += "".join(f"{one.text}\n" for one in result.results if one.text is not None)
    if result.error is not None:
        output += ": ".join(filter(None, (result.error.name, result.error.message))) + "\n"
    return output


@pytest.fixture
def sandboxes(shared_config: Config) -> Iterator[list[torpor.Sandbox]]:
    made = [torpor.get_sandbox(new_id(), shared_config) for _ in sessions()]
    yield made
    for sandbox in made:
        sandbox.destroy()


def test_all_that_is_shown_is_executed() -> None:
    assert GUIDE.read_text().count("```") == 2 * len(sessions())
    assert sum(map(len, sessions())) > 40


@pytest.mark.parametrize("asleep", [False, True], ids=["live", "asleep"])
def test_the_sessions_of_the_guide(
    asleep: bool, sandboxes: list[torpor.Sandbox], shared_config: Config
) -> None:
    for sandbox, session in zip(sandboxes, sessions(), strict=True):
        for one in session:
            one.check(answer(sandbox, one.source))
            if asleep:
                host_for(shared_config).runtime.forget(sandbox.id)


def test_forks_draw_different_numbers(shared_config: Config) -> None:
    sandbox = torpor.get_sandbox(new_id(), shared_config)
    answer(sandbox, "srand 1; use List::Util 'shuffle'; 1")
    forks = [sandbox.fork(new_id()) for _ in range(2)]
    drawn = {answer(fork, "join ' ', rand, shuffle(1 .. 20)") for fork in forks}
    for one in (sandbox, *forks):
        one.destroy()
    assert len(drawn) == 2
