"""A long life: thousands of executions in one context cost the same at the end as at the beginning."""

from collections.abc import Callable

from benchmarks import programs
from benchmarks.headline import TORPOR
from benchmarks.lab import BINDING, Lab, run
from benchmarks.results import Series, Table
from benchmarks.timing import blocks, stopwatch, without_collection
from torpor.sandbox.sandbox import Sandbox

_EXECUTIONS = 2000
_BLOCK = 200
_WAKES = 5
_MB = 1e6


def longrun(lab: Lab) -> list[Table]:
    return long_life(lab, "A long life", BINDING, programs.FIRST_RESULT, programs.STEP)


def long_life(lab: Lab, title: str, binding: str, first: str, step: str) -> list[Table]:
    """`step` thousands of times in one context, after `first`."""
    lab.say(f"measuring {_EXECUTIONS} executions in one context of {binding}")
    sandbox = lab.sandbox()

    def small_step() -> float:
        return stopwatch(lambda: run(sandbox, step, binding=binding))

    run(sandbox, first, binding=binding)
    times: list[float] = []
    stored: list[float] = []
    wakes: list[tuple[float, ...]] = []
    for _ in range(_EXECUTIONS // _BLOCK):
        with without_collection():
            times += [small_step() for _ in range(_BLOCK)]
        stored.append(sandbox.get_info().stored_bytes / _MB)
        wakes.append(tuple(_wake(lab, sandbox, small_step) for _ in range(_WAKES)))
    labels = [f"executions {i * _BLOCK + 1}-{(i + 1) * _BLOCK}" for i in range(len(stored))]
    note = f"{TORPOR}, a small step each time. Compare the first block with the last."
    return [
        _by_block(f"{title}: time per execution", "ms", labels, blocks(times, _BLOCK), note),
        _by_block(f"{title}: stored on disk after the block", "MB", labels, [(v,) for v in stored]),
        _by_block(f"{title}: waking after the block", "ms", labels, wakes),
    ]


def _wake(lab: Lab, sandbox: Sandbox, small_step: Callable[[], float]) -> float:
    lab.host.runtime.forget(sandbox.id)
    return small_step()


def _by_block(
    title: str, unit: str, labels: list[str], values: list[tuple[float, ...]], note: str = ""
) -> Table:
    series = tuple(Series(label, found) for label, found in zip(labels, values, strict=True))
    return Table(title, unit, series, baseline=labels[0], note=note)
