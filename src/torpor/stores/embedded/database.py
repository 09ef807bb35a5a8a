"""One sandbox's `state.db`: its schema, its pragmas, its connection and its transactions.

Knows SQL tables but not what a generation means (`rows`, `writing`). State is *temporal*: a row is
true from `from_generation` up to, not including, `to_generation` (NULL: it is true now), so every
generation that is still kept can be read as it was.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from torpor import limits
from torpor.errors import StorageError
from torpor.stores.embedded.durable import FILE_MODE
from torpor.stores.embedded.extents import ExtentFile

SCHEMA_VERSION = 2
STATE_FILE = "state.db"
EXTENT_FILE = "extents"

_SCHEMA = """
CREATE TABLE sandbox (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    idle_ttl REAL NOT NULL,
    maintained INTEGER NOT NULL  -- the generation at which maintenance last ran
);
CREATE TABLE generations (
    generation INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    summary TEXT NOT NULL,
    at INTEGER NOT NULL,
    context_id TEXT,
    executions INTEGER,
    stored_bytes INTEGER NOT NULL,
    next_inode INTEGER NOT NULL
);
CREATE TABLE environments (
    from_generation INTEGER PRIMARY KEY,
    to_generation INTEGER,
    env TEXT NOT NULL
);
CREATE TABLE records (
    id TEXT PRIMARY KEY,
    parent TEXT REFERENCES records (id) DEFERRABLE INITIALLY DEFERRED,
    payload BLOB NOT NULL,
    checksum BLOB NOT NULL
);
CREATE INDEX records_by_parent ON records (parent);
CREATE TABLE extents (
    record TEXT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    page INTEGER NOT NULL,
    count INTEGER NOT NULL,
    "offset" INTEGER NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (record, position)
) WITHOUT ROWID;
CREATE TABLE summaries (  -- records that stand for those from after `parent` to `tip`; can be made again
    tip TEXT PRIMARY KEY REFERENCES records (id) ON DELETE CASCADE,
    parent TEXT REFERENCES records (id) ON DELETE CASCADE,
    payload BLOB NOT NULL,
    checksum BLOB NOT NULL,
    extents TEXT NOT NULL  -- JSON: [[page, count, offset], ...], within those of the chain's records
);
CREATE TABLE free_space (  -- ranges of the extent file that no record names, since which generation
    "offset" INTEGER PRIMARY KEY,
    length INTEGER NOT NULL,
    since INTEGER NOT NULL
);
CREATE TABLE contents (
    digest TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    encoding TEXT NOT NULL CHECK (encoding IN ('raw', 'zstd')),
    data BLOB NOT NULL
);
CREATE TABLE contexts (
    id TEXT NOT NULL,
    from_generation INTEGER NOT NULL,
    to_generation INTEGER,
    tip TEXT REFERENCES records (id) DEFERRABLE INITIALLY DEFERRED,
    document TEXT NOT NULL,
    PRIMARY KEY (id, from_generation)
) WITHOUT ROWID;
CREATE INDEX contexts_by_tip ON contexts (tip);
CREATE INDEX contexts_by_end ON contexts (to_generation);
CREATE TABLE entries (
    path TEXT NOT NULL,
    from_generation INTEGER NOT NULL,
    to_generation INTEGER,
    kind TEXT NOT NULL,
    inode INTEGER NOT NULL,
    mtime INTEGER NOT NULL,
    size INTEGER NOT NULL,
    digest TEXT REFERENCES contents (digest) DEFERRABLE INITIALLY DEFERRED,
    target TEXT,
    PRIMARY KEY (path, from_generation)
) WITHOUT ROWID;
CREATE INDEX entries_by_digest ON entries (digest);
CREATE INDEX entries_by_end ON entries (to_generation);
"""

#: For a database that is being built aside: a crash discards it whole, so it is synced once, at the end.
_BUILDING = ("auto_vacuum = INCREMENTAL", "journal_mode = MEMORY", "synchronous = OFF")
_OPEN = (
    # FULL: in WAL mode NORMAL may lose the last commits in a power cut, and those were acknowledged.
    "synchronous = FULL",
    # SQLite's own fsync does not reach the disk on macOS.
    "fullfsync = ON",
    "foreign_keys = ON",
    # SQLite's own 1,000 pages would make every small sandbox take 4 MiB while it is open.
    f"wal_autocheckpoint = {limits.WAL_CHECKPOINT_PAGES}",
    # A damaged or foreign file must not run functions or overflow a page while it is read.
    "trusted_schema = OFF",
    "cell_size_check = ON",
)


def create_database(folder: Path) -> None:
    """Make an empty `state.db` and extent file in a folder that nobody sees yet."""
    file = folder / STATE_FILE
    os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    os.close(os.open(folder / EXTENT_FILE, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        for pragma in _BUILDING:
            connection.execute(f"PRAGMA {pragma}")
        connection.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


class Database:
    """An open sandbox: one connection, used by one thread at a time, and its extent file.

    Nothing but SQLite may open `state.db` while this process may have a connection to it: closing any
    descriptor of a file drops all POSIX locks that the process holds on it, SQLite's among them.
    """

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        """Raises StorageError for a file that is no database or of another version; it is not touched."""
        self.folder = folder
        self._file = folder / STATE_FILE
        self._identity = self._file.stat()
        self.sql = sqlite3.connect(
            f"{self._file.absolute().as_uri()}?mode=rw",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=limits.STORE_BUSY_SECONDS,
        )
        try:
            for pragma in _OPEN if durable else (*_OPEN, "synchronous = OFF"):
                self.sql.execute(f"PRAGMA {pragma}")
            self._check_version()
            self.extents = ExtentFile(folder / EXTENT_FILE)
        except BaseException:
            self.sql.close()
            raise

    def _check_version(self) -> None:
        (version,) = self.sql.execute("PRAGMA user_version").fetchone()
        if version != SCHEMA_VERSION:
            if version == 0:
                raise StorageError(
                    f"{self._file} is damaged: it holds no sandbox. It was left as it is: import an export "
                    "of the sandbox, or delete it.",
                    context={"path": str(self._file)},
                )
            raise StorageError(
                f"{self._file} was written by another version of Torpor (format {version}, this one reads "
                f"{SCHEMA_VERSION}). Nothing was changed: use that version, or import what it exports.",
                context={"path": str(self._file), "version": version},
            )

    def is_in_place(self) -> bool:
        """Whether the folder still holds this very file: the sandbox was not deleted or replaced."""
        try:
            return os.path.samestat(self._identity, self._file.stat())
        except FileNotFoundError:
            return False

    def foreign_version(self) -> int:
        """A number that changes whenever another connection committed."""
        (version,) = self.sql.execute("PRAGMA data_version").fetchone()
        return int(version)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent view, whatever others commit meanwhile."""
        if self.sql.in_transaction:
            yield self.sql
            return
        self.sql.execute("BEGIN")
        try:
            yield self.sql
        finally:
            self.sql.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The only writer for the block, which becomes durable as a whole, or not at all if it raises."""
        self.sql.execute("BEGIN IMMEDIATE")
        try:
            yield self.sql
            self.extents.sync()
            self.sql.execute("COMMIT")
        except BaseException:
            # SQLite has rolled back by itself after some errors, a full disk among them.
            if self.sql.in_transaction:
                self.sql.execute("ROLLBACK")
            raise

    def close(self) -> None:
        self.extents.close()
        self.sql.close()
