"""The right to write in a sandbox: an advisory lock that the kernel frees when its holder dies.

Every lease opens the lock file anew, so it excludes other threads of this process as well as other
processes. The lock lies beside the sandboxes, not in them: it can be taken before the first commit.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from torpor import limits
from torpor.errors import SandboxBusyError
from torpor.stores.embedded.durable import FILE_MODE, make_folder
from torpor.stores.embedded.failures import storage_errors


@contextmanager
def hold_lease(file: Path, sandbox_id: str, timeout: float) -> Iterator[None]:
    """Hold the lock for the block. Raises SandboxBusyError after `timeout` seconds."""
    deadline = time.monotonic() + timeout
    with storage_errors("lock the sandbox", file.parent):
        descriptor = _acquire(file, sandbox_id, deadline, timeout)
    try:
        yield
    finally:
        # Not only closed: a child that was forked meanwhile has a copy, which would keep the lock.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _acquire(file: Path, sandbox_id: str, deadline: float, timeout: float) -> int:
    while True:
        descriptor = _try_acquire(file)
        if descriptor is not None:
            return descriptor
        if time.monotonic() >= deadline:
            raise SandboxBusyError(
                f"The sandbox {sandbox_id} is in use by another process or thread and was not free within "
                f"{timeout:g} s. Wait for it to finish, or allow a longer wait.",
                context={"sandbox": sandbox_id, "seconds": timeout},
            )
        time.sleep(min(limits.LEASE_POLL_SECONDS, max(0.0, deadline - time.monotonic())))


def _try_acquire(file: Path) -> int | None:
    make_folder(file.parent)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Whoever deleted the sandbox may have removed the file that was just locked.
        if os.path.samestat(os.fstat(descriptor), file.stat()):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(descriptor)
    return None


def remove_lock(file: Path) -> None:
    """Remove the lock file of a sandbox that is gone, unless someone holds it."""
    descriptor = _try_acquire(file)
    if descriptor is not None:
        file.unlink()
        os.close(descriptor)
