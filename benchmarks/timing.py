"""The one timer: wall clock, garbage collection off, warm-up runs dropped, contestants interleaved."""

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

Measure = Callable[[], float]
"""Performs one run and gives its value (milliseconds, unless its table says otherwise)."""

WARM_UP_RUNS = 2
_MS = 1000.0


@contextmanager
def without_collection() -> Iterator[None]:
    """Collect garbage now and not within the block."""
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def stopwatch(work: Callable[[], object]) -> float:
    """The milliseconds that `work` takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * _MS


def repeated(measure: Measure, repeat: int, warm_up: int = WARM_UP_RUNS) -> tuple[float, ...]:
    """`repeat` values, taken after `warm_up` runs that are dropped."""
    return interleaved({"": measure}, repeat, warm_up)[""]


def interleaved(
    contestants: Mapping[str, Measure], repeat: int, warm_up: int = WARM_UP_RUNS
) -> dict[str, tuple[float, ...]]:
    """`repeat` values of each contestant, measured in turn (A B A B ...), so that drift of the machine
    meets all alike."""
    values: dict[str, list[float]] = {name: [] for name in contestants}
    with without_collection():
        for run in range(warm_up + repeat):
            for name, measure in contestants.items():
                value = measure()
                if run >= warm_up:
                    values[name].append(value)
    return {name: tuple(found) for name, found in values.items()}


def blocks(values: Sequence[float], size: int) -> list[tuple[float, ...]]:
    """Consecutive blocks of `size` values; the last may be shorter."""
    return [tuple(values[at : at + size]) for at in range(0, len(values), size)]
