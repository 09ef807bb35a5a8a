"""A sandbox from its first use to its end, and the contexts in it, whatever the language."""

import os
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import pytest

import torpor
from tests.contract.sandbox_kit import new_id, run, value
from torpor import limits
from torpor.config import Config
from torpor.sandbox import ledger as ledgers
from torpor.sandbox.host import host_for
from torpor.sandbox.sandbox import Sandbox

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


def test_code_sees_what_the_file_api_did_and_the_other_way_round(sandbox: Sandbox) -> None:
    value(sandbox, "import os; open('file', 'w').write('code')")
    sandbox.write_file("file", "outside,")
    sandbox.write_file("new", "x")
    assert value(sandbox, "sorted(os.listdir()), open('file').read()") == "(['file', 'new'], 'outside,')"
    value(sandbox, "_ = open('file', 'a').write('code')")
    assert sandbox.read_file("file").content == b"outside,code"
    sandbox.move_file("file", "moved")
    sandbox.delete_file("new")
    assert value(sandbox, "os.listdir(), open('moved').read()") == "(['moved'], 'outside,code')"
    value(sandbox, "os.remove('moved')")
    assert sandbox.list_files() == ()


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
    other = torpor.get_sandbox(new_id(), shared_config)
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
