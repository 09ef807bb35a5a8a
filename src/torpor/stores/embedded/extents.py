"""The extent file: page-aligned runs of raw memory pages, which may be mapped by live guests.

Order makes it safe. Runs are written where nothing is named, then synced, and only then named by
the transaction. A tail or a gap that a crash left unnamed is ignored and written over.

Space that becomes unnamed is used again (or punched out) only `EXTENT_GRACE_GENERATIONS` later. A
process may still map it: a warm instance whose records were merged, or one that is out of date. The
first has such pages covered by its own newer ones; the second is discarded when its sandbox's head
is looked at, before it runs again. The grace is for those that are between reading and mapping.
"""

import os
import sqlite3
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import xxhash

from torpor.errors import CorruptSnapshotError
from torpor.limits import EXTENT_GRACE_GENERATIONS, PAGE_BYTES
from torpor.stores.embedded.durable import (
    open_direct,
    punch_hole,
    read_exactly,
    sync_file,
    write_all,
    write_direct,
)

#: A range of the file in bytes: offset and length.
Range: TypeAlias = tuple[int, int]


class ExtentFile:
    """The open file. The caller's write transaction is what keeps two writers apart."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        # Runs are large and the guest has them in memory: taking pages for the cache, too, took four
        # times as long as the disk (20 MB: 70 ms instead of 15 on a virtual machine).
        self._direct = open_direct(path)
        self._dirty = False
        descriptors = (self._descriptor, self._direct)
        #: Called once: by `close`, or when a store is dropped that nobody closed.
        self._release = weakref.finalize(self, _close_all, descriptors)
        self._release.atexit = False  # the process's end closes them anyway

    def write(self, data: memoryview | bytes, offset: int) -> None:
        done = write_direct(self._direct, data, offset) if self._direct is not None else 0
        write_all(self._descriptor, memoryview(data).cast("B")[done:], offset + done)
        self._dirty = True

    def read(self, offset: int, length: int) -> bytes:
        """Raises CorruptSnapshotError when the file is too short."""
        data = read_exactly(self._descriptor, length, offset)
        if len(data) != length:
            raise self.too_short(offset, length)
        return data

    def size(self) -> int:
        return os.fstat(self._descriptor).st_size

    def too_short(self, offset: int, length: int) -> CorruptSnapshotError:
        return CorruptSnapshotError(
            f"{self.path} is cut short: it should hold {length} bytes at {offset} but has {self.size()} in "
            "all. Rewind to an earlier generation, or import an export of the sandbox.",
            context={"path": str(self.path), "offset": offset},
        )

    def sync(self) -> None:
        """Bring what was written to the disk; costs nothing when nothing was."""
        if self._dirty:
            sync_file(self._descriptor)
            self._dirty = False

    def punch(self, ranges: Iterable[Range]) -> None:
        """Give unnamed ranges back to the disk where the system can; else they are only used again."""
        for offset, length in ranges:
            punch_hole(self._descriptor, offset, length)

    def close(self) -> None:
        """Idempotent."""
        self._descriptor, self._direct = -1, None
        self._release()


def _close_all(descriptors: Iterable[int | None]) -> None:
    for descriptor in descriptors:
        if descriptor is not None:
            os.close(descriptor)


def checksum(data: memoryview | bytes) -> bytes:
    """XXH3 of 128 bits, against decay: SHA-256 would take longer than the disk, and whoever can change
    the file can change the checksum."""
    return xxhash.xxh3_128_digest(data)


def allocate(sql: sqlite3.Connection, length: int, generation: int) -> int:
    """An offset with `length` free bytes, taken from the space that is old enough, else at the end."""
    row = sql.execute(
        'SELECT "offset", length, since FROM free_space'
        ' WHERE length >= ? AND since <= ? ORDER BY "offset" LIMIT 1',
        (length, generation - EXTENT_GRACE_GENERATIONS),
    ).fetchone()
    if row is None:
        return _end(sql)
    offset, free, since = row
    sql.execute('DELETE FROM free_space WHERE "offset" = ?', (offset,))
    if free > length:
        sql.execute("INSERT INTO free_space VALUES (?, ?, ?)", (offset + length, free - length, since))
    return int(offset)


def _end(sql: sqlite3.Connection) -> int:
    (end,) = sql.execute(
        'SELECT max(coalesce((SELECT max("offset" + count * ?) FROM extents), 0),'
        ' coalesce((SELECT max("offset" + length) FROM free_space), 0))',
        (PAGE_BYTES,),
    ).fetchone()
    return int(end)


def release(sql: sqlite3.Connection, ranges: Iterable[Range], generation: int) -> None:
    """Note ranges that no record names any more."""
    sql.executemany("INSERT INTO free_space VALUES (?, ?, ?)", [(*r, generation) for r in ranges])


def subtract(whole: Iterable[Range], parts: Iterable[Range]) -> list[Range]:
    """What of `whole` is in none of `parts`."""
    left: list[Range] = []
    holes = sorted(parts)
    for start, length in sorted(whole):
        end = start + length
        for hole, hole_length in holes:
            if hole + hole_length <= start or hole >= end:
                continue
            if hole > start:
                left.append((start, hole - start))
            start = max(start, hole + hole_length)
        if start < end:
            left.append((start, end - start))
    return left


def joined(ranges: Iterable[Range]) -> list[Range]:
    """The ranges with neighbours joined."""
    result: list[Range] = []
    for offset, length in sorted(ranges):
        if result and sum(result[-1]) == offset:
            result[-1] = (result[-1][0], result[-1][1] + length)
        else:
            result.append((offset, length))
    return result
