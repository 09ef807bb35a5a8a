"""One holder at a time of a lock file, between threads and processes; a crash frees it."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_POLL_SECONDS = 0.005


@contextmanager
def exclusive_lock(path: Path, timeout: float | None = None) -> Iterator[None]:
    """Hold `path` (created, never removed: removing it would let two holders in).

    Waits without limit, or raises TimeoutError after `timeout` seconds.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _acquire(handle, timeout)
        yield
    finally:
        os.close(handle)


def _acquire(handle: int, timeout: float | None) -> None:
    if timeout is None:
        fcntl.flock(handle, fcntl.LOCK_EX)
        return
    deadline = time.monotonic() + timeout
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise TimeoutError from None
            time.sleep(_POLL_SECONDS)
        else:
            return
