"""Delta records: what changed in a memory between two generations, encoded, checked and merged.

A record first places its extents (runs of whole pages, absolute), then XORs its pages with what is
there. XOR against the previous content is what makes small steps small (171 pages: 5 KB instead of
0.7 MB), and XORs compose, so a chain can be merged without a memory at hand.

Payload: magic, memory size, number of pages, checksum, then zstd of the page numbers (u32) and the
XORed pages. Readers decide every damage: whatever is not exactly as written raises
CorruptSnapshotError; nothing is repaired or guessed.
"""

import hashlib
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import zstandard

from torpor.errors import CorruptSnapshotError
from torpor.limits import GIB, PAGE_BYTES, WASM_PAGE_BYTES
from torpor.snapshots.model import Extent, MappedExtent, NewRecord, StoredRecord
from torpor.wasm.memory import Pages

_MAGIC = b"TORPOR\x00\x01"
_HEADER = struct.Struct("<8sQI16s")
_WORDS = PAGE_BYTES // 8
#: Level 1: higher levels save a few percent of bytes and cost several times the time.
_LEVEL = 1

PageNumbers = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Delta:
    """A decoded record. `pages` is sorted; `xor` has the shape (len(pages), 512)."""

    memory_bytes: int
    pages: PageNumbers
    xor: Pages


def encode(delta: Delta) -> bytes:
    """The payload of a record."""
    compressor = zstandard.ZstdCompressor(level=_LEVEL).compressobj()
    body = b"".join(
        (
            compressor.compress(delta.pages.astype("<u4").tobytes()),
            compressor.compress(delta.xor.tobytes()),
            compressor.flush(),
        )
    )
    count = len(delta.pages)
    return _HEADER.pack(_MAGIC, delta.memory_bytes, count, _digest(delta.memory_bytes, count, body)) + body


def _digest(memory_bytes: int, count: int, body: bytes) -> bytes:
    digest = hashlib.blake2b(_HEADER.pack(_MAGIC, memory_bytes, count, bytes(16)), digest_size=16)
    digest.update(body)
    return digest.digest()


def decode(payload: bytes, record_id: str) -> Delta:
    """Raises CorruptSnapshotError naming `record_id` for anything that `encode` did not write."""
    if len(payload) < _HEADER.size:
        raise _corrupt(record_id, "it is cut short")
    magic, memory_bytes, count, checksum = _HEADER.unpack_from(payload)
    if magic != _MAGIC:
        raise _corrupt(record_id, "it does not begin as a record of this version does")
    body = payload[_HEADER.size :]
    if _digest(memory_bytes, count, body) != checksum:
        raise _corrupt(record_id, "its checksum does not match")
    if memory_bytes % WASM_PAGE_BYTES or memory_bytes > 4 * GIB or count > memory_bytes // PAGE_BYTES:
        raise _corrupt(record_id, "its sizes are impossible")
    raw = _decompress(body, count * (4 + PAGE_BYTES), record_id)
    pages = np.frombuffer(raw, "<u4", count)
    if count and (
        int(pages[-1]) >= memory_bytes // PAGE_BYTES or (np.diff(pages.astype(np.int64)) <= 0).any()
    ):
        raise _corrupt(record_id, "its page numbers are impossible")
    xor = np.frombuffer(raw, np.uint8, count * PAGE_BYTES, count * 4)
    # An odd number of page numbers leaves the pages unaligned for words.
    words = xor.view(np.uint64) if count % 2 == 0 else xor.copy().view(np.uint64)
    return Delta(memory_bytes, pages, words.reshape(-1, _WORDS))


def _decompress(body: bytes, size: int, record_id: str) -> bytes:
    decompressor = zstandard.ZstdDecompressor().decompressobj()
    try:
        raw = decompressor.decompress(body)
    except zstandard.ZstdError as error:
        raise _corrupt(record_id, str(error)) from None
    if len(raw) != size:
        raise _corrupt(record_id, f"it holds {len(raw)} bytes instead of {size}")
    return raw


def _corrupt(record_id: str, reason: str) -> CorruptSnapshotError:
    return CorruptSnapshotError(
        f"The snapshot record {record_id} is damaged: {reason}. Earlier generations can still be "
        "reached with rewind.",
        context={"record": record_id},
    )


def check_extents(extents: Iterable[Extent | MappedExtent], memory_bytes: int, record_id: str) -> None:
    """Raises CorruptSnapshotError when an extent lies outside the memory."""
    for extent in extents:
        if extent.page < 0 or extent.count <= 0 or (extent.page + extent.count) * PAGE_BYTES > memory_bytes:
            raise _corrupt(record_id, "an extent lies outside the memory")


def merge(older: StoredRecord, newer: StoredRecord) -> NewRecord:
    """One record with the effect of `older` and then `newer`. It takes the newer id and the older parent."""
    first, second = decode(older.payload, older.id), decode(newer.payload, newer.id)
    covered = _covered(newer.extents, second.memory_bytes)
    kept = ~covered[first.pages]
    pages, xor = _xor_union(first.pages[kept], first.xor[kept], second.pages, second.xor)
    extents = [piece for extent in older.extents for piece in _outside(extent, covered)]
    delta = Delta(second.memory_bytes, pages, xor)
    return NewRecord(newer.id, older.parent, encode(delta), (*extents, *newer.extents))


def _covered(extents: Sequence[MappedExtent], memory_bytes: int) -> npt.NDArray[np.bool_]:
    """Which pages are placed anew by `extents`."""
    covered = np.zeros(memory_bytes // PAGE_BYTES, np.bool_)
    for extent in extents:
        covered[extent.page : extent.page + extent.count] = True
    return covered


def _xor_union(
    first: PageNumbers, first_xor: Pages, second: PageNumbers, second_xor: Pages
) -> tuple[PageNumbers, Pages]:
    """The pages of both, XORed where they meet; pages that cancel out are dropped."""
    pages = np.union1d(first, second).astype(np.uint32)
    xor: Pages = np.zeros((len(pages), _WORDS), np.uint64)
    xor[np.searchsorted(pages, first)] = first_xor
    xor[np.searchsorted(pages, second)] ^= second_xor
    changed = xor.any(axis=1)
    return pages[changed], xor[changed]


def _outside(extent: MappedExtent, covered: npt.NDArray[np.bool_]) -> list[MappedExtent]:
    """The parts of an extent that are not covered."""
    free = ~covered[extent.page : extent.page + extent.count]
    edges = np.flatnonzero(np.diff(np.concatenate(([False], free, [False])).astype(np.int8)))
    return [
        replace(
            extent,
            page=extent.page + int(start),
            count=int(end - start),
            offset=extent.offset + int(start) * PAGE_BYTES,
        )
        for start, end in zip(edges[::2], edges[1::2], strict=True)
    ]
