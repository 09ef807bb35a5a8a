"""The rules of sandboxes and contexts that do not depend on a language, on the first installed engine.

Guest code here is only what any of the tests must run to see a rule; the languages have their own tables.
"""

import itertools
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import torpor
from torpor import limits
from torpor.config import Config
from torpor.models import ExecutionResult, OutputMessage
from torpor.sandbox import ledger as ledgers
from torpor.sandbox.host import host_for
from torpor.sandbox.sandbox import Sandbox
from torpor.stores.base import Commit

_numbers = itertools.count()


@pytest.fixture
def sandbox(shared_config: Config) -> Iterator[Sandbox]:
    """One that does not exist yet."""
    sandbox = torpor.get_sandbox(f"contract-{next(_numbers)}", shared_config)
    yield sandbox
    sandbox.destroy()


def run(sandbox: Sandbox, code: str, context: Any = None, **options: Any) -> ExecutionResult:
    binding = "PYTHON" if context is None else None
    return sandbox.interpreter.run_code(code, context, binding, **options)


def value(sandbox: Sandbox, code: str, context: Any = None, **options: Any) -> str | None:
    result = run(sandbox, code, context, **options)
    assert result.error is None, result.error
    return result.text


# Coming into being and going ------------------------------------------------------------------------


def test_getting_and_asking_create_nothing(sandbox: Sandbox, shared_config: Config) -> None:
    assert sandbox.list_files() == ()
    assert not sandbox.exists("x")
    assert sandbox.interpreter.list_code_contexts() == ()
    with pytest.raises(torpor.SandboxNotFoundError):
        sandbox.get_info()
    with pytest.raises(torpor.SandboxNotFoundError):
        sandbox.history()
    with pytest.raises(torpor.SandboxNotFoundError):
        sandbox.fork("contract-copy")
    assert sandbox.destroy() is False
    assert sandbox.id not in [info.id for info in torpor.list_sandboxes(shared_config)]


def test_ids_are_case_sensitive(shared_config: Config) -> None:
    upper, lower = (torpor.get_sandbox(name, shared_config) for name in ("Contract-A", "contract-a"))
    upper.write_file("x", "upper")
    assert not lower.exists("x")
    upper.destroy()


def test_a_destroyed_id_begins_anew(sandbox: Sandbox) -> None:
    sandbox.set_env_vars({"KEY": "old"})
    context = run(sandbox, "x = 1; open('file', 'w').close()").context
    assert context is not None
    assert sandbox.destroy() is True
    assert sandbox.list_files() == ()
    with pytest.raises(torpor.ContextNotFoundError):
        run(sandbox, "x", context.id)
    assert value(sandbox, "import os; 'x' in globals(), os.listdir(), 'KEY' in os.environ") == (
        "(False, [], False)"
    )
    assert sandbox.get_info().generation == 1
    sandbox.write_file("file", "new")
    assert sandbox.read_file("file").content == b"new"


def test_an_expired_sandbox_is_gone_before_it_is_swept(config: Config) -> None:
    mortal = Config(home=config.home, cache=config.cache, idle_ttl=60)
    sandbox = torpor.get_sandbox("mortal", mortal)
    context = run(sandbox, "x = 1; open('file', 'w').close()").context
    assert context is not None
    info = sandbox.get_info()
    assert context.expires_at == info.expires_at == info.last_used + 60_000
    with patch.object(ledgers, "now_ms", lambda: info.last_used + 59_999):
        assert sandbox.exists("file")
    with patch.object(ledgers, "now_ms", lambda: info.last_used + 60_000):
        assert not sandbox.exists("file")
        with pytest.raises(torpor.ContextNotFoundError):
            run(sandbox, "x", context.id)
        with pytest.raises(torpor.SandboxNotFoundError):
            sandbox.rewind(1)
        assert run(sandbox, "x").error is not None
    host_for(mortal).close()


