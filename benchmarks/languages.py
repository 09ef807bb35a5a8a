"""What is promised of the other languages: a new context, a small step, waking, what a step stores."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.lab import Lab, run, stored_kb
from benchmarks.longrun import long_life
from benchmarks.results import Series, Table
from benchmarks.timing import Measure, interleaved, repeated, stopwatch
from torpor.sandbox.sandbox import Sandbox

_ENOUGH = 31
_ALONE = ", alone"
#: Executions of a context before it is measured: a chain of records as it usually is.
_SETTLING_RUNS = 20


@dataclass(frozen=True, slots=True)
class Promise:
    """A language's programs and the medians it promises, in milliseconds and kilobytes."""

    binding: str
    first: str
    step: str
    first_ms: float
    step_ms: float
    wake_ms: float
    step_kb: float


PROMISES = (
    Promise(
        binding="JAVASCRIPT",
        first="[3, 1, 2].sort().map(n => n * 2)",
        step="globalThis.x = (globalThis.x ?? 0) + 1",
        first_ms=4,
        step_ms=3,
        wake_ms=4,
        step_kb=15,
    ),
    Promise(
        binding="PERL",
        first="[map { $_ * 2 } sort 3, 1, 2]",
        step="our $x; $x = ($x // 0) + 1",
        first_ms=6,
        step_ms=5,
        wake_ms=6,
        step_kb=40,
    ),
    Promise(
        binding="RUBY",
        first="[3, 1, 2].sort.map { |n| n * 2 }",
        step="$x = ($x || 0) + 1",
        first_ms=8,
        step_ms=4,
        wake_ms=8,
        step_kb=25,
    ),
)


def languages(lab: Lab) -> list[Table]:
    """The promises of all languages in one run, contestants in turn."""
    lab.say("measuring the languages")
    return [_first_result(lab), *_steps(lab), _wake(lab)]


def long_lives(lab: Lab) -> list[Table]:
    """Thousands of executions in one context of each language."""
    return [
        table
        for promise in PROMISES
        for table in long_life(
            lab, f"A long life of {promise.binding}", promise.binding, promise.first, promise.step
        )
    ]


def _series(
    lab: Lab, measure: Callable[[Promise], Measure], target: Callable[[Promise], float]
) -> tuple[Series, ...]:
    """Each language in turn with the others, and in a loop of its own: turns leave cold caches behind."""
    measures = {promise.binding: measure(promise) for promise in PROMISES}
    count = lab.at_least(_ENOUGH)
    found = interleaved(measures, count)
    found |= {name + _ALONE: repeated(one, count) for name, one in measures.items()}
    return tuple(
        Series(name, found[name], target(promise))
        for promise in PROMISES
        for name in (promise.binding, promise.binding + _ALONE)
    )


def _settled(lab: Lab, promise: Promise) -> Sandbox:
    sandbox = lab.sandbox()
    run(sandbox, promise.first, binding=promise.binding)
    for _ in range(_SETTLING_RUNS):
        run(sandbox, promise.step, binding=promise.binding)
    return sandbox


def _first_result(lab: Lab) -> Table:
    def measure(promise: Promise) -> Measure:
        sandbox = _settled(lab, promise)

        def new_context() -> float:
            created: list[str] = []

            def work() -> None:
                created.append(sandbox.interpreter.create_code_context(promise.binding).id)
                run(sandbox, promise.first, created[0], promise.binding)

            took = stopwatch(work)
            sandbox.interpreter.delete_code_context(created[0])
            return took

        return new_context

    series = _series(lab, measure, lambda promise: promise.first_ms)
    note = "Creating the context, a first result, and both commits."
    return Table("Languages: a new context to its first result", "ms", series, note=note)


def _steps(lab: Lab) -> list[Table]:
    sandboxes = {p.binding: _settled(lab, p) for p in PROMISES}

    def measure(promise: Promise) -> Measure:
        sandbox = sandboxes[promise.binding]
        return lambda: stopwatch(lambda: run(sandbox, promise.step, binding=promise.binding))

    times = _series(lab, measure, lambda promise: promise.step_ms)
    count = lab.at_least(_ENOUGH)
    stored = tuple(Series(p.binding, stored_kb(sandboxes[p.binding], count), p.step_kb) for p in PROMISES)
    return [
        Table("Languages: a small step", "ms", times, note="Its durable commit included."),
        Table("Languages: what a small step stores", "kB", stored),
    ]


def _wake(lab: Lab) -> Table:
    sizes: list[str] = []

    def measure(promise: Promise) -> Measure:
        sandbox = _settled(lab, promise)
        snapshot = sandbox.get_info().contexts[0].snapshot
        sizes.append(f"{promise.binding} {(snapshot.bytes if snapshot else 0) / 1e6:.0f} MB")

        def wake() -> float:
            lab.host.runtime.forget(sandbox.id)
            return stopwatch(lambda: run(sandbox, promise.step, binding=promise.binding))

        return wake

    series = _series(lab, measure, lambda promise: promise.wake_ms)
    note = f"Restore, one small step and its durable commit. Memory: {', '.join(sizes)}."
    return Table("Languages: waking an evicted session to its first result", "ms", series, note=note)
