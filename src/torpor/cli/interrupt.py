"""Ctrl-C: cancels an execution that runs, and ends a compilation at once."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from torpor.cli import exits, terminal


@contextmanager
def cancel_on_interrupt(cancel: threading.Event) -> Iterator[None]:
    """Within the block, Ctrl-C sets `cancel` instead of raising KeyboardInterrupt."""

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        if cancel.is_set():
            # Not sys.exit: the guest's thread may be the one that does not end.
            os._exit(exits.INTERRUPTED)
        cancel.set()
        terminal.say("\ntorpor: cancelling; press Ctrl-C again to leave at once")

    previous = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


@contextmanager
def die_on_interrupt() -> Iterator[None]:
    """Within the block, Ctrl-C ends the process at once. Python's own handler would only run after the
    compiler has returned, a minute later; what a killed compilation leaves behind is never used."""
    previous = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
