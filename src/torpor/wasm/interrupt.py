"""Stopping a guest from outside: deadlines and cancellation.

A running guest looks at the engine's epoch at every loop and call. The epoch stands still until
somebody must stop; then it is advanced once, every running guest's callback looks at its own
`Interruption`, and only the one concerned traps. So an undisturbed guest pays nothing per tick.
"""

import heapq
import itertools
import threading
import time
from collections.abc import Callable


class Interruption:
    """Whether one execution must stop, and why. Thread-safe; `wait` lets host calls sleep under it."""

    def __init__(self, deadline: float | None = None) -> None:
        """`deadline` is a reading of time.monotonic()."""
        self.deadline = deadline
        self.reason: str | None = None
        self._event = threading.Event()
        self._wake: Callable[[], None] = lambda: None

    def attach(self, wake: Callable[[], None]) -> None:
        """`wake` makes running guests look at their interruptions."""
        self._wake = wake

    def stop(self, reason: str) -> None:
        """Ask the execution to stop; the first reason stands."""
        if self.reason is None:
            self.reason = reason
        self._event.set()
        self._wake()

    def should_stop(self) -> bool:
        if self.reason is None and self.deadline is not None and time.monotonic() >= self.deadline:
            self.reason = "deadline"
            self._event.set()
        return self.reason is not None

    def wait(self, seconds: float) -> bool:
        """Sleep; True when interrupted, which may be at once."""
        if self.deadline is not None:
            seconds = min(seconds, max(self.deadline - time.monotonic(), 0.0))
        self._event.wait(seconds)
        return self.should_stop()


class Watchdog:
    """One thread per engine that advances the epoch when a deadline passes."""

    def __init__(self, advance: Callable[[], None]) -> None:
        self._advance = advance
        self._condition = threading.Condition()
        self._deadlines: list[tuple[float, int, Interruption]] = []
        self._order = itertools.count()
        self._thread: threading.Thread | None = None

    def watch(self, interruption: Interruption) -> None:
        """From now on the guest notices when `interruption` is due."""
        interruption.attach(self._advance)
        if interruption.reason is not None:
            # Stopped before there was anything to wake: without this the guest would never look.
            self._advance()
        if interruption.deadline is None:
            return
        with self._condition:
            heapq.heappush(self._deadlines, (interruption.deadline, next(self._order), interruption))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="torpor-watchdog", daemon=True)
                self._thread.start()
            self._condition.notify()

    def unwatch(self, interruption: Interruption) -> None:
        interruption.attach(lambda: None)
        with self._condition:
            self._deadlines = [d for d in self._deadlines if d[2] is not interruption]
            heapq.heapify(self._deadlines)

    def _run(self) -> None:
        with self._condition:
            while True:
                if not self._deadlines:
                    self._condition.wait()
                    continue
                remaining = self._deadlines[0][0] - time.monotonic()
                if remaining > 0:
                    self._condition.wait(remaining)
                    continue
                heapq.heappop(self._deadlines)[2].should_stop()
                self._advance()
