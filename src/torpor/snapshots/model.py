"""The data of snapshots: extents and records as they are made and as they are stored."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Extent:
    """A run of whole pages stored raw: `count` pages from page `page`, as `data` (bytes-like)."""

    page: int
    count: int
    data: memoryview | bytes


@dataclass(frozen=True, slots=True)
class MappedExtent:
    """A stored extent: `count` pages from page `page` lie in `file` at byte `offset` (page-aligned).

    The bytes never change while any record names them, so they may be mapped.
    """

    page: int
    count: int
    file: Path
    offset: int


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A delta record to be stored: `payload` as `records.encode` makes it.

    A merged record names extents that are stored already; they stay where they are.
    """

    id: str
    parent: str | None
    payload: bytes
    extents: tuple[Extent | MappedExtent, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredRecord:
    id: str
    parent: str | None
    payload: bytes
    extents: tuple[MappedExtent, ...] = ()