def test_use_puts_the_end_off_and_zero_means_never(config: Config, sandbox: Sandbox) -> None:
    mortal = Config(home=config.home, cache=config.cache, idle_ttl=60)
    used = torpor.get_sandbox("used", mortal)
    used.write_file("a", "")
    before = used.get_info().expires_at
    used.write_file("a", "x")
    after = used.get_info().expires_at
    assert before is not None
    assert after is not None
    assert after >= before
    assert value(sandbox, "1") == "1"
    assert sandbox.get_info().expires_at is None
    host_for(mortal).close()


def test_a_process_may_use_more_sandboxes_than_it_may_open_files(config: Config) -> None:
    opened = []
    sandboxes = [torpor.get_sandbox(f"many-{n}", config) for n in range(limits.MAX_OPEN_SANDBOXES + 20)]
    for n, one in enumerate(sandboxes):
        one.write_file("file", str(n))
        opened.append(len(os.listdir("/dev/fd")))
    assert len(torpor.list_sandboxes(config)) == len(sandboxes)
    assert [int(one.read_file("file").content) for one in sandboxes] == list(range(len(sandboxes)))
    opened.append(len(os.listdir("/dev/fd")))
    assert max(opened) <= opened[limits.MAX_OPEN_SANDBOXES]
    host_for(config).close()


def test_threads_lose_no_change(sandbox: Sandbox) -> None:
    def count(_: int) -> str | None:
        return value(sandbox, "n = globals().get('n', 0) + 1; n")

    with ThreadPoolExecutor(4) as threads:
        counted = list(threads.map(count, range(20)))
    assert sorted(counted, key=lambda n: int(n or 0)) == [str(n) for n in range(1, 21)]


def test_a_thread_that_waits_while_a_sandbox_is_destroyed_finds_a_new_one(sandbox: Sandbox) -> None:
    """Whatever the order of the two, neither fails."""
    for _ in range(10):
        value(sandbox, "x = 1")
        with ThreadPoolExecutor(2) as threads:
            destroyed = threads.submit(sandbox.destroy)
            ran = threads.submit(run, sandbox, "'x' in globals()")
            assert destroyed.result() is True
            assert ran.result().error is None


# Contexts -------------------------------------------------------------------------------------------


def test_contexts_share_files_and_env_but_no_variables(sandbox: Sandbox) -> None:
    first, second = (sandbox.interpreter.create_code_context("PYTHON") for _ in range(2))
    sandbox.set_env_vars({"SHARED": "yes"})
    value(sandbox, "x = 1; open('file', 'w').write('text')", first)
    found = "import os; 'x' in globals(), open('file').read(), os.environ['SHARED']"
    assert value(sandbox, found, second) == "(False, 'text', 'yes')"


def test_the_default_context_is_the_bindings_oldest(sandbox: Sandbox) -> None:
    older = sandbox.interpreter.create_code_context("PYTHON")
    newer = sandbox.interpreter.create_code_context("PYTHON")
    value(sandbox, "who = 'older'", older)
    value(sandbox, "who = 'newer'", newer)
    assert value(sandbox, "who") == "'older'"
    sandbox.interpreter.delete_code_context(older.id)
    assert value(sandbox, "who") == "'newer'"
    sandbox.interpreter.delete_code_context(newer.id)
    assert run(sandbox, "who").error is not None
    assert len(sandbox.interpreter.list_code_contexts()) == 1


def test_contexts_are_listed_oldest_first_with_what_they_were_given(sandbox: Sandbox) -> None:
    made = [sandbox.interpreter.create_code_context("PYTHON", cwd=f"/workspace/{n}") for n in range(3)]
    listed = sandbox.interpreter.list_code_contexts()
    assert listed == tuple(sorted(made, key=lambda one: (one.created_at, one.id)))
    assert {one.cwd for one in listed} == {f"/workspace/{n}" for n in range(3)}
    assert {(one.binding, one.language) for one in listed} == {("PYTHON", "python")}


