"""The languages' tutorials in Torpor: what the real interpreters give, with a restore after every snippet."""

import itertools

import pytest

import torpor
from tests.contract.expectations import observed
from tests.contract.tutorials import SESSIONS
from tests.contract.tutorials.snippets import Given, Session, differences
from torpor.config import Config
from torpor.models import ExecutionResult
from torpor.sandbox.host import host_for

#: How many snippets of its tutorials a language must give as the real interpreter does.
ENOUGH = 50
_ALL = [
    pytest.param(binding, session, id=session.name)
    for binding, sessions in SESSIONS.items()
    for session in sessions
]
_numbers = itertools.count()


@pytest.mark.parametrize("binding", SESSIONS)
def test_the_tutorials_are_covered(binding: str) -> None:
    sessions = SESSIONS[binding]
    assert sum(len(session.snippets) for session in sessions) >= ENOUGH
    for session in sessions:
        names = [snippet.name for snippet in session.snippets]
        assert len(set(names)) == len(names)
        assert {snippet.chapter for snippet in session.snippets} == set(session.chapters)


@pytest.mark.parametrize(("binding", "session"), _ALL)
def test_a_tutorial(binding: str, session: Session, shared_config: Config) -> None:
    """In one context that sleeps after every snippet; every snippet that differs is told."""
    sandbox = torpor.get_sandbox(f"tutorial-{next(_numbers)}", shared_config)
    found = []
    for number, snippet in enumerate(session.snippets, 1):
        result = sandbox.interpreter.run_code(snippet.source, binding=binding)
        unlike = differences(snippet.in_torpor, _given(result), session.every_value)
        if unlike:
            found += [f"{number}. {snippet.name}", *(f"     {line}" for line in (snippet.source, *unlike))]
        host_for(shared_config).runtime.forget(sandbox.id)
    sandbox.destroy()
    assert not found, "\n".join(("", *found))


def _given(result: ExecutionResult) -> Given:
    seen = observed(result)
    return Given(seen["stdout"], seen["stderr"], seen["text"], seen["error"], seen["message"])
