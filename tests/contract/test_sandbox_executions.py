"""What every execution promises, whatever the language: counts, limits, environment, folder, callbacks."""

import threading
from typing import Any

import pytest

import torpor
from tests.contract.sandbox_kit import run, value
from torpor import limits
from torpor.config import Config
from torpor.models import OutputMessage
from torpor.sandbox.sandbox import Sandbox

# Executions -----------------------------------------------------------------------------------------


def test_executions_are_counted_whatever_came_of_them(sandbox: Sandbox) -> None:
    counts = [
        run(sandbox, code, fuel=300_000).execution_count
        for code in ("1", "1 / 0", "while True: pass", "not python", "import os; os._exit(1)", "1")
    ]
    assert counts == [1, 2, 3, 4, 5, 6]
    [context] = sandbox.get_info().contexts
    assert context.executions == 6


def test_what_a_limit_rolls_back_to_is_the_last_execution_that_was_kept(sandbox: Sandbox) -> None:
    assert run(sandbox, "while True: pass", fuel=300_000).rolled_back_to == 0
    value(sandbox, "x = 1")
    run(sandbox, "x = 2; 1 / 0")
    for _ in range(2):
        assert run(sandbox, "x = 3\nwhile True: pass", fuel=300_000).rolled_back_to == 3
    assert value(sandbox, "x") == "2"


def test_a_result_says_what_ran_where_and_at_what_cost(sandbox: Sandbox) -> None:
    code = "print('out')\n6 * 7"
    result = run(sandbox, code)
    assert (result.code, result.language) == (code, "python")
    assert result.engine.startswith("CPython")
    assert result.duration_ms > 0
    assert result.logs.stdout == ("out",)
    assert [(one.text, one.is_value) for one in result.results] == [("42", True)]
    assert result.error is None
    assert result.usage is not None
    assert 0 < result.usage.fuel_consumed < result.usage.fuel_limit
    assert result.usage.memory_bytes % limits.WASM_PAGE_BYTES == 0
    assert result.context is not None
    assert (result.context.cwd, result.context.executions, result.context.generation) == ("/workspace", 1, 1)
    assert result.context.snapshot_ms is not None
    assert result.execution_count == 1
    assert result.rolled_back_to is None


def test_a_limit_writes_no_snapshot_and_still_says_the_cost(sandbox: Sandbox) -> None:
    result = run(sandbox, "print('out')\nwhile True: pass", fuel=400_000)
    assert result.context is not None
    assert result.context.snapshot_ms is None
    assert result.usage is not None
    assert result.usage.fuel_consumed == result.usage.fuel_limit == 400_000
    assert result.logs.stdout == ("out",)
    assert result.results == ()


def test_calls_may_only_lower_the_limits(sandbox: Sandbox) -> None:
    for wrong in ({"fuel": 10**12}, {"memory": 10**12}, {"fuel": 0}, {"timeout": 0}, {"timeout": -1.0}):
        with pytest.raises(torpor.ValidationFailedError):
            run(sandbox, "1", **wrong)
    assert sandbox.list_files() == ()
    with pytest.raises(torpor.SandboxNotFoundError):
        sandbox.get_info()


@pytest.mark.parametrize(
    "wrong",
    [
        {"code": ""},
        {"code": " \n\t"},
        {"code": "1" * (limits.MAX_CODE_BYTES + 1)},
        {"code": "'\ud800'"},
        {"env_vars": {"1A": "x"}},
        {"env_vars": {"A": 1}},
        {"env_vars": {"A": "\0"}},
        {"binding": "no binding"},
        {"binding": "NO_SUCH_ENGINE"},
        {"binding": None},
        {"stdin": 5},
        {"timeout": float("nan")},
        {"fuel": 1.5},
    ],
    ids=lambda wrong: repr(wrong)[:30].encode("ascii", "backslashreplace").decode(),
)
def test_bad_input_changes_nothing(sandbox: Sandbox, wrong: dict[str, Any]) -> None:
    value(sandbox, "x = 1")
    before = sandbox.get_info()
    with pytest.raises((torpor.ValidationFailedError, torpor.EngineNotInstalledError)):
        sandbox.interpreter.run_code(**{"code": "x = 2", "binding": "PYTHON", **wrong})
    assert sandbox.get_info() == before
    assert value(sandbox, "x") == "1"


