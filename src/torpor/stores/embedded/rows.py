"""Reading a sandbox's state from its tables: heads, history, records, contents.

Every function works inside the caller's transaction. Whatever is read is checked before it is
believed; damage names what it hit.
"""

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence

import zstandard

from torpor import limits
from torpor.errors import CorruptSnapshotError, GenerationNotFoundError, StorageError
from torpor.models import HistoryEntry
from torpor.snapshots.model import MappedExtent, StoredRecord
from torpor.stores.base import ContextRow, Head
from torpor.stores.embedded.database import Database
from torpor.stores.embedded.document import DocumentError, load, read_context
from torpor.stores.embedded.extents import checksum
from torpor.workspace.manifest import Entry, Manifest

_ENV_AT = """
SELECT env FROM environments
WHERE from_generation <= :g AND (to_generation IS NULL OR to_generation > :g)
"""
_CONTEXTS_AT = """
SELECT id, document FROM contexts
WHERE from_generation <= :g AND (to_generation IS NULL OR to_generation > :g)
"""
_ENTRIES_AT = """
SELECT path, kind, inode, mtime, size, digest, target FROM entries
WHERE from_generation <= :g AND (to_generation IS NULL OR to_generation > :g)
ORDER BY path
"""


def head_generation(sql: sqlite3.Connection) -> int:
    (generation,) = sql.execute("SELECT max(generation) FROM generations").fetchone()
    if generation is None:
        raise StorageError(
            "The sandbox's database is damaged: it holds no generation. Import an export of the sandbox."
        )
    return int(generation)


def oldest_rewindable(head: int) -> int:
    return max(1, head - limits.REWINDABLE_GENERATIONS + 1)


def check_rewindable(generation: int, head: int) -> None:
    """Raises GenerationNotFoundError."""
    oldest = oldest_rewindable(head)
    if not oldest <= generation <= head:
        raise GenerationNotFoundError(
            f"Generation {generation} cannot be reached: this sandbox can go back to generations {oldest} "
            f"to {head} (the last {limits.REWINDABLE_GENERATIONS} are kept).",
            context={"generation": generation, "oldest": oldest, "newest": head},
        )


def read_head(sql: sqlite3.Connection, generation: int) -> Head:
    """The state at a generation whose rows are still kept."""
    sandbox_id, created_at, idle_ttl = sql.execute("SELECT id, created_at, idle_ttl FROM sandbox").fetchone()
    at, next_inode = sql.execute(
        "SELECT at, next_inode FROM generations WHERE generation = ?", (generation,)
    ).fetchone()
    (env,) = sql.execute(_ENV_AT, {"g": generation}).fetchone()
    return Head(
        sandbox_id=sandbox_id,
        generation=generation,
        created_at=created_at,
        last_used=at,
        env=json.loads(env),
        contexts=_read_contexts(sql, generation),
        manifest=Manifest(_read_entries(sql, generation), next_inode),
        idle_ttl=idle_ttl,
    )


def _read_contexts(sql: sqlite3.Connection, generation: int) -> dict[str, ContextRow]:
    rows = sql.execute(_CONTEXTS_AT, {"g": generation})
    try:
        contexts = [read_context(load(document, f"context {key}")) for key, document in rows]
    except DocumentError as error:
        raise StorageError(f"The sandbox's database is damaged: {error}") from error
    contexts.sort(key=lambda row: (row.created_at, row.id))
    return {row.id: row for row in contexts}


def _read_entries(sql: sqlite3.Connection, generation: int) -> dict[str, Entry]:
    rows = sql.execute(_ENTRIES_AT, {"g": generation})
    return {row[0]: Entry(*row) for row in rows}


def read_idle(sql: sqlite3.Connection) -> tuple[float, int]:
    """How many seconds the sandbox may idle (0: forever), and when it was last used."""
    (idle_ttl,) = sql.execute("SELECT idle_ttl FROM sandbox").fetchone()
    (last_used,) = sql.execute("SELECT at FROM generations ORDER BY generation DESC LIMIT 1").fetchone()
    return float(idle_ttl), int(last_used)


def read_history(sql: sqlite3.Connection) -> tuple[HistoryEntry, ...]:
    """Newest first, at most `HISTORY_GENERATIONS`."""
    head = head_generation(sql)
    oldest = oldest_rewindable(head)
    rows = sql.execute(
        "SELECT generation, kind, summary, at, context_id, executions, stored_bytes FROM generations"
        " WHERE generation > ? ORDER BY generation DESC",
        (head - limits.HISTORY_GENERATIONS,),
    )
    return tuple(
        HistoryEntry(generation, kind, summary, at, context, executions, stored, generation >= oldest)
        for generation, kind, summary, at, context, executions, stored in rows
    )


#: A record and its ancestors; more of them than there are records would mean a circle.
_CHAIN = """
WITH RECURSIVE chain (id, parent, depth) AS (
    SELECT id, parent, 0 FROM records WHERE id = ?
    UNION ALL
    SELECT records.id, records.parent, depth + 1 FROM records JOIN chain ON records.id = chain.parent
    WHERE depth < ?
)
"""
_CHAIN_RECORDS = f"""
{_CHAIN} SELECT records.id, records.parent, payload, checksum
FROM chain JOIN records ON records.id = chain.id ORDER BY depth DESC
"""  # noqa: S608 - made of constants
_CHAIN_EXTENTS = f"""
{_CHAIN} SELECT record, page, count, "offset" FROM extents
WHERE record IN (SELECT id FROM chain) ORDER BY record, position
"""  # noqa: S608 - made of constants


