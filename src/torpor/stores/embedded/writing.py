"""Applying one commit to the tables, inside the caller's write transaction.

Checks what the tables rely on before writing: records have their parents, contexts their records,
files their contents. A commit that breaks this is the caller's mistake and is refused whole.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

import zstandard

from torpor import limits
from torpor.errors import StorageError
from torpor.snapshots.model import Extent, MappedExtent, NewRecord
from torpor.stores.base import Commit, ContextRow, Head
from torpor.stores.embedded.database import Database
from torpor.stores.embedded.document import context_json, dump
from torpor.stores.embedded.extents import allocate, checksum
from torpor.workspace.manifest import Changes, Entry, Manifest, apply_changes, changes_between


def empty_head(sandbox_id: str, at: int) -> Head:
    """What generation 0 would be: nothing, from which the first commit is made."""
    return Head(sandbox_id, 0, at, at, {}, {}, Manifest())


def next_head(head: Head, commit: Commit) -> Head:
    """The head after `commit`."""
    contexts = {key: row for key, row in head.contexts.items() if key not in commit.removed_contexts}
    contexts.update((row.id, row) for row in commit.contexts)
    ordered = sorted(contexts.values(), key=lambda row: (row.created_at, row.id))
    return replace(
        head,
        generation=head.generation + 1,
        last_used=commit.at,
        env=head.env if commit.env is None else dict(commit.env),
        contexts={row.id: row for row in ordered},
        # Copying thousands of entries for nothing would be the dearest part of most commits.
        manifest=apply_changes(head.manifest, commit.files) if commit.files is not None else head.manifest,
        idle_ttl=head.idle_ttl if commit.idle_ttl is None else commit.idle_ttl,
    )


def reverting_commit(head: Head, past: Head, at: int) -> Commit:
    """The commit that makes `head` hold what `past` held. How long it may idle is not part of that."""
    return Commit(
        kind="rewind",
        at=at,
        summary=f"rewind to generation {past.generation}",
        contexts=tuple(past.contexts.values()),
        removed_contexts=tuple(key for key in head.contexts if key not in past.contexts),
        files=changes_between(head.manifest, past.manifest),
        env=past.env,
    )


def write_commit(
    database: Database,
    sql: sqlite3.Connection,
    head: Head,
    commit: Commit,
    more_records: Iterable[NewRecord] = (),
) -> Head:
    """Write `commit` on top of `head` (generation 0: into empty tables). Returns the new head.

    `more_records` are read one at a time, for copies whose records would not fit in memory.
    """
    new = next_head(head, commit)
    stored = _write_contents(sql, commit)
    for record in chain(commit.records, more_records):
        stored += write_record(database, sql, record, new.generation)
    _write_environment(sql, head, new)
    _write_contexts(sql, head, new)
    if commit.files is not None:
        _write_entries(sql, commit.files, new.generation)
    executed = new.contexts.get(commit.context_id or "")
    sql.execute(
        "INSERT INTO generations VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            new.generation,
            commit.kind,
            commit.summary,
            commit.at,
            commit.context_id,
            executed.executions if executed else None,
            stored,
            new.manifest.next_inode,
        ),
    )
    if head.generation == 0:
        sql.execute(
            "INSERT INTO sandbox VALUES (1, ?, ?, ?, 1)", (new.sandbox_id, new.created_at, new.idle_ttl)
        )
    elif new.idle_ttl != head.idle_ttl:
        sql.execute("UPDATE sandbox SET idle_ttl = ?", (new.idle_ttl,))
    return new


def _write_environment(sql: sqlite3.Connection, head: Head, new: Head) -> None:
    if head.generation and new.env == head.env:
        return
    sql.execute("UPDATE environments SET to_generation = ? WHERE to_generation IS NULL", (new.generation,))
    sql.execute("INSERT INTO environments VALUES (?, NULL, ?)", (new.generation, dump(dict(new.env))))


def _write_contexts(sql: sqlite3.Connection, head: Head, new: Head) -> None:
    changed = [row for key, row in new.contexts.items() if head.contexts.get(key) != row]
    gone = [key for key in head.contexts if key not in new.contexts]
    sql.executemany(
        "UPDATE contexts SET to_generation = ? WHERE id = ? AND to_generation IS NULL",
        [(new.generation, key) for key in (*gone, *(row.id for row in changed))],
    )
    for row in changed:
        _write_context(sql, row, new.generation)


def _write_context(sql: sqlite3.Connection, row: ContextRow, generation: int) -> None:
    tip = row.snapshot.tip if row.snapshot else None
    if tip is not None and not _exists(sql, "SELECT 1 FROM records WHERE id = ?", tip):
        raise _refused(f"the context {row.id} names the record {tip}, which is not stored")
    _require_contents(sql, row.held_contents)
    sql.execute(
        "INSERT INTO contexts VALUES (?, ?, NULL, ?, ?)", (row.id, generation, tip, dump(context_json(row)))
    )


def _write_entries(sql: sqlite3.Connection, changes: Changes, generation: int) -> None:
    upserts = {entry.path: entry for entry in changes.upserts}
    _require_contents(sql, [e.digest for e in upserts.values() if e.digest is not None])
    sql.executemany(
        "UPDATE entries SET to_generation = ? WHERE path = ? AND to_generation IS NULL",
        [(generation, path) for path in {*changes.deleted, *upserts}],
    )
    sql.executemany(
        "INSERT INTO entries VALUES (?, ?, NULL, ?, ?, ?, ?, ?, ?)",
        [_entry_row(entry, generation) for entry in upserts.values()],
    )


def _entry_row(entry: Entry, generation: int) -> tuple[object, ...]:
    e = entry
    return e.path, generation, e.kind, e.inode, e.mtime, e.size, e.digest, e.target


def _require_contents(sql: sqlite3.Connection, digests: Iterable[str]) -> None:
    for digest in digests:
        if not _exists(sql, "SELECT 1 FROM contents WHERE digest = ?", digest):
            raise _refused(f"it names the content {digest}, which is not stored")


def _write_contents(sql: sqlite3.Connection, commit: Commit) -> int:
    stored = 0
    for digest, data in commit.contents.items():
        if _exists(sql, "SELECT 1 FROM contents WHERE digest = ?", digest):
            continue
        if hashlib.sha256(data).hexdigest() != digest:
            raise _refused(f"the bytes given for the content {digest} have another SHA-256")
        packed = zstandard.ZstdCompressor(level=limits.STORE_ZSTD_LEVEL).compress(data)
        encoding, body = ("zstd", packed) if len(packed) < len(data) else ("raw", data)
        sql.execute("INSERT INTO contents VALUES (?, ?, ?, ?)", (digest, len(data), encoding, body))
        stored += len(body)
    return stored


def write_record(database: Database, sql: sqlite3.Connection, record: NewRecord, generation: int) -> int:
    """Store a record with its extents. Returns the bytes added."""
    if record.parent is not None and not _exists(sql, "SELECT 1 FROM records WHERE id = ?", record.parent):
        raise _refused(f"the record {record.id} names the parent {record.parent}, which is not stored")
    if _exists(sql, "SELECT 1 FROM records WHERE id = ?", record.id):
        raise _refused(f"a record {record.id} is stored already")
    sql.execute(
        "INSERT INTO records VALUES (?, ?, ?, ?)",
        (record.id, record.parent, record.payload, hashlib.sha256(record.payload).digest()),
    )
    added = len(record.payload)
    for position, extent in enumerate(record.extents):
        if isinstance(extent, MappedExtent):
            raise _refused(f"the new record {record.id} names an extent that is stored already")
        name_extent(sql, record.id, position, place_extent(database, sql, extent, generation))
        added += len(memoryview(extent.data).cast("B"))
    return added


def write_summary(sql: sqlite3.Connection, summary: NewRecord) -> None:
    """Keep a merged record beside those it was made of."""
    places = [(e.page, e.count, e.offset) for e in summary.extents if isinstance(e, MappedExtent)]
    sql.execute(
        "INSERT INTO summaries VALUES (?, ?, ?, ?, ?)",
        (
            summary.id,
            summary.parent,
            summary.payload,
            hashlib.sha256(summary.payload).digest(),
            json.dumps(places),
        ),
    )


@dataclass(frozen=True, slots=True)
class PlacedExtent:
    """An extent whose bytes lie in the extent file, with their `extents.checksum`."""

    page: int
    count: int
    offset: int
    checksum: bytes


def place_extent(
    database: Database, sql: sqlite3.Connection, extent: Extent, generation: int
) -> PlacedExtent:
    """Write an extent's bytes where nothing is named. The caller names it before the next one is placed."""
    data = memoryview(extent.data).cast("B")
    if extent.count <= 0 or extent.page < 0 or len(data) != extent.count * limits.PAGE_BYTES:
        raise _refused(f"an extent of {extent.count} pages at page {extent.page} has {len(data)} bytes")
    offset = allocate(sql, len(data), generation)
    database.extents.write(data, offset)
    return PlacedExtent(extent.page, extent.count, offset, checksum(data))


def name_extent(sql: sqlite3.Connection, record: str, position: int, extent: PlacedExtent) -> None:
    sql.execute(
        "INSERT INTO extents VALUES (?, ?, ?, ?, ?, ?)",
        (record, position, extent.page, extent.count, extent.offset, extent.checksum),
    )


def _exists(sql: sqlite3.Connection, query: str, key: str) -> bool:
    return sql.execute(query, (key,)).fetchone() is not None


def _refused(reason: str) -> StorageError:
    return StorageError(f"The commit was refused whole, because {reason}.")