def test_bad_input_about_contexts_and_env_changes_nothing(sandbox: Sandbox) -> None:
    value(sandbox, "1")
    before = sandbox.get_info()
    create = sandbox.interpreter.create_code_context
    for attempt in (
        lambda: create("PYTHON", cwd="/etc"),
        lambda: create("PYTHON", cwd="../.."),
        lambda: create("PYTHON", env_vars={"A": None}),  # type: ignore[dict-item]
        lambda: create("PYTHON", env_vars={"A B": "x"}),
        lambda: create("not a name"),
        lambda: sandbox.set_env_vars({"A-B": "x"}),
        lambda: sandbox.write_file("a", 5),  # type: ignore[arg-type]
    ):
        with pytest.raises(torpor.ValidationFailedError):
            attempt()
    assert sandbox.get_info() == before


def test_a_context_and_a_binding_must_mean_the_same(sandbox: Sandbox) -> None:
    context = sandbox.interpreter.create_code_context("PYTHON")
    assert sandbox.interpreter.run_code("1", context, "PYTHON").text == "1"
    with pytest.raises(torpor.ValidationFailedError, match="OTHER"):
        sandbox.interpreter.run_code("1", context, "OTHER")


# Environment and working directory ------------------------------------------------------------------


def test_env_is_merged_sandbox_then_context_then_call(sandbox: Sandbox) -> None:
    sandbox.set_env_vars({"A": "sandbox", "B": "sandbox", "C": "sandbox", "D": "sandbox"})
    context = sandbox.interpreter.create_code_context("PYTHON", env_vars={"B": "context", "C": "context"})
    show = "import os; [os.environ.get(n) for n in 'ABCDE']"
    call = {"C": "call", "D": None, "E": "é漢😀"}
    assert value(sandbox, show, context, env_vars=call) == "['sandbox', 'context', 'call', None, 'é漢😀']"
    assert value(sandbox, show, context) == "['sandbox', 'context', 'context', 'sandbox', None]"


def test_none_unsets_a_variable_of_the_sandbox(sandbox: Sandbox) -> None:
    sandbox.set_env_vars({"A": "1", "B": "2"})
    sandbox.set_env_vars({"A": None, "MISSING": None})
    assert sandbox.get_info().env_vars == {"B": "2"}
    assert value(sandbox, "import os; os.environ.get('A'), os.environ['B']") == "(None, '2')"


def test_what_code_does_to_its_env_ends_with_the_execution(sandbox: Sandbox) -> None:
    sandbox.set_env_vars({"A": "1"})
    value(sandbox, "import os; os.environ['A'] = '2'; os.environ['NEW'] = 'x'")
    assert value(sandbox, "os.environ['A'], 'NEW' in os.environ") == "('1', False)"