def read_chain(database: Database, sql: sqlite3.Connection, tip: str | None) -> tuple[StoredRecord, ...]:
    """The records from the base image to `tip`, oldest first. Raises CorruptSnapshotError."""
    if tip is None:
        return ()
    (most,) = sql.execute("SELECT count(*) FROM records").fetchone()
    places: dict[str, list[MappedExtent]] = {}
    for record, page, count, offset in sql.execute(_CHAIN_EXTENTS, (tip, most)):
        places.setdefault(record, []).append(MappedExtent(page, count, database.extents.path, offset))
    found = sql.execute(_CHAIN_RECORDS, (tip, most)).fetchall()
    if len(found) > most:
        raise _damaged(tip, "it is its own ancestor")
    if not found or found[0][1] is not None:
        raise _damaged(found[0][1] if found else tip, "it is missing")
    return tuple(
        _checked(database, record, parent, payload, known, tuple(places.get(record, ())))
        for record, parent, payload, known in found
    )


def read_short_chain(
    database: Database, sql: sqlite3.Connection, tip: str | None
) -> tuple[StoredRecord, ...]:
    """Like `read_chain`, with a summary in the place of all that it stands for.

    A summary that is damaged is passed over: the records are still there.
    """
    chain: list[StoredRecord] = []
    at = tip
    while at is not None and len(chain) <= limits.MAX_CHAIN_RECORDS:
        chain.append(_read_summary(database, sql, at) or read_record(database, sql, at))
        at = chain[-1].parent
    # Longer than a chain can be: it is read, and refused, as it is.
    return tuple(reversed(chain)) if at is None else read_chain(database, sql, tip)


def _read_summary(database: Database, sql: sqlite3.Connection, tip: str) -> StoredRecord | None:
    row = sql.execute(
        "SELECT parent, payload, checksum, extents FROM summaries WHERE tip = ?", (tip,)
    ).fetchone()
    if row is None:
        return None
    parent, payload, known, places = row
    try:
        extents = tuple(MappedExtent(p, n, database.extents.path, at) for p, n, at in json.loads(places))
        return _checked(database, tip, parent, payload, known, extents)
    except (CorruptSnapshotError, ValueError, TypeError):
        return None


def read_record(database: Database, sql: sqlite3.Connection, record_id: str) -> StoredRecord:
    """One record, its payload checked. Extents are mapped, not read, so only their presence is checked."""
    row = sql.execute("SELECT parent, payload, checksum FROM records WHERE id = ?", (record_id,)).fetchone()
    if row is None:
        raise _damaged(record_id, "it is missing")
    parent, payload, known = row
    extents = tuple(
        MappedExtent(page, count, database.extents.path, offset)
        for page, count, offset in sql.execute(
            'SELECT page, count, "offset" FROM extents WHERE record = ? ORDER BY position', (record_id,)
        )
    )
    return _checked(database, record_id, parent, payload, known, extents)


def _checked(
    database: Database,
    record_id: str,
    parent: str | None,
    payload: bytes,
    known: bytes,
    extents: tuple[MappedExtent, ...],
) -> StoredRecord:
    if hashlib.sha256(payload).digest() != known:
        raise _damaged(record_id, "its checksum does not match")
    for extent in extents:
        length = extent.count * limits.PAGE_BYTES
        if extent.offset + length > database.extents.size():
            raise database.extents.too_short(extent.offset, length)
    return StoredRecord(record_id, parent, payload, extents)


def read_extent(database: Database, sql: sqlite3.Connection, extent: MappedExtent, record: str) -> bytes:
    """The bytes of an extent, checked against the checksum taken when they were stored."""
    data = database.extents.read(extent.offset, extent.count * limits.PAGE_BYTES)
    (known,) = sql.execute(
        'SELECT checksum FROM extents WHERE record = ? AND "offset" = ?', (record, extent.offset)
    ).fetchone()
    if checksum(data) != known:
        raise _damaged(record, f"the checksum of its extent at page {extent.page} does not match")
    return data


def _damaged(record_id: str, reason: str) -> CorruptSnapshotError:
    return CorruptSnapshotError(
        f"The snapshot record {record_id} is damaged: {reason}. Rewind to a generation before it, or import "
        "an export of the sandbox.",
        context={"record": record_id},
    )


def read_contents(sql: sqlite3.Connection, digests: Sequence[str]) -> Mapping[str, bytes]:
    """The bytes of each digest, checked. Raises StorageError."""
    return {digest: _read_content(sql, digest) for digest in dict.fromkeys(digests)}


def _read_content(sql: sqlite3.Connection, digest: str) -> bytes:
    row = sql.execute("SELECT size, encoding, data FROM contents WHERE digest = ?", (digest,)).fetchone()
    if row is None:
        raise StorageError(f"The content {digest} is not in the store", context={"digest": digest})
    size, encoding, data = row
    try:
        plain = _plain(size, encoding, data)
    except zstandard.ZstdError:
        plain = None
    if plain is None or hashlib.sha256(plain).hexdigest() != digest:
        raise StorageError(
            f"The content {digest} is damaged: its bytes do not match its SHA-256. Write the file again, or "
            "rewind to a generation that has another version of it.",
            context={"digest": digest},
        )
    return plain


def _plain(size: int, encoding: str, data: bytes) -> bytes:
    if encoding == "raw":
        return data
    return zstandard.ZstdDecompressor().decompress(data, max_output_size=size)
