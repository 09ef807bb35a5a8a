"""A live memory together with what was last committed of it: restore, take a delta, go on.

Everything here happens between calls of the guest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from torpor.limits import EXTENT_PAGES, PAGE_BYTES
from torpor.snapshots import records
from torpor.snapshots.model import Extent, MappedExtent, StoredRecord
from torpor.wasm.dirty import DirtyTracker, PageIndices
from torpor.wasm.memory import AddressSpace, ImageFile, LinearMemory, Pages, Shadow

#: Pages compared at once: 4 MB of memory and 4 MB of shadow stay in the cache.
_BATCH = 512


@dataclass(frozen=True, slots=True)
class TakenDelta:
    """What changed since the last commit. `extents` point into the live memory: store them before
    the guest runs again."""

    delta: records.Delta
    extents: tuple[Extent, ...]

    @property
    def empty(self) -> bool:
        return not len(self.delta.words) and not self.extents


class TrackedMemory:
    """Owns the shadow and the tracker of one linear memory; the instance owns the memory itself."""

    def __init__(
        self, memory: LinearMemory, capacity: int, space: AddressSpace, tracker: DirtyTracker
    ) -> None:
        """`capacity`: the most bytes the memory may ever have."""
        self._memory = memory
        self._space = space
        self._tracker = tracker
        self._shadow = Shadow(space, max(capacity, memory.size))

    def restore(self, image: ImageFile, chain: Sequence[StoredRecord]) -> None:
        """Make the memory what it was after the last record of `chain` (oldest first).

        Raises CorruptSnapshotError before the guest can see anything of a damaged chain: the
        instance must then be discarded.
        """
        deltas = [records.decode(record.payload, record.id) for record in chain]
        size = deltas[-1].memory_bytes if deltas else image.size
        self._memory.grow_to(max(size, image.size))
        self._place(0, image.size, image, 0)
        changed: list[PageIndices] = []
        for record, delta in zip(chain, deltas, strict=True):
            records.check_extents(record.extents, delta.memory_bytes, record.id)
            self.place_extents(record.extents)
            self._apply(delta)
            changed.append(delta.pages())
        if changed:
            # Copied once, however many records changed a page.
            pages = np.unique(np.concatenate(changed))
            self._memory.pages()[pages] = self._shadow.pages(self._memory.size)[pages]
        self._tracker.arm(self._memory.address, self._memory.size)

    def place_extents(self, extents: Sequence[MappedExtent]) -> None:
        """Let memory and shadow show stored extents: clean pages again, that cost no memory of ours."""
        for extent in extents:
            image = ImageFile(extent.file)
            try:
                start, length = extent.page * PAGE_BYTES, extent.count * PAGE_BYTES
                self._place(start, length, image, extent.offset)
            finally:
                image.close()

    def _place(self, start: int, length: int, image: ImageFile, offset: int) -> None:
        self._space.place(self._memory.address + start, length, image, offset)
        self._space.place(self._shadow.address + start, length, image, offset)

    def take(self) -> TakenDelta:
        """What changed since the last `restore` or `committed`; the shadow stays as it is."""
        size = self._memory.size
        memory, shadow = self._memory.pages(), self._shadow.pages(size)
        changed = _changed(memory, shadow, self._tracker.dirty_pages(size))
        runs, rest = _split_runs(changed)
        view = self._memory.view
        extents = tuple(
            Extent(page, count, view[page * PAGE_BYTES : (page + count) * PAGE_BYTES]) for page, count in runs
        )
        return TakenDelta(_word_delta(size, memory, shadow, rest), extents)

    def committed(self, taken: TakenDelta, stored: Sequence[MappedExtent]) -> None:
        """`taken` is durable and its extents lie where `stored` says: the next delta starts here."""
        self._apply(taken.delta)
        self.place_extents(stored)
        for extent in stored:
            self._tracker.placed(self._memory.address + extent.page * PAGE_BYTES, extent.count * PAGE_BYTES)

    def _apply(self, delta: records.Delta) -> None:
        """Bring the shadow from the delta's before to its after."""
        words = self._shadow.pages(delta.memory_bytes).reshape(-1)
        words[delta.words] ^= delta.values

    def close(self) -> None:
        """Before the instance that owns the memory is closed. Idempotent."""
        self._tracker.close()
        self._shadow.close()


def _changed(memory: Pages, shadow: Pages, candidates: PageIndices) -> PageIndices:
    """The candidates whose content differs."""
    kept = [
        batch[(memory[batch] != shadow[batch]).any(axis=1)]
        for batch in (candidates[at : at + _BATCH] for at in range(0, len(candidates), _BATCH))
    ]
    return np.concatenate(kept) if kept else candidates


def _word_delta(size: int, memory: Pages, shadow: Pages, pages: PageIndices) -> records.Delta:
    """The words of `pages` that differ."""
    xor = (memory[pages] ^ shadow[pages]).reshape(-1)
    changed = np.flatnonzero(xor)
    inside = changed % records.WORDS_PER_PAGE
    words = pages[changed // records.WORDS_PER_PAGE] * records.WORDS_PER_PAGE + inside
    return records.Delta(size, words.astype(np.uint32), xor[changed])


def _split_runs(pages: PageIndices) -> tuple[list[tuple[int, int]], PageIndices]:
    """(first page, count) of the long runs, and the pages outside them."""
    if not len(pages):
        return [], pages
    breaks = np.flatnonzero(np.diff(pages) != 1) + 1
    starts = np.concatenate(([0], breaks))
    ends = np.concatenate((breaks, [len(pages)]))
    long = (ends - starts) >= EXTENT_PAGES
    inside = np.zeros(len(pages), np.bool_)
    for start, end in zip(starts[long], ends[long], strict=True):
        inside[start:end] = True
    return list(_pairs(pages, starts[long], ends[long])), pages[~inside]


def _pairs(pages: PageIndices, starts: PageIndices, ends: PageIndices) -> Iterator[tuple[int, int]]:
    for start, end in zip(starts, ends, strict=True):
        yield int(pages[start]), int(end - start)