def test_nothing_of_the_hosts_environment_is_seen(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORPOR_SECRET", "secret")
    shown = value(sandbox, "import os; dict(os.environ)")
    assert shown is not None
    assert "secret" not in shown
    assert "PATH" not in shown


def test_a_changed_folder_is_kept_and_reported(sandbox: Sandbox) -> None:
    result = run(sandbox, "import os; os.mkdir('sub'); os.chdir('sub')")
    assert result.context is not None
    assert result.context.cwd == "/workspace/sub"
    sandbox._host.runtime.forget(sandbox.id)
    assert value(sandbox, "open('inside', 'w').close(); os.getcwd()") == "'/workspace/sub'"
    assert sandbox.exists("sub/inside")
    assert sandbox.get_info().contexts[0].cwd == "/workspace/sub"
    sandbox.delete_file("sub", recursive=True)
    assert value(sandbox, "os.getcwd()") == "'/workspace'"


def test_a_folder_made_in_an_execution_that_is_rolled_back_is_not_kept(sandbox: Sandbox) -> None:
    value(sandbox, "import os")
    result = run(sandbox, "os.mkdir('sub'); os.chdir('sub')\nwhile True: pass", fuel=300_000)
    assert result.context is not None
    assert result.context.cwd == "/workspace"
    assert not sandbox.exists("sub")


@pytest.mark.parametrize("folder", ["/dev", "/workspace/sub/..", "/workspace/./"])
def test_the_folder_that_is_kept_lies_in_the_workspace(sandbox: Sandbox, folder: str) -> None:
    result = run(sandbox, f"import os; os.mkdir('sub'); os.chdir({folder!r})")
    assert result.error is None
    assert result.context is not None
    assert result.context.cwd == "/workspace"
    assert value(sandbox, "os.getcwd()") == "'/workspace'"


def test_a_contexts_folder_need_not_exist(sandbox: Sandbox) -> None:
    context = sandbox.interpreter.create_code_context("PYTHON", cwd="/workspace/later/./sub/..")
    assert context.cwd == "/workspace/later"
    assert value(sandbox, "import os; os.getcwd()", context) == "'/workspace'"
    sandbox.mkdir("later")
    other = sandbox.interpreter.create_code_context("PYTHON", cwd="later")
    assert value(sandbox, "import os; os.getcwd()", other) == "'/workspace/later'"


# Callbacks ------------------------------------------------------------------------------------------


def test_callbacks_come_in_order_with_their_payloads(sandbox: Sandbox) -> None:
    calls: list[tuple[str, str]] = []
    code = "import sys\nprint('a'); print('b', file=sys.stderr); print('c', end=''); display(1); 2"
    result = run(
        sandbox,
        code,
        on_stdout=lambda line: calls.append(("stdout", str(line))),
        on_stderr=lambda line: calls.append(("stderr", line.text)),
        on_result=lambda one: calls.append(("result", one.text or "")),
        on_error=lambda error: calls.append(("error", error.name)),
    )
    assert result.error is None
    assert calls == [("stdout", "a"), ("stderr", "b"), ("stdout", "c"), ("result", "1"), ("result", "2")]
    calls.clear()
    run(sandbox, "print('x'); 1 / 0", on_error=lambda error: calls.append(("error", error.name)))
    assert calls == [("error", "ZeroDivisionError")]


def test_print_is_a_callback(sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    run(sandbox, "print('one\\ntwo')", on_stdout=print)
    assert capsys.readouterr().out == "one\ntwo\n"


def test_output_arrives_while_the_code_runs(sandbox: Sandbox) -> None:
    """The code is stopped by what it printed, so it cannot have been told at the end."""
    cancel = threading.Event()
    seen: list[OutputMessage] = []

    def stop(line: OutputMessage) -> None:
        seen.append(line)
        cancel.set()

    result = run(sandbox, "print('on', flush=True)\nwhile True: pass", on_stdout=stop, cancel=cancel)
    assert [line.text for line in seen] == ["on"]
    assert seen[0].timestamp > 0
    assert result.rolled_back_to == 0


def test_a_callback_that_raises_reaches_the_caller_after_the_commit(sandbox: Sandbox) -> None:
    def refuse(_: object) -> None:
        raise KeyError("mine")

    for name in ("on_stdout", "on_output", "on_result"):
        with pytest.raises(KeyError, match="mine"):
            run(sandbox, "n = globals().get('n', 0) + 1; print('x'); n", **{name: refuse})
    assert value(sandbox, "n") == "3"


# Without a sandbox ----------------------------------------------------------------------------------


def test_stateless_runs_share_nothing(shared_config: Config) -> None:
    first = torpor.run_code(
        "PYTHON", "import os; x = input(); open('file', 'w').close(); os.environ['A'] + x",
        env_vars={"A": "a"}, stdin="b", config=shared_config,
    )  # fmt: skip
    assert first.text == "'ab'"
    assert (first.context, first.execution_count, first.rolled_back_to) == (None, None, None)
    second = torpor.run_code("PYTHON", "import os; 'x' in globals(), os.listdir()", config=shared_config)
    assert second.text == "(False, [])"


def test_a_stateless_run_has_limits_too(shared_config: Config) -> None:
    result = torpor.run_code("PYTHON", "while True: pass", fuel=300_000, config=shared_config)
    assert result.error is not None
    assert result.error.name == "ExecutionLimitError"
    with pytest.raises(torpor.ValidationFailedError):
        torpor.run_code("PYTHON", "1", env_vars={"not ok": "x"}, config=shared_config)
    with pytest.raises(torpor.EngineNotInstalledError, match="pip install"):
        torpor.run_code("NO_SUCH_ENGINE", "1", config=shared_config)
