"""Contexts of four languages in one sandbox, and for each language what is promised of sandboxes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import torpor
from tests.contract.languages.programs import COUNTING, PRINTED, RELAY, REMEMBERED, Counting
from tests.contract.languages.rows import LANGUAGES
from torpor.config import Config
from torpor.sandbox.host import host_for
from torpor.sandbox.sandbox import Sandbox

COMMAND = [sys.executable, "-c", "from torpor.cli.main import run; run()"]
#: Wakes the contexts of all bindings in one process.
WAKE = """
import sys, torpor
sandbox = torpor.get_sandbox(sys.argv[1])
for binding, code in zip(sys.argv[2::2], sys.argv[3::2]):
    print(sandbox.interpreter.run_code(f"{code}", binding=binding).text.strip("'\\""))
"""


@pytest.fixture
def counting(language: str) -> Counting:
    return COUNTING[language]


def value(sandbox: Sandbox, language: str, code: str) -> str:
    result = sandbox.interpreter.run_code(code, binding=language)
    assert result.error is None, result.error
    return (result.text or "").strip("'\"")


def test_four_languages_hand_one_file_on_and_all_remember(shared_config: Config, tmp_path: Path) -> None:
    """Each in a process of its own; a fifth process wakes all four."""
    environment = {**os.environ, "TORPOR_HOME": str(tmp_path), "TORPOR_CACHE": str(shared_config.cache)}

    def run(*command: str) -> str:
        ended = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    for binding, name, source in RELAY:
        file = tmp_path / name
        file.write_text(source)
        assert run(*COMMAND, "run", "-s", "relay", str(file)).startswith(PRINTED[binding])
    asked = [text for binding, (code, _) in REMEMBERED.items() for text in (binding, code)]
    answers = run(sys.executable, "-c", WAKE, "relay", *asked).splitlines()
    assert answers == [answer for _, answer in REMEMBERED.values()]
    plot = subprocess.run(
        [*COMMAND, "files", "get", "relay", "totals.png", "-"],
        capture_output=True,
        env=environment,
        check=True,
    )
    assert plot.stdout.startswith(b"\x89PNG")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rewind_brings_back_variables_and_files(
    language: str, counting: Counting, sandbox: Sandbox
) -> None:
    value(sandbox, language, counting.begin)
    value(sandbox, language, counting.count)
    before = sandbox.get_info().generation
    value(sandbox, language, counting.count)
    assert value(sandbox, language, counting.show) == "2 2"
    sandbox.rewind(before)
    assert value(sandbox, language, counting.show) == "1 1"
    value(sandbox, language, counting.count)
    assert value(sandbox, language, counting.show) == "2 2"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fork_goes_its_own_way(language: str, counting: Counting, sandbox: Sandbox) -> None:
    value(sandbox, language, counting.begin)
    value(sandbox, language, counting.count)
    fork = sandbox.fork(f"{sandbox.id}-fork")
    value(fork, language, counting.count)
    value(fork, language, counting.count)
    assert value(fork, language, counting.show) == "3 3"
    assert value(sandbox, language, counting.show) == "1 1"
    fork.destroy()


@pytest.mark.parametrize("language", LANGUAGES)
def test_forks_and_restores_draw_other_numbers(language: str, counting: Counting, sandbox: Sandbox) -> None:
    """Seeded or not: two copies of one memory must not draw the same."""
    value(sandbox, language, counting.draw)
    value(sandbox, language, counting.seed)
    runtime = host_for(sandbox._host.config).runtime
    drawn = set()
    for number in range(3):
        fork = sandbox.fork(f"{sandbox.id}-{number}")
        drawn.add(value(fork, language, counting.draw))
        fork.destroy()
    before = sandbox.get_info().generation
    for _ in range(2):
        sandbox.rewind(before)
        runtime.forget(sandbox.id)
        drawn.add(value(sandbox, language, counting.draw))
    assert len(drawn) == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_new_contexts_draw_other_numbers(language: str, counting: Counting, shared_config: Config) -> None:
    drawn = {torpor.run_code(language, counting.draw, config=shared_config).text for _ in range(4)}
    assert len(drawn) == 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_contexts_of_a_language_share_files_and_nothing_else(
    language: str, counting: Counting, sandbox: Sandbox
) -> None:
    first, second = (sandbox.interpreter.create_code_context(language).id for _ in range(2))
    for context, times in ((first, 1), (second, 3)):
        sandbox.interpreter.run_code(counting.begin, context)
        for _ in range(times):
            sandbox.interpreter.run_code(counting.count, context)
    shown = [str(sandbox.interpreter.run_code(counting.show, one).text) for one in (first, second)]
    assert [text.strip("'\"") for text in shown] == ["1 3", "3 3"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_could_be_typed_is_completed(language: str, sandbox: Sandbox) -> None:
    begin = {
        "PYTHON": "teapot = 1",
        "JAVASCRIPT": "let teapot = 1",
        "PERL": "my $teapot = 1;",
        "RUBY": "teapot = 1",
    }
    value(sandbox, language, begin[language])
    typed = "$tea" if language == "PERL" else "tea"
    found = sandbox.interpreter.complete(typed, len(typed), binding=language)
    assert any("teapot" in match for match in found.matches)
    assert value(sandbox, language, typed + "pot") == "1"
