"""Delta records: what changed in a memory between two generations, encoded, checked and merged.

A record first places its extents (runs of whole pages, absolute), then XORs single words with what is
there. XOR against the previous content is what makes small steps small, and XORs compose, so a chain
can be merged without a memory at hand. Words and not pages, because most of a changed page is as it
was: decompressing whole pages of zeros took ten times as long when a chain was restored.

Payload: magic, memory size, number of words, checksum, then zstd of the distances between the words'
positions (u32) and of the XORed words (u64). Readers decide every damage: whatever is not exactly as
written raises CorruptSnapshotError; nothing is repaired or guessed.
"""

import hashlib
import struct
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt
import zstandard

from torpor.errors import CorruptSnapshotError
from torpor.limits import GIB, PAGE_BYTES, WASM_PAGE_BYTES
from torpor.snapshots.model import Extent, MappedExtent, NewRecord, StoredRecord

_MAGIC = b"TORPOR\x00\x02"
_HEADER = struct.Struct("<8sQI16s")
_WORD_BYTES = 8
_ENTRY_BYTES = 4 + _WORD_BYTES
WORDS_PER_PAGE = PAGE_BYTES // _WORD_BYTES
#: From a word's position to its page's, by shifting: chains have to be short work.
PAGE_SHIFT = WORDS_PER_PAGE.bit_length() - 1
#: Level 1: higher levels save a few percent of bytes and cost several times the time.
_LEVEL = 1

Words = npt.NDArray[np.uint32]
"""Sorted positions of 8-byte words in a memory."""
Values = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Delta:
    """A decoded record: `values[i]` is XORed with the word at position `words[i]`; none is zero."""

    memory_bytes: int
    words: Words
    values: Values

    def pages(self) -> npt.NDArray[np.int64]:
        """The sorted indices of the 4 KiB pages that it changes."""
        pages = self.words >> PAGE_SHIFT
        first = np.empty(len(pages), np.bool_)
        first[:1] = True
        np.not_equal(pages[1:], pages[:-1], out=first[1:])
        return pages[first].astype(np.int64)


class _Zstd(threading.local):
    """Compressors are not thread-safe, and making one costs more than most records."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=_LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


@cache
def _zstd() -> _Zstd:
    return _Zstd()


def encode(delta: Delta) -> bytes:
    """The payload of a record."""
    count = len(delta.words)
    distances = delta.words.astype("<u4")
    distances[1:] -= delta.words[:-1]
    body = _zstd().compressor.compress(distances.tobytes() + delta.values.astype("<u8").tobytes())
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
    if memory_bytes % WASM_PAGE_BYTES or memory_bytes > 4 * GIB or count > memory_bytes // _WORD_BYTES:
        raise _corrupt(record_id, "its sizes are impossible")
    raw = _decompress(body, count * _ENTRY_BYTES, record_id)
    distances = np.frombuffer(raw, "<u4", count)
    positions = np.cumsum(distances, dtype=np.int64)
    if count and (not distances[1:].all() or int(positions[-1]) >= memory_bytes // _WORD_BYTES):
        raise _corrupt(record_id, "its positions are impossible")
    return Delta(memory_bytes, positions.astype(np.uint32), np.frombuffer(raw, "<u8", count, count * 4))


def _decompress(body: bytes, size: int, record_id: str) -> bytes:
    try:
        raw = _zstd().decompressor.decompress(body, max_output_size=max(size, 1))
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


def merge(chain: Sequence[StoredRecord]) -> NewRecord:
    """One record with the effect of all of them, oldest first: the last one's id, the first one's parent."""
    deltas = [decode(record.payload, record.id) for record in chain]
    covered = np.zeros(max(delta.memory_bytes for delta in deltas) // PAGE_BYTES, np.bool_)
    words: list[Words] = []
    values: list[Values] = []
    extents: list[Extent | MappedExtent] = []
    # Newest first: an extent takes away whatever older records did to its pages.
    for record, delta in zip(reversed(chain), reversed(deltas), strict=True):
        kept = ~covered[delta.words >> PAGE_SHIFT]
        words.append(delta.words[kept])
        values.append(delta.values[kept])
        extents[:0] = [piece for extent in record.extents for piece in _outside(extent, covered)]
        for extent in record.extents:
            covered[extent.page : extent.page + extent.count] = True
    merged = Delta(deltas[-1].memory_bytes, *_xor_all(np.concatenate(words), np.concatenate(values)))
    return NewRecord(chain[-1].id, chain[0].parent, encode(merged), tuple(extents))


def _xor_all(words: Words, values: Values) -> tuple[Words, Values]:
    """Each word once, its values XORed; words that cancel out are dropped."""
    if not len(words):
        return words, values
    order = np.argsort(words, kind="stable")
    words, values = words[order], values[order]
    first = np.flatnonzero(np.concatenate(([True], words[1:] != words[:-1])))
    combined = np.bitwise_xor.reduceat(values, first)
    changed = combined != 0
    return words[first][changed], combined[changed]


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
