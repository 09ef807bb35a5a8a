"""What the store tests commit: small memories, their delta records, files, contexts.

Records are real ones (`snapshots.records`), so that merging and restoring can be checked by content.
"""

import hashlib
import resource
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from torpor.limits import PAGE_BYTES
from torpor.snapshots.model import Extent, NewRecord, StoredRecord
from torpor.snapshots.records import Delta, decode, encode
from torpor.stores.base import Commit, Conflict, ContextRow, Head, SandboxStore, SnapshotRow
from torpor.workspace.manifest import Changes, Entry

PAGES = 16
MEMORY_BYTES = PAGES * PAGE_BYTES
BLANK = bytes(MEMORY_BYTES)
BASE_IMAGE = b"the memory of an engine after its boot" * 100
BASE = hashlib.sha256(BASE_IMAGE).hexdigest()
ROOT = Entry("", "directory", 1, 0)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def page(fill: int) -> bytes:
    """A page that does not compress to nothing, different for every `fill`."""
    return hashlib.shake_128(fill.to_bytes(8, "big")).digest(PAGE_BYTES)


def record(
    record_id: str, parent: str | None, old: bytes, new: bytes, raw: Iterable[tuple[int, int]] = ()
) -> NewRecord:
    """The record from memory `old` to `new`; `raw` are the (page, count) runs to store as extents."""
    now = bytearray(old)
    extents = []
    for first, count in raw:
        start, end = first * PAGE_BYTES, (first + count) * PAGE_BYTES
        now[start:end] = new[start:end]
        extents.append(Extent(first, count, new[start:end]))
    xor = np.frombuffer(bytes(now), np.uint64) ^ np.frombuffer(new, np.uint64)
    words = np.flatnonzero(xor).astype(np.uint32)
    return NewRecord(record_id, parent, encode(Delta(MEMORY_BYTES, words, xor[words])), tuple(extents))


def restore(chain: Iterable[StoredRecord]) -> bytes:
    """The memory that a chain of records leads to."""
    memory = np.zeros(MEMORY_BYTES // 8, np.uint64)
    for stored in chain:
        for extent in stored.extents:
            with extent.file.open("rb") as stream:
                stream.seek(extent.offset)
                data = stream.read(extent.count * PAGE_BYTES)
            first = extent.page * PAGE_BYTES // 8
            memory[first : first + len(data) // 8] = np.frombuffer(data, np.uint64)
        delta = decode(stored.payload, stored.id)
        memory[delta.words] ^= delta.values
    return memory.tobytes()


def context(
    context_id: str = "c1", tip: str | None = None, executions: int = 0, **changes: object
) -> ContextRow:
    snapshot = SnapshotRow("build-1", BASE, tip, MEMORY_BYTES, 1_000) if tip else None
    row = ContextRow(
        context_id, "PYTHON", "python", "/workspace", {}, 1_000, 1_000 + executions, executions, snapshot
    )
    return replace(row, **changes)  # type: ignore[arg-type]


def file(path: str, data: bytes, inode: int = 10) -> Entry:
    return Entry(path, "file", inode, 1_000, len(data), digest(data))


def files_commit(files: Mapping[str, bytes], deleted: Iterable[str] = (), at: int = 2_000) -> Commit:
    """A commit that writes whole files into /workspace."""
    entries = [file(path, data, 10 + number) for number, (path, data) in enumerate(files.items())]
    return Commit(
        "files",
        at,
        files=Changes((ROOT, *entries), tuple(deleted), 100),
        contents={digest(data): data for data in files.values()},
    )


def creation(at: int = 1_000, **changes: object) -> Commit:
    return Commit("create", at, **changes)  # type: ignore[arg-type]


def committed(outcome: Head | Conflict) -> Head:
    assert isinstance(outcome, Head), outcome
    return outcome


class Session:
    """Drives one context: each step changes pages of its memory and commits the record."""

    def __init__(self, sandbox: SandboxStore, context_id: str = "c1") -> None:
        self.sandbox = sandbox
        self.context_id = context_id
        self.memory = BLANK
        self.tip: str | None = None
        self.executions = 0

    def step(self, changed: Mapping[int, int], raw: Iterable[tuple[int, int]] = (), **extra: object) -> Head:
        """Fill pages ({page: seed}) and commit; `raw` runs are stored as extents."""
        head = self.sandbox.head()
        generation = head.generation if head else 0
        new = bytearray(self.memory)
        for number, seed in changed.items():
            new[number * PAGE_BYTES : (number + 1) * PAGE_BYTES] = page(seed)
        self.executions += 1
        tip = f"{self.context_id}-{generation + 1}"
        commit = Commit(
            "execution",
            2_000 + generation,
            context_id=self.context_id,
            contexts=(context(self.context_id, tip, self.executions),),
            records=(record(tip, self.tip, self.memory, bytes(new), raw),),
            **extra,  # type: ignore[arg-type]
        )
        result = committed(self.sandbox.commit(generation, commit))
        self.memory, self.tip = bytes(new), tip
        return result


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes: writes fail as they do on a full disk, at a chosen place."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
