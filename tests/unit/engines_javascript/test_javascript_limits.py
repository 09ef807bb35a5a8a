"""Code that is stopped by fuel or by its deadline: softly wherever possible, so that the state stands."""

from collections.abc import Iterator

import pytest

import torpor
from torpor.config import Config
from torpor.models import ExecutionResult
from torpor.sandbox.host import host_for

FUEL = 1_000_000
SECONDS = 0.5


@pytest.fixture
def sandbox(shared_config: Config) -> Iterator[torpor.Sandbox]:
    sandbox = torpor.get_sandbox("javascript-limits", shared_config)
    run(sandbox, "var kept = 1")
    yield sandbox
    sandbox.destroy()


def run(
    sandbox: torpor.Sandbox, code: str, fuel: int | None = None, timeout: float | None = None
) -> ExecutionResult:
    return sandbox.interpreter.run_code(code, binding="JAVASCRIPT", fuel=fuel, timeout=timeout)


#: Endless in the interpreter, in native code, in jobs, in timers, while a value is shown or an error told.
ENDLESS = {
    "a loop": "kept = 2; for (;;);",
    "calls over and over": "kept = 2; const f = n => n ? f(n - 1) : 0; for (;;) f(100)",
    "a loop in a generator": "kept = 2; for (const x of (function* () { for (;;) yield 1 })());",
    "a regular expression": "kept = 2; /^(a+)+$/.test('a'.repeat(50) + 'b')",
    "joining a long array": "kept = 2; for (;;) new Array(1e6).join()",
    "sorting": "kept = 2; const a = Array.from({length: 1e5}, (_, i) => i % 7); for (;;) a.sort()",
    "JSON": "kept = 2; const o = Array(1e4).fill({a: [1, 2]}); for (;;) JSON.parse(JSON.stringify(o))",
    "jobs": "kept = 2; const spin = () => { Promise.resolve().then(spin) }; spin()",
    "ticks": "kept = 2; const tick = () => process.nextTick(tick); tick()",
    "immediates": "kept = 2; const again = () => setImmediate(again); again()",
    "a getter of a shown value": "kept = 2; ({[Symbol.for('nodejs.util.inspect.custom')]() { for (;;); }})",
    "a thrown error's message": "kept = 2; throw new (class extends Error { get message() { for (;;); } })()",
    "a loop that catches everything": "kept = 2; for (;;) try { for (;;); } catch {} finally { kept = 3 }",
    "a module": "kept = 2; require('fs').writeFileSync('m.mjs', 'for (;;);'); await import('./m.mjs')",
    "an async function": "kept = 2; await (async () => { await 1; for (;;); })()",
}


@pytest.mark.parametrize("code", ENDLESS.values(), ids=ENDLESS.keys())
def test_endless_code_is_stopped_and_the_state_stands(sandbox: torpor.Sandbox, code: str) -> None:
    stopped = run(sandbox, code, fuel=FUEL)
    assert stopped.error is not None
    assert stopped.error.name == "ExecutionLimitError"
    assert "fuel" in stopped.error.message
    assert run(sandbox, "kept").text == "2"


def test_what_was_stopped_is_kept_over_a_sleep(sandbox: torpor.Sandbox, shared_config: Config) -> None:
    run(sandbox, "var list = []; for (;;) list.push(list.length % 7)", fuel=200_000)
    length = run(sandbox, "list.length").text
    host_for(shared_config).runtime.forget(sandbox.id)
    assert run(sandbox, "list.length").text == length


@pytest.mark.parametrize(
    "code",
    [
        "kept = 2; for (;;);",
        "kept = 2; await new Promise(done => setTimeout(done, 60_000))",
        "kept = 2; setInterval(() => {}, 10)",
        "kept = 2; setTimeout(() => {}, 2 ** 31 - 1)",
    ],
)
def test_the_deadline_stops_softly_too(sandbox: torpor.Sandbox, code: str) -> None:
    stopped = run(sandbox, code, timeout=SECONDS)
    assert stopped.error is not None
    assert stopped.error.name == "ExecutionLimitError"
    assert "timed out" in stopped.error.message
    assert run(sandbox, "kept").text == "2"


def test_timers_and_jobs_of_stopped_code_are_gone(sandbox: torpor.Sandbox) -> None:
    run(sandbox, "setTimeout(() => console.log('late'), 1); queueMicrotask(() => { for (;;); })", fuel=FUEL)
    after = run(sandbox, "await new Promise(done => setTimeout(done, 20)); 'done'")
    assert (after.text, after.logs.chunks) == ("'done'", ())


def test_output_before_the_stop_is_there(sandbox: torpor.Sandbox) -> None:
    stopped = run(sandbox, "console.log('before'); display('shown'); for (;;);", fuel=FUEL)
    assert [chunk.text for chunk in stopped.logs.chunks] == ["before\n"]
    assert [one.text for one in stopped.results] == ["'shown'"]


def test_a_long_row_of_executions_leaves_nothing_behind(sandbox: torpor.Sandbox) -> None:
    """Memory comes back: what an execution leaves of itself is garbage that is collected in time."""
    code = "let o = { a: [1, 2] }; class A { m() {} }; await 1; try { null.x } catch (e) { e.stack }"
    collect = "for (let i = 0; i < 120_000; i++) { const a = []; a[0] = a }"
    for _ in range(50):
        run(sandbox, code)
    run(sandbox, collect)
    before = run(sandbox, "1").usage.memory_bytes
    for _ in range(300):
        run(sandbox, code)
    run(sandbox, collect)
    assert run(sandbox, "1").usage.memory_bytes == before
