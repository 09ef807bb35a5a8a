"""Time as a guest sees it. All readings are nanoseconds.

`Clock` is the seam to the host's time; `GuestClock` keeps a guest's monotonic readings monotonic
when it is restored by another process or machine, whose own clock starts elsewhere.
"""

import threading
import time
from typing import Protocol

from torpor.wasm.errors import Interrupted
from torpor.wasm.interrupt import Interruption

_NS = 1_000_000_000


class Clock(Protocol):
    def realtime(self) -> int:
        """Since 1970."""

    def monotonic(self) -> int:
        """Since whenever; never goes back within one process."""

    def cpu(self) -> int:
        """Processor time of the calling thread."""

    def sleep(self, nanoseconds: int) -> None:
        """Wait; 0 only looks whether the guest must end, which is raised as what must end it (see
        `torpor.wasm.errors.Interrupted`)."""


class HostClock:
    """The host's time. `interruption` may be exchanged between executions; it cuts sleeps."""

    def __init__(self, interruption: Interruption | None = None) -> None:
        self.interruption = interruption or Interruption()

    def realtime(self) -> int:
        return time.time_ns()

    def monotonic(self) -> int:
        return time.monotonic_ns()

    def cpu(self) -> int:
        return time.thread_time_ns()

    def sleep(self, nanoseconds: int) -> None:
        """Raises Interrupted when the interruption strikes first."""
        interruption = self.interruption
        end = time.monotonic_ns() + nanoseconds
        while not interruption.should_stop():
            left = end - time.monotonic_ns()
            if left <= 0:
                return
            interruption.wait(min(left / _NS, threading.TIMEOUT_MAX))
        raise Interrupted(interruption.reason or "interrupted")


class GuestClock:
    """A guest's clocks. `saved_monotonic` and `saved_cpu` are what it had read when it was saved."""

    def __init__(self, clock: Clock, saved_monotonic: int = 0, saved_cpu: int = 0) -> None:
        self._clock = clock
        self.realtime = clock.realtime
        self.sleep = clock.sleep
        self.resume(saved_monotonic, saved_cpu)

    def resume(self, saved_monotonic: int, saved_cpu: int) -> None:
        """Go on from these readings."""
        self._monotonic_offset = saved_monotonic - self._clock.monotonic()
        #: The last reading. Processor time is only asked of the host when the guest asks for it: on some
        #: virtual machines that takes 0.1 ms, most guests never do, and every restore would pay for it.
        self.last_cpu = saved_cpu
        self._cpu_offset: int | None = None

    def monotonic(self) -> int:
        return self._clock.monotonic() + self._monotonic_offset

    def cpu(self) -> int:
        """Never goes back, although executions may run on different threads. Goes on from the last
        reading when it is first asked after `resume`."""
        host = self._clock.cpu()
        if self._cpu_offset is None or host + self._cpu_offset < self.last_cpu:
            self._cpu_offset = self.last_cpu - host
        self.last_cpu = host + self._cpu_offset
        return self.last_cpu