def test_a_sandbox_has_at_most_eight_contexts(sandbox: Sandbox) -> None:
    made = [sandbox.interpreter.create_code_context("PYTHON") for _ in range(limits.MAX_CONTEXTS_PER_SANDBOX)]
    generation = sandbox.get_info().generation
    with pytest.raises(torpor.ValidationFailedError, match="more than 8 code contexts"):
        sandbox.interpreter.create_code_context("PYTHON")
    assert sandbox.get_info().generation == generation
    sandbox.interpreter.delete_code_context(made[3].id)
    sandbox.interpreter.create_code_context("PYTHON")


def test_an_unknown_context_is_not_found(sandbox: Sandbox) -> None:
    sandbox.interpreter.create_code_context("PYTHON")
    generation = sandbox.get_info().generation
    for attempt in (
        lambda: run(sandbox, "1", "no-such-context"),
        lambda: sandbox.interpreter.delete_code_context("no-such-context"),
        lambda: sandbox.interpreter.complete("x", 1, "no-such-context"),
    ):
        with pytest.raises(torpor.ContextNotFoundError) as caught:
            attempt()
        assert caught.value.context["contextId"] == "no-such-context"
    assert sandbox.get_info().generation == generation


def test_a_context_of_another_sandbox_is_not_found(sandbox: Sandbox, shared_config: Config) -> None:
    other = torpor.get_sandbox(f"contract-{next(_numbers)}", shared_config)
    context = other.interpreter.create_code_context("PYTHON")
    value(sandbox, "1")
    with pytest.raises(torpor.ContextNotFoundError):
        run(sandbox, "1", context)
    other.destroy()


def test_deleting_a_context_keeps_files_and_other_contexts(sandbox: Sandbox) -> None:
    kept, gone = (sandbox.interpreter.create_code_context("PYTHON") for _ in range(2))
    value(sandbox, "x = 'kept'", kept)
    value(sandbox, "open('file', 'w').write('text')", gone)
    sandbox.interpreter.delete_code_context(gone.id)
    assert value(sandbox, "x, open('file').read()", kept) == "('kept', 'text')"
    with pytest.raises(torpor.ContextNotFoundError):
        run(sandbox, "1", gone)


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


# What is known of a sandbox -------------------------------------------------------------------------


def test_info_tells_of_contexts_files_and_snapshots(sandbox: Sandbox) -> None:
    sandbox.mkdir("d")
    sandbox.write_file("d/file", "12345")
    sandbox.set_env_vars({"A": "1"})
    context = sandbox.interpreter.create_code_context("PYTHON")
    fresh = sandbox.get_info()
    assert [(one.id, one.executions, one.snapshot) for one in fresh.contexts] == [(context.id, 0, None)]
    value(sandbox, "x = bytes(range(256)) * 4096", context)
    info = sandbox.get_info()
    assert (info.id, info.generation, info.env_vars) == (sandbox.id, 5, {"A": "1"})
    assert (info.workspace.files, info.workspace.bytes) == (2, 5)  # directories count
    assert fresh.created_at == info.created_at <= info.last_used
    [one] = info.contexts
    assert one.snapshot is not None
    assert one.snapshot.bytes == one.snapshot.pages * limits.WASM_PAGE_BYTES
    assert 0 < one.snapshot.stored_bytes < one.snapshot.bytes
    assert one.created_at <= one.snapshot.taken_at <= one.last_used
    assert not one.snapshot.stale
    assert info.stored_bytes > 0


def test_history_names_every_change_newest_first(sandbox: Sandbox) -> None:
    value(sandbox, "x = 1")
    sandbox.write_file("file", "text")
    sandbox.set_env_vars({"A": "1"})
    sandbox.interpreter.create_code_context("PYTHON")
    sandbox.rewind(2)
    kinds = [(entry.generation, entry.kind) for entry in sandbox.history()]
    assert kinds == [(5, "rewind"), (4, "context"), (3, "env"), (2, "files"), (1, "execution")]
    assert sandbox.history()[-1].summary == "x = 1"
    assert all(entry.rewindable for entry in sandbox.history())


