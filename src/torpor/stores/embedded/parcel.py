"""One generation of a sandbox on its way to a new sandbox: by fork, export and import.

A parcel is lazy: records and contents are read one at a time, so its size is not bounded by memory.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from torpor.snapshots.model import Extent, NewRecord, StoredRecord
from torpor.stores.base import Commit, CommitKind, Head
from torpor.stores.embedded.database import Database, create_database
from torpor.stores.embedded.rows import read_chain, read_contents, read_extent
from torpor.stores.embedded.writing import empty_head, write_commit
from torpor.workspace.manifest import Changes


class LazyContents(Mapping[str, bytes]):
    """Contents by digest, each read when it is asked for."""

    def __init__(self, digests: Iterable[str], read: Callable[[str], bytes]) -> None:
        self._digests = tuple(dict.fromkeys(digests))
        self._read = read

    def __getitem__(self, digest: str) -> bytes:
        if digest not in self._digests:
            raise KeyError(digest)
        return self._read(digest)

    def __iter__(self) -> Iterator[str]:
        return iter(self._digests)

    def __len__(self) -> int:
        return len(self._digests)


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a new sandbox begins with. `records` come parents first."""

    head: Head
    records: Iterable[NewRecord]
    contents: Mapping[str, bytes]


def needed_contents(head: Head) -> tuple[str, ...]:
    """The digests that a generation's files and open descriptors name."""
    files = [entry.digest for entry in head.manifest.entries.values() if entry.digest is not None]
    held = [digest for row in head.contexts.values() for digest in row.held_contents]
    return tuple(dict.fromkeys([*files, *held]))


def needed_records(database: Database, sql: sqlite3.Connection, head: Head) -> list[StoredRecord]:
    """The chains of all contexts, parents first, each record once."""
    records: dict[str, StoredRecord] = {}
    for row in head.contexts.values():
        if row.snapshot is not None and row.snapshot.tip not in records:
            records |= {record.id: record for record in read_chain(database, sql, row.snapshot.tip)}
    return list(records.values())


def pack(database: Database, sql: sqlite3.Connection, head: Head) -> Parcel:
    """A parcel that reads from an open sandbox, inside the caller's transaction."""
    records = needed_records(database, sql, head)
    contents = LazyContents(needed_contents(head), lambda digest: read_contents(sql, [digest])[digest])
    return Parcel(head, (_unmapped(database, sql, record) for record in records), contents)


def _unmapped(database: Database, sql: sqlite3.Connection, record: StoredRecord) -> NewRecord:
    extents = tuple(
        Extent(extent.page, extent.count, read_extent(database, sql, extent, record.id))
        for extent in record.extents
    )
    return NewRecord(record.id, record.parent, record.payload, extents)


def unpack(folder: Path, sandbox_id: str, parcel: Parcel, commit: Commit) -> Head:
    """Make a sandbox of a parcel in an empty folder that nobody sees yet. Returns its head."""
    head = parcel.head
    return build(folder, empty_head(sandbox_id, head.created_at), commit, parcel.records)


def first_commit(parcel: Parcel, kind: CommitKind, at: int, summary: str) -> Commit:
    """The commit that holds all of a parcel but its records."""
    head = parcel.head
    return Commit(
        kind=kind,
        at=at,
        summary=summary,
        contexts=tuple(head.contexts.values()),
        files=Changes(tuple(head.manifest.entries.values()), (), head.manifest.next_inode),
        contents=parcel.contents,
        env=head.env,
        idle_ttl=head.idle_ttl,
    )


def build(folder: Path, head: Head, commit: Commit, records: Iterable[NewRecord] = ()) -> Head:
    """Make a sandbox of its first commit. Not durable yet: publishing the folder syncs it."""
    create_database(folder)
    database = Database(folder, durable=False)
    try:
        with database.writing() as sql:
            return write_commit(database, sql, head, commit, records)
    finally:
        database.close()
