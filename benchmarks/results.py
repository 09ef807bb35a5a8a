"""What a benchmark gives: series of values in tables, and the statistics that are shown of them.

Data and arithmetic only; knows neither clocks nor Torpor.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one contestant in one discipline, in the order they were measured."""

    label: str
    values: tuple[float, ...]
    #: The most that the project promises for the median; None for what promises nothing.
    target: float | None = None

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError(f"the series {self.label!r} has no values")

    @property
    def median(self) -> float:
        return median(self.values)

    @property
    def low(self) -> float:
        return min(self.values)

    @property
    def high(self) -> float:
        return max(self.values)

    @property
    def count(self) -> int:
        return len(self.values)

    @property
    def met(self) -> bool | None:
        """Whether the target was met; None when there is none."""
        return None if self.target is None else self.median <= self.target

    def ratio_to(self, other: "Series") -> float | None:
        """How many times the other's median this one is; None when that is no number."""
        return self.median / other.median if other.median else None


@dataclass(frozen=True, slots=True)
class Table:
    """One discipline: comparable series in one unit. Ratios are to the series labelled `baseline`."""

    title: str
    unit: str
    series: tuple[Series, ...]
    baseline: str | None = None
    note: str = ""

    def ratio(self, series: Series) -> float | None:
        """None when the table compares nothing, or for the baseline itself."""
        base = next((s for s in self.series if s.label == self.baseline), None)
        return None if base is None or base is series else series.ratio_to(base)


@dataclass(frozen=True, slots=True)
class Machine:
    """Where and when it was measured. `load_*`: the load averages of 1, 5 and 15 minutes."""

    date: str
    cpu: str
    cores: int
    memory_bytes: int
    kernel: str
    virtual: str
    python: str
    wasmtime: str
    torpor: str
    dirty_pages: str
    disk: str
    load_before: tuple[float, float, float]
    load_after: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run. `skipped`: what could not be measured, and why."""

    machine: Machine
    tables: tuple[Table, ...]
    skipped: tuple[str, ...] = ()


def column(label: str, values: Sequence[float], target: float | None = None) -> Series:
    """A series from any sequence."""
    return Series(label, tuple(values), target)
