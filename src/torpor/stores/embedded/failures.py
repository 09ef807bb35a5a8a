"""Turns SQLite's and the operating system's errors into Torpor's, with what to do about them.

The one place that knows their codes; every public operation of the embedded store runs inside
`storage_errors`.
"""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from torpor.errors import SandboxBusyError, SandboxError, StorageError

_FULL = "The disk is full: free some space (or delete sandboxes) and try again"
_DENIED = "The folder cannot be written: check its owner, its permissions and whether the disk is read-only"
_DAMAGED = "The file is damaged and was left as it is: import an export of the sandbox, or delete it"

_SQLITE_ADVICE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_READONLY: _DENIED,
    sqlite3.SQLITE_PERM: _DENIED,
    sqlite3.SQLITE_CANTOPEN: _DENIED,
    sqlite3.SQLITE_IOERR: "The disk reported an error or is full: check its free space and its health",
    sqlite3.SQLITE_CONSTRAINT: "The change contradicts what is stored, so it was not applied",
    sqlite3.SQLITE_NOMEM: "There is not enough memory",
}
_OS_ADVICE = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: "Your disk quota is used up: free some space and try again",
    errno.EFBIG: "The file would be larger than the system allows: raise the limit (ulimit -f)",
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.EROFS: _DENIED,
    errno.EMFILE: "Too many files are open: raise the limit (ulimit -n)",
    errno.ENFILE: "Too many files are open in the whole system",
}
#: The primary code of an extended SQLite result code is its low byte.
_PRIMARY = 0xFF


@contextmanager
def storage_errors(operation: str, where: Path) -> Iterator[None]:
    """Run one operation on `where`; its foreign errors leave as StorageError or SandboxBusyError."""
    try:
        yield
    except sqlite3.Error as error:
        raise from_sqlite(error, operation, where) from error
    except OSError as error:
        advice = _OS_ADVICE.get(error.errno or 0, "Check the disk and the folder")
        reason = error.strerror or str(error)
        raise StorageError(
            f"Could not {operation} in {where}: {reason}. {advice}. What was committed before stands.",
            operation=operation,
            context={"path": str(where), "errno": errno.errorcode.get(error.errno or 0, str(error.errno))},
        ) from error


def from_sqlite(error: sqlite3.Error, operation: str, where: Path) -> SandboxError:
    """The typed error for one of SQLite's."""
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    context = {"path": str(where), "sqlite": getattr(error, "sqlite_errorname", type(error).__name__)}
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return SandboxBusyError(
            f"Could not {operation}: another process is writing to {where}. Try again.",
            operation=operation,
            context=context,
        )
    advice = _SQLITE_ADVICE.get(code, "Check the disk and the folder")
    return StorageError(
        f"Could not {operation} in {where}: {error}. {advice}. What was committed before stands.",
        operation=operation,
        context=context,
    )
