"""Keeps a sandbox small: forgets what nothing rewindable needs, merges records, frees space.

Two transactions of their own, so a crash leaves all or none of each. No state that can still be
reached changes: merged records keep the newer id, and no tip of a rewindable generation is merged
away.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import TypeAlias

from torpor import limits
from torpor.errors import CorruptSnapshotError, StorageError
from torpor.snapshots.history import HistoryPlan, Merge, RecordNode, plan_history
from torpor.snapshots.model import Extent, MappedExtent, NewRecord, StoredRecord
from torpor.stores.embedded.database import Database
from torpor.stores.embedded.extents import Range, checksum, joined, release, subtract
from torpor.stores.embedded.rows import (
    head_generation,
    oldest_rewindable,
    read_chain,
    read_extent,
    read_record,
)
from torpor.stores.embedded.writing import PlacedExtent, name_extent, place_extent, write_summary

#: `snapshots.records.merge`: one record with the effect of several, oldest first.
MergeRecords: TypeAlias = Callable[[Sequence[StoredRecord]], NewRecord]

#: Chains are kept this short so that they stay within MAX_CHAIN_RECORDS until the next maintenance.
_LONGEST = limits.MAX_CHAIN_RECORDS - limits.MAINTENANCE_GENERATIONS
#: `since` of free space that was given back to the disk already.
_GIVEN_BACK = 0


def maintain(database: Database, merge: MergeRecords) -> None:
    """Forget, merge, free. Raises CorruptSnapshotError when a record to merge is damaged."""
    with database.writing() as sql:
        head = head_generation(sql)
        # They name parts of extents that the next lines may free.
        sql.execute("DELETE FROM summaries")
        _forget_generations(sql, head)
        _delete_records(sql, _plan(sql).unreachable, head)
        _forget_contents(sql)
        _reclaim_extents(database, sql, head)
        # Noted before merging: a damaged record must not make every later commit try again.
        sql.execute("UPDATE sandbox SET maintained = ?", (head,))
    with database.writing() as sql:
        plan = _plan(sql)
        # Another writer may have come between; a leftover child would keep its parent from merging.
        _delete_records(sql, plan.unreachable, head)
        for step in plan.merges:
            _merge(database, sql, step, merge, head)
        _summarise(database, sql, merge)
    _shrink(database)


def _summarise(database: Database, sql: sqlite3.Connection, merge: MergeRecords) -> None:
    """For each context, a record that stands for the newest of its chain: when it wakes it reads the few
    older ones, that, and what came after. None for a chain that is damaged."""
    tips = sql.execute("SELECT tip FROM contexts WHERE to_generation IS NULL AND tip IS NOT NULL")
    for (tip,) in tips.fetchall():
        with suppress(CorruptSnapshotError):
            newest = _newest(read_chain(database, sql, tip))
            if len(newest) > 1:
                write_summary(sql, merge(newest))


def _newest(chain: Sequence[StoredRecord]) -> Sequence[StoredRecord]:
    """As many records from the end of a chain as are not too large together: whatever is summarised is
    written again by each maintenance."""
    sizes = accumulate(len(record.payload) for record in reversed(chain))
    count = sum(1 for size in sizes if size <= limits.SUMMARISED_BYTES)
    return chain[len(chain) - count :]


def _forget_generations(sql: sqlite3.Connection, head: int) -> None:
    oldest = (oldest_rewindable(head),)
    sql.execute("DELETE FROM entries WHERE to_generation <= ?", oldest)
    sql.execute("DELETE FROM contexts WHERE to_generation <= ?", oldest)
    sql.execute("DELETE FROM environments WHERE to_generation <= ?", oldest)
    sql.execute("DELETE FROM generations WHERE generation <= ?", (head - limits.HISTORY_GENERATIONS,))


def _plan(sql: sqlite3.Connection) -> HistoryPlan:
    records = [RecordNode(*row) for row in sql.execute("SELECT id, parent, length(payload) FROM records")]
    tips = {tip for (tip,) in sql.execute("SELECT DISTINCT tip FROM contexts WHERE tip IS NOT NULL")}
    return plan_history(records, tips, _LONGEST)


def _delete_records(sql: sqlite3.Connection, ids: Iterable[str], head: int) -> None:
    for record in ids:
        release(sql, _ranges(sql, record), head)
        sql.execute("DELETE FROM records WHERE id = ?", (record,))


def _ranges(sql: sqlite3.Connection, record: str) -> list[Range]:
    rows = sql.execute('SELECT "offset", count FROM extents WHERE record = ?', (record,))
    return [(offset, count * limits.PAGE_BYTES) for offset, count in rows]


def _forget_contents(sql: sqlite3.Connection) -> None:
    sql.execute(
        "DELETE FROM contents WHERE digest NOT IN (SELECT digest FROM entries WHERE digest IS NOT NULL"
        " UNION SELECT value FROM contexts, json_each(contexts.document, '$.held_contents'))"
    )


def _reclaim_extents(database: Database, sql: sqlite3.Connection, head: int) -> None:
    """Join the free ranges that are old enough, and give the new ones among them back to the disk."""
    ripe = head - limits.EXTENT_GRACE_GENERATIONS
    rows = sql.execute('SELECT "offset", length, since FROM free_space WHERE since <= ?', (ripe,)).fetchall()
    fresh = [(offset, length) for offset, length, since in rows if since != _GIVEN_BACK]
    if not fresh:
        return
    sql.execute("DELETE FROM free_space WHERE since <= ?", (ripe,))
    release(sql, joined((offset, length) for offset, length, _ in rows), _GIVEN_BACK)
    database.extents.punch(fresh)


def _merge(database: Database, sql: sqlite3.Connection, step: Merge, merge: MergeRecords, head: int) -> None:
    older, newer = read_record(database, sql, step.older), read_record(database, sql, step.newer)
    merged = merge((older, newer))
    if (merged.id, merged.parent) != (newer.id, older.parent):
        raise StorageError(f"Merging {older.id} into {newer.id} gave a record of another place: {merged.id}")
    before = [*_ranges(sql, older.id), *_ranges(sql, newer.id)]
    kept = [_kept(database, sql, extent, (older, newer)) for extent in merged.extents]
    sql.execute("DELETE FROM extents WHERE record IN (?, ?)", (older.id, newer.id))
    sql.execute(
        "UPDATE records SET parent = ?, payload = ?, checksum = ? WHERE id = ?",
        (merged.parent, merged.payload, hashlib.sha256(merged.payload).digest(), merged.id),
    )
    sql.execute("DELETE FROM records WHERE id = ?", (older.id,))
    # The old ranges count as taken until all kept ones have their name again.
    after = [(extent.offset, extent.count * limits.PAGE_BYTES) for extent in kept if extent is not None]
    for position, extent in enumerate(kept):
        if extent is not None:
            name_extent(sql, merged.id, position, extent)
    release(sql, subtract(before, after), head)
    for position, raw in enumerate(merged.extents):
        if isinstance(raw, Extent):
            name_extent(sql, merged.id, position, place_extent(database, sql, raw, head))


def _kept(
    database: Database,
    sql: sqlite3.Connection,
    extent: Extent | MappedExtent,
    sources: Iterable[StoredRecord],
) -> PlacedExtent | None:
    """A merged record's stored extent with its checksum; None for a new one."""
    if isinstance(extent, Extent):
        return None
    for record in sources:
        for whole in record.extents:
            first = extent.offset - whole.offset
            if first >= 0 and first + extent.count * limits.PAGE_BYTES <= whole.count * limits.PAGE_BYTES:
                return _part(database, sql, whole, record.id, extent)
    raise StorageError(f"Merging gave an extent at {extent.offset} that neither record has")


def _part(
    database: Database, sql: sqlite3.Connection, whole: MappedExtent, record: str, part: MappedExtent
) -> PlacedExtent:
    if part.count == whole.count:
        (known,) = sql.execute(
            'SELECT checksum FROM extents WHERE record = ? AND "offset" = ?', (record, whole.offset)
        ).fetchone()
        return PlacedExtent(part.page, part.count, part.offset, known)
    # Checked as a whole first, or a new checksum would make damage look sound.
    data = read_extent(database, sql, whole, record)
    start = part.offset - whole.offset
    piece = memoryview(data)[start : start + part.count * limits.PAGE_BYTES]
    return PlacedExtent(part.page, part.count, part.offset, checksum(piece))


def _shrink(database: Database) -> None:
    """Give unused pages of the database back, when they are many: moving pages costs writes."""
    (free,) = database.sql.execute("PRAGMA freelist_count").fetchone()
    (page,) = database.sql.execute("PRAGMA page_size").fetchone()
    if free * page > limits.VACUUM_FREE_BYTES:
        # It gives a row without columns for each page, at the first of which `execute` would stop.
        database.sql.executescript("PRAGMA incremental_vacuum")
        # Only a checkpoint shortens the file itself. Readers may prevent it; the next one will do.
        database.sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
