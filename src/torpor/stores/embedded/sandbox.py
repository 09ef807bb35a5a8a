"""One sandbox on disk: what `SandboxStore` promises, by way of one connection and a cached head.

Generation numbers decide everything. A commit takes SQLite's write lock, compares the head with the
expected one, writes and commits; whoever comes second meets another head.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from torpor import limits
from torpor.errors import GenerationNotFoundError, SandboxNotFoundError, StorageError
from torpor.models import HistoryEntry
from torpor.snapshots.model import StoredRecord
from torpor.stores.base import Commit, Conflict, Head
from torpor.stores.embedded import rows
from torpor.stores.embedded.database import Database
from torpor.stores.embedded.durable import Workshop
from torpor.stores.embedded.failures import storage_errors
from torpor.stores.embedded.lease import hold_lease
from torpor.stores.embedded.maintenance import MergeRecords, maintain
from torpor.stores.embedded.parcel import build
from torpor.stores.embedded.writing import empty_head, reverting_commit, write_commit

#: The unit of `st_blocks`, whatever the file system's own blocks are.
_BLOCK_BYTES = 512


class EmbeddedSandbox:
    """A `SandboxStore`. Safe to use from several threads, one operation at a time."""

    def __init__(
        self, sandbox_id: str, folder: Path, lock_file: Path, workshop: Workshop, merge: MergeRecords
    ) -> None:
        self._sandbox_id = sandbox_id
        self._folder = folder
        self._lock_file = lock_file
        self._workshop = workshop
        self._merge = merge
        self._lock = threading.RLock()
        self._database: Database | None = None
        self._head: Head | None = None
        self._maintained = 0
        #: What `Database.foreign_version` said before the cached head was read.
        self._version = -1
        self._closed = False
        self._leased = False

    @property
    def sandbox_id(self) -> str:
        return self._sandbox_id

    @contextmanager
    def lease(self, timeout: float) -> Iterator[None]:
        with hold_lease(self._lock_file, self._sandbox_id, timeout):
            self._leased = True
            try:
                yield
            finally:
                self._leased = False

    def head(self) -> Head | None:
        with self._operation("read the sandbox"):
            return self._current()

    def at(self, generation: int) -> Head:
        with self._operation("read a generation"):
            head = self._current()
            if head is None:
                raise GenerationNotFoundError(f"The sandbox {self._sandbox_id} does not exist")
            with self._existing().reading() as sql:
                rows.check_rewindable(generation, rows.head_generation(sql))
                return rows.read_head(sql, generation)

    def commit(self, expected: int, commit: Commit) -> Head | Conflict:
        with self._operation("commit"):
            if expected == 0 and self._open() is None:
                return self._create(commit)
            return self._swap(expected, lambda _sql, _head: commit)

    def rewind(self, expected: int, generation: int, at: int) -> Head | Conflict:
        def revert(sql: sqlite3.Connection, head: Head) -> Commit:
            rows.check_rewindable(generation, head.generation)
            return reverting_commit(head, rows.read_head(sql, generation), at)

        with self._operation("rewind"):
            return self._swap(expected, revert)

    def history(self) -> tuple[HistoryEntry, ...]:
        with self._operation("read the history"):
            database = self._open()
            if database is None:
                return ()
            with database.reading() as sql:
                return rows.read_history(sql)

    def contents(self, digests: Sequence[str]) -> Mapping[str, bytes]:
        with self._operation("read files"):
            if not digests:
                return {}
            with self._existing().reading() as sql:
                return rows.read_contents(sql, digests)

    def records(self, tip: str | None) -> tuple[StoredRecord, ...]:
        with self._operation("read a snapshot"):
            if tip is None:
                return ()
            database = self._existing()
            with database.reading() as sql:
                return rows.read_short_chain(database, sql, tip)

    def record(self, record_id: str) -> StoredRecord:
        with self._operation("read a snapshot"):
            database = self._existing()
            with database.reading() as sql:
                return rows.read_record(database, sql, record_id)

    @property
    def needs_maintenance(self) -> bool:
        with self._operation("read the sandbox"):
            head = self._current()
            return head is not None and head.generation - self._maintained >= limits.MAINTENANCE_GENERATIONS

    def maintain(self) -> None:
        with self._operation("maintain the sandbox"):
            database = self._open()
            if database is not None:
                self._head = None
                maintain(database, self._merge)

    def stored_bytes(self) -> int:
        with self._operation("measure the sandbox"):
            if not self._folder.is_dir():
                return 0
            return sum(map(_disk_bytes, self._folder.iterdir()))

    def release(self) -> None:
        with self._lock:
            # Not between a head and its commit: a sandbox that replaced this one could pass for it.
            if not self._leased:
                self._forget()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._forget()

    @contextmanager
    def reading(self) -> Iterator[tuple[Database, sqlite3.Connection]]:
        """The open database in one consistent view. Raises SandboxNotFoundError."""
        with self._operation("read the sandbox"):
            database = self._existing()
            with database.reading() as sql:
                yield database, sql

    @contextmanager
    def _operation(self, name: str) -> Iterator[None]:
        with self._lock, storage_errors(name, self._folder):
            if self._closed:
                raise StorageError(f"The sandbox {self._sandbox_id} was closed; open it again")
            yield

    def _open(self) -> Database | None:
        """The database; None when the sandbox does not exist. Notices that it was deleted or replaced."""
        if self._database is not None and not self._database.is_in_place():
            self._forget()
        if self._database is None:
            try:
                self._database = Database(self._folder)
            except FileNotFoundError:
                if self._folder.exists():
                    raise
        return self._database

    def _existing(self) -> Database:
        database = self._open()
        if database is None:
            raise SandboxNotFoundError(
                f"The sandbox {self._sandbox_id} does not exist", context={"sandbox": self._sandbox_id}
            )
        return database

    def _forget(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database, self._head, self._version = None, None, -1

    def _current(self) -> Head | None:
        database = self._open()
        if database is None:
            return None
        # Before reading: a commit in between is then noticed the next time.
        version = database.foreign_version()
        if self._head is None or version != self._version:
            with database.reading() as sql:
                self._head = rows.read_head(sql, rows.head_generation(sql))
                (self._maintained,) = sql.execute("SELECT maintained FROM sandbox").fetchone()
            self._version = version
        return self._head

    def _swap(self, expected: int, make: Callable[[sqlite3.Connection, Head], Commit]) -> Head | Conflict:
        # A sandbox that was deleted and made again may well be at the generation that is expected.
        replaced = self._database is not None and not self._database.is_in_place()
        database = self._open()
        if database is None:
            return Conflict(expected, 0)
        with database.writing() as sql:
            # Deleting takes the write lock too: whoever waited for it must look again.
            head = self._current() if database.is_in_place() else None
            if head is None or replaced or head.generation != expected:
                return Conflict(expected, head.generation if head else 0)
            new = write_commit(database, sql, head, make(sql, head))
        self._head = new
        return new

    def _create(self, commit: Commit) -> Head | Conflict:
        with self._workshop.new_folder() as folder:
            head = build(folder, empty_head(self._sandbox_id, commit.at), commit)
            if self._workshop.publish(folder, self._folder):
                return head
        now = self._current()
        return Conflict(0, now.generation if now else 0)


def _disk_bytes(file: Path) -> int:
    """Blocks, not length: an extent file has holes. SQLite's log may go while it is being looked at."""
    try:
        return file.stat().st_blocks * _BLOCK_BYTES
    except FileNotFoundError:
        return 0
