"""What docs/python.md shows is what a guest answers, live and asleep between any two lines."""

from collections.abc import Iterator

import pytest

import torpor
from tests.contract.documents import ROOT, Example, blocks, languages, python_examples, run_in_guest
from torpor.config import Config
from torpor.sandbox.host import host_for

GUIDE = ROOT / "docs" / "python.md"


def _examples() -> list[Example]:
    return [example for block in blocks(GUIDE, "pycon") for example in python_examples(block)]


@pytest.fixture
def sandbox(shared_config: Config) -> Iterator[torpor.Sandbox]:
    sandbox = torpor.get_sandbox("python-guide", shared_config)
    yield sandbox
    sandbox.destroy()


def test_all_that_is_shown_is_executed() -> None:
    assert languages(GUIDE) == {"pycon"}
    assert len(_examples()) > 30


def test_the_sessions_of_the_guide(sandbox: torpor.Sandbox) -> None:
    run_in_guest(_examples(), sandbox)


def test_they_do_not_notice_that_they_sleep(sandbox: torpor.Sandbox, shared_config: Config) -> None:
    for example in _examples():
        run_in_guest([example], sandbox)
        host_for(shared_config).runtime.forget(sandbox.id)


def test_forks_draw_different_numbers_and_own_generators_the_same(sandbox: torpor.Sandbox) -> None:
    code = "import random, numpy\nrandom.seed(1); numpy.random.seed(1); mine = random.Random(1)"
    sandbox.interpreter.run_code(code, binding="PYTHON")
    forks = [sandbox.fork(f"python-guide-{n}") for n in range(2)]
    drawn = []
    for fork in forks:
        value = "(random.random(), numpy.random.random(), mine.random())"
        drawn.append(fork.interpreter.run_code(f"repr({value})", binding="PYTHON").text)
        fork.destroy()
    first, second = (str(text).strip("'()").split(", ") for text in drawn)
    assert [a == b for a, b in zip(first, second, strict=True)] == [False, False, True]
