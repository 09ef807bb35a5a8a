"""How many contexts stay live, which of them go first, and that going costs no state."""

import itertools

import torpor
from torpor.config import Config
from torpor.sandbox.host import EmbeddedHost
from torpor.sandbox.sandbox import Sandbox

_numbers = itertools.count()


def live(host: EmbeddedHost) -> set[str]:
    """Ids of the contexts that are in memory."""
    return {context for slot in host.runtime._slots.values() for context in slot.interpreter._live}


def use(sandbox: Sandbox, context: str | None = None, code: str = "n = globals().get('n', 0) + 1; n") -> str:
    result = sandbox.interpreter.run_code(code, context, None if context else "PYTHON")
    assert result.error is None, result.error
    assert result.context is not None
    return result.context.id


def small(config: Config, resident: int) -> EmbeddedHost:
    return EmbeddedHost(Config(home=config.home, cache=config.cache, resident=resident))


def test_the_contexts_used_last_stay_live(shared_config: Config) -> None:
    host = small(shared_config, 2)
    sandboxes = [Sandbox(f"resident-{next(_numbers)}", host) for _ in range(3)]
    a, b, c = (use(sandbox) for sandbox in sandboxes)
    assert live(host) == {b, c}
    use(sandboxes[1])
    use(sandboxes[0])
    assert live(host) == {a, b}
    assert [sandbox.interpreter.run_code("n", binding="PYTHON").text for sandbox in sandboxes] == [
        "2",
        "2",
        "1",
    ]
    host.close()


def test_contexts_of_one_sandbox_count_one_by_one(shared_config: Config) -> None:
    host = small(shared_config, 2)
    sandbox = Sandbox(f"resident-{next(_numbers)}", host)
    ids = [sandbox.interpreter.create_code_context("PYTHON").id for _ in range(4)]
    for context in ids:
        use(sandbox, context)
    assert live(host) == set(ids[2:])
    host.close()


def test_at_least_the_running_one_stays(shared_config: Config) -> None:
    host = small(shared_config, 0)
    sandboxes = [Sandbox(f"resident-{next(_numbers)}", host) for _ in range(2)]
    for _ in range(2):
        for sandbox in sandboxes:
            used = use(sandbox)
            assert live(host) == {used}
    host.close()


def test_a_sandbox_without_live_contexts_keeps_no_files_in_memory(shared_config: Config) -> None:
    host = small(shared_config, 1)
    asleep, awake = (Sandbox(f"resident-{next(_numbers)}", host) for _ in range(2))
    for sandbox in (asleep, awake):
        use(sandbox, code="open('file', 'w').write('x' * 10_000)")
    mirrored = {key: slot.interpreter._tree.bytes_used for (key, _), slot in host.runtime._slots.items()}
    assert mirrored == {asleep.id: 0, awake.id: 10_000}
    assert asleep.interpreter.run_code("len(open('file').read())", binding="PYTHON").text == "10000"
    host.close()


def test_contexts_that_are_gone_take_no_place_of_others(shared_config: Config) -> None:
    host = small(shared_config, 2)
    kept = Sandbox(f"resident-{next(_numbers)}", host)
    context = use(kept)
    for _ in range(3):
        passing = Sandbox(f"resident-{next(_numbers)}", host)
        use(passing)
        passing.destroy()
    assert live(host) == {context}
    host.close()


def test_what_broke_down_was_deleted_or_destroyed_is_not_live(shared_config: Config) -> None:
    host = small(shared_config, 8)
    sandbox = Sandbox(f"resident-{next(_numbers)}", host)
    first, second = (sandbox.interpreter.create_code_context("PYTHON").id for _ in range(2))
    use(sandbox, first)
    use(sandbox, second)
    assert live(host) == {first, second}
    sandbox.interpreter.run_code("while True: pass", first, fuel=300_000)
    assert live(host) == {second}
    sandbox.interpreter.delete_code_context(second)
    assert live(host) == set()
    use(sandbox, first)
    sandbox.destroy()
    assert live(host) == set()
    host.close()


def test_forgetting_and_closing_free_everything_and_lose_nothing(shared_config: Config) -> None:
    host = small(shared_config, 8)
    sandbox = Sandbox(f"resident-{next(_numbers)}", host)
    use(sandbox)
    host.runtime.forget(sandbox.id)
    assert live(host) == set()
    use(sandbox)
    host.runtime.close()
    assert live(host) == set()
    assert sandbox.interpreter.run_code("n", binding="PYTHON").text == "2"
    host.close()
    assert (
        torpor.get_sandbox(sandbox.id, shared_config).interpreter.run_code("n", binding="PYTHON").text == "2"
    )
