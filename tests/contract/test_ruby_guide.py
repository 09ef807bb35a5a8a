"""What docs/ruby.md shows is what a guest answers, live and asleep between any two lines."""

import re
from collections.abc import Iterator

import pytest

import torpor
from tests.contract.documents import ROOT, Example, blocks, languages
from torpor.config import Config
from torpor.sandbox.host import host_for

GUIDE = ROOT / "docs" / "ruby.md"
_INPUT = re.compile(r"^>> ", re.MULTILINE)


def _examples() -> list[Example]:
    """The lines after ">> ", each with what is shown for it; values stand after "=> "."""
    parts = [part for block in blocks(GUIDE, "irb") for part in _INPUT.split(block)[1:]]
    return [Example(source, shown) for source, _, shown in (part.partition("\n") for part in parts)]


def _run(examples: list[Example], sandbox: torpor.Sandbox) -> None:
    for example in examples:
        result = sandbox.interpreter.run_code(example.source, binding="RUBY")
        output = "".join(chunk.text for chunk in result.logs.chunks)
        output += "".join(f"=> {one.text}\n" for one in result.results)
        if result.error is not None:
            output += f"{result.error.name}: {result.error.message}\n"
        example.check(output)


@pytest.fixture
def sandbox(shared_config: Config) -> Iterator[torpor.Sandbox]:
    sandbox = torpor.get_sandbox("ruby-guide", shared_config)
    yield sandbox
    sandbox.destroy()


def test_all_that_is_shown_is_executed() -> None:
    assert languages(GUIDE) == {"irb"}
    assert len(_examples()) > 30


def test_the_sessions_of_the_guide(sandbox: torpor.Sandbox) -> None:
    _run(_examples(), sandbox)


def test_they_do_not_notice_that_they_sleep(sandbox: torpor.Sandbox, shared_config: Config) -> None:
    for example in _examples():
        _run([example], sandbox)
        host_for(shared_config).runtime.forget(sandbox.id)


def test_the_libraries_of_the_guide(sandbox: torpor.Sandbox) -> None:
    """Those of the first row are loaded, those of the second can be, those of the third are not there."""
    rows = re.findall(r"^\| (loaded|to be|not in)[^|]*\| (.*) \|$", GUIDE.read_text(), re.MULTILINE)
    texts = {
        kind: text.partition(";")[0].rpartition(": ")[2].replace(" and others", "") for kind, text in rows
    }
    loaded, required, missing = (texts[kind].split(", ") for kind in ("loaded", "to be", "not in"))
    found = [f"(require '{name}' rescue 0)" for name in loaded]
    assert sandbox.interpreter.run_code(f"[{', '.join(found)}].uniq", binding="RUBY").text == "[false]"
    code = "NAMES.select { |name| begin; require name; true; rescue LoadError; false; end }"
    for names, there in ((required, required), (missing, [])):
        result = sandbox.interpreter.run_code(code.replace("NAMES", f"%w[{' '.join(names)}]"), binding="RUBY")
        assert result.results[0].data["application/json"] == there


def test_forks_draw_different_numbers_and_own_generators_the_same(sandbox: torpor.Sandbox) -> None:
    sandbox.interpreter.run_code("srand(1); mine = Random.new(1)", binding="RUBY")
    forks = [sandbox.fork(f"ruby-guide-{n}") for n in range(2)]
    drawn = []
    for fork in forks:
        value = (
            "require 'securerandom'; [rand, [*1..50].shuffle, SecureRandom.hex, Random.new.rand, mine.rand]"
        )
        drawn.append(fork.interpreter.run_code(value, binding="RUBY").results[0].data["application/json"])
        fork.destroy()
    assert [a == b for a, b in zip(*drawn, strict=True)] == [False, False, False, False, True]


def test_a_seed_lasts_while_the_context_lives_on(sandbox: torpor.Sandbox) -> None:
    first = sandbox.interpreter.run_code("srand(7); rand; nil", binding="RUBY")
    assert first.error is None
    drawn = sandbox.interpreter.run_code("rand == (srand(7); rand; rand)", binding="RUBY")
    assert drawn.text == "true"