def test_a_rewind_can_be_rewound(sandbox: Sandbox) -> None:
    value(sandbox, "x = 1; open('file', 'w').write('1')")
    value(sandbox, "x = 2; open('file', 'w').write('2')")
    for generation, expected in ((1, "(1, '1')"), (2, "(2, '2')")):
        sandbox.rewind(generation)
        assert value(sandbox, "x, open('file').read()") == expected
    for unknown in (0, -1, 99):
        with pytest.raises(torpor.GenerationNotFoundError):
            sandbox.rewind(unknown)
        with pytest.raises(torpor.GenerationNotFoundError):
            sandbox.fork("contract-unknown", at=unknown)


def test_a_fork_differs_from_its_origin_in_chance_only(sandbox: Sandbox, shared_config: Config) -> None:
    value(sandbox, "import random, uuid; x = 1")
    copy = sandbox.fork(f"contract-{next(_numbers)}")
    with pytest.raises(torpor.ValidationFailedError):
        sandbox.fork(copy.id)
    for one in (sandbox, copy):
        one._host.runtime.forget(one.id)
    chance = "x, random.random(), uuid.uuid4().hex"
    assert value(sandbox, chance) != value(copy, chance)
    value(copy, "x = 2")
    assert (value(sandbox, "x"), value(copy, "x")) == ("1", "2")
    sandbox.destroy()
    assert value(copy, "x") == "2"
    copy.destroy()


def test_an_exported_sandbox_lives_on_under_another_id(
    sandbox: Sandbox, shared_config: Config, tmp_path: Path
) -> None:
    value(sandbox, "f = open('log', 'a'); f.write('one,'); x = lambda: 7")
    sandbox.export(tmp_path / "file", with_base_images=False)
    sandbox.destroy()
    copy = torpor.import_sandbox(tmp_path / "file", f"contract-{next(_numbers)}", shared_config)
    assert value(copy, "f.write('two'); f.flush(); open('log').read(), x()") == "('one,two', 7)"
    with pytest.raises(torpor.ValidationFailedError):
        torpor.import_sandbox(tmp_path / "file", copy.id, shared_config)
    copy.destroy()


def test_an_export_with_its_images_needs_nothing_of_its_origin(
    sandbox: Sandbox, config: Config, tmp_path: Path
) -> None:
    value(sandbox, "x = {'kept': True}")
    sandbox.export(tmp_path / "file")
    copy = torpor.import_sandbox(tmp_path / "file", config=config)
    assert copy.id == sandbox.id
    assert value(copy, "x") == "{'kept': True}"
    host_for(config).close()


def test_a_snapshot_of_another_engine_build_is_discarded_and_said_so(sandbox: Sandbox) -> None:
    value(sandbox, "x = 1; open('file', 'w').write('text')")
    with sandbox._host.ledger(sandbox.id).writing() as turn:
        [row] = turn.require_head(sandbox.id).contexts.values()
        assert row.snapshot is not None
        other = replace(row, snapshot=replace(row.snapshot, build="another build"))
        turn.commit(Commit("context", row.last_used, contexts=(other,)))
    assert sandbox.get_info().contexts[0].snapshot is None
    result = run(sandbox, "'x' in globals(), open('file').read()")
    assert result.text == "(False, 'text')"
    assert len(result.notices) == 1
    assert "another build" in result.notices[0]
    assert result.execution_count == 2
    assert run(sandbox, "x = 3").notices == ()
    assert sandbox.get_info().contexts[0].snapshot is not None


def test_completion_offers_names_and_changes_nothing(sandbox: Sandbox) -> None:
    value(sandbox, "delightful = 1")
    before = sandbox.get_info()
    completion = sandbox.interpreter.complete("print(deligh", 12, binding="PYTHON")
    assert completion.matches == ("delightful",)
    assert completion.start == 6
    assert sandbox.get_info() == before
    assert value(sandbox, "delightful") == "1"


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
    with pytest.raises(torpor.EngineNotInstalledError):
        torpor.run_code("NO_SUCH_ENGINE", "1", config=shared_config)
