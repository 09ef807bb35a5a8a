"""Ending code without breaking its interpreter: what the host answers to a guest that asks whether to stop.

An engine whose language can interrupt running code imports two functions of the module `torpor` and asks
them now and then (docs/harness-protocol.md). It then has a reserve of fuel and time to put its state in
order and answer; one that does not is trapped at the end of that reserve, like any other guest.
"""

import time
from collections.abc import Callable
from typing import Literal

from torpor.wasm.imports import HostFunction, Imports

Reason = Literal["fuel", "deadline"]
_MODULE = "torpor"
_NANOSECONDS = 1_000_000_000
#: The answer of `time_left` when there is no deadline.
_FOREVER = 2**63 - 1


class SoftStop:
    """The soft budget of the running turn. `fuel_left` reads the instructions left to the guest."""

    def __init__(self, fuel_left: Callable[[], int]) -> None:
        self._fuel_left = fuel_left
        self.arm(reserve=0, deadline=None)

    def arm(self, reserve: int, deadline: float | None) -> None:
        """Begin a turn: the guest should stop when only `reserve` instructions are left, or at
        `deadline`, a reading of time.monotonic()."""
        self._reserve = reserve
        self._deadline = deadline
        #: Why the guest was told to stop; None while it was not.
        self.reason: Reason | None = None

    def imports(self) -> Imports:
        return {
            (_MODULE, "should_stop"): HostFunction("", "i", self._should_stop),
            (_MODULE, "time_left"): HostFunction("", "I", self._time_left),
        }

    def _should_stop(self) -> int:
        if self.reason is None:
            self.reason = self._due()
        return int(self.reason is not None)

    def _due(self) -> Reason | None:
        if self._reserve and self._fuel_left() <= self._reserve:
            return "fuel"
        if self._deadline is not None and time.monotonic() >= self._deadline:
            return "deadline"
        return None

    def _time_left(self) -> int:
        """Nanoseconds until the deadline."""
        if self._deadline is None:
            return _FOREVER
        return max(int((self._deadline - time.monotonic()) * _NANOSECONDS), 0)
