"""What docs/javascript.md shows is what a guest answers, live and asleep between any two lines."""

import re
from collections.abc import Iterator

import pytest

import torpor
from tests.contract.documents import ROOT, blocks, languages
from torpor.config import Config
from torpor.sandbox.host import host_for

GUIDE = ROOT / "docs" / "javascript.md"


def _examples() -> list[tuple[str, str]]:
    """The lines after "> ", each with what is shown for it: output, value, error."""
    parts = [
        part for block in blocks(GUIDE, "js") for part in re.split(r"^> ", block, flags=re.MULTILINE)[1:]
    ]
    return [(code, shown) for code, _, shown in (part.partition("\n") for part in parts)]


def _run(sandbox: torpor.Sandbox, code: str) -> str:
    result = sandbox.interpreter.run_code(code, binding="JAVASCRIPT")
    shown = [chunk.text for chunk in result.logs.chunks if chunk.stream == "stdout"]
    shown += [f"{one.text}\n" for one in result.results if one.text is not None]
    if result.error is not None:
        shown.append(f"{result.error.name}: {result.error.message}\n")
    return "".join(shown)


@pytest.fixture
def sandbox(shared_config: Config) -> Iterator[torpor.Sandbox]:
    sandbox = torpor.get_sandbox("javascript-guide", shared_config)
    yield sandbox
    sandbox.destroy()


def test_all_that_is_shown_is_executed() -> None:
    assert languages(GUIDE) == {"js"}
    assert len(_examples()) > 50


def test_the_sessions_of_the_guide(sandbox: torpor.Sandbox) -> None:
    assert [(code, _run(sandbox, code)) for code, _ in _examples()] == _examples()


def test_they_do_not_notice_that_they_sleep(sandbox: torpor.Sandbox, shared_config: Config) -> None:
    given = []
    for code, _ in _examples():
        given.append((code, _run(sandbox, code)))
        host_for(shared_config).runtime.forget(sandbox.id)
    assert given == _examples()


def test_forks_draw_different_numbers(sandbox: torpor.Sandbox) -> None:
    sandbox.interpreter.run_code("Math.random()", binding="JAVASCRIPT")
    forks = [sandbox.fork(f"javascript-guide-{n}") for n in range(2)]
    drawn = [fork.interpreter.run_code("Math.random()", binding="JAVASCRIPT").text for fork in forks]
    for fork in forks:
        fork.destroy()
    assert drawn[0] != drawn[1]
