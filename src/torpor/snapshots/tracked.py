"""A live memory together with what was last committed of it: restore, take a delta, go on.

Everything here happens between calls of the guest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from torpor.limits import EXTENT_PAGES, PAGE_BYTES
from torpor.snapshots import records
from torpor.snapshots.model import Extent, MappedExtent, StoredRecord
from torpor.snapshots.rows import batches, scratch
from torpor.snapshots.shadow import Shadow
from torpor.wasm.dirty import DirtyTracker, PageIndices
from torpor.wasm.memory import AddressSpace, ImageFile, LinearMemory, Pages

_FIRST_WORDS = 8


@dataclass(frozen=True, slots=True)
class TakenDelta:
    """What changed since the last commit. `extents` point into the live memory: store them before
    the guest runs again."""

    delta: records.Delta
    extents: tuple[Extent, ...]

    @property
    def empty(self) -> bool:
        return not len(self.delta.words) and not self.extents

    @property
    def extent_pages(self) -> int:
        return sum(extent.count for extent in self.extents)


class TrackedMemory:
    """Owns the shadow and the tracker of one linear memory; the instance owns the memory itself.

    `restore` comes first and once.
    """

    def __init__(
        self,
        memory: LinearMemory,
        image: ImageFile,
        space: AddressSpace,
        tracker: DirtyTracker,
    ) -> None:
        """`image` is what contexts begin as."""
        self._memory = memory
        self._space = space
        self._tracker = tracker
        self._image = image
        #: Pages that may have been written since the last commit, as far as they are known.
        self._written: PageIndices = np.empty(0, np.int64)
        self._shadow = Shadow(image)

    def restore(self, chain: Sequence[StoredRecord]) -> None:
        """Make the memory what it was after the last record of `chain` (oldest first).

        Raises CorruptSnapshotError before the guest can see anything of a damaged chain: the
        instance must then be discarded.
        """
        deltas = [records.decode(record.payload, record.id) for record in chain]
        image = self._image
        size = deltas[-1].memory_bytes if deltas else image.size
        self._memory.grow_to(max(size, image.size))
        self._space.place(self._memory.address, image.size, image, 0)
        self._shadow.reach(self._memory.size)
        changed = _changed_by(deltas, self._memory.size)
        if not any(record.extents for record in chain):
            # At once for the whole chain: extents would take rows away again.
            self._shadow.give_rows(changed)
        for record, delta in zip(chain, deltas, strict=True):
            records.check_extents(record.extents, delta.memory_bytes, record.id)
            self._place(record.extents)
            self._shadow.place(record.extents)
            self._shadow.apply(delta)
        # Copied once, however many records changed a page.
        self._copy_to_memory(changed)
        self._tracker.arm(self._memory.address, self._memory.size)

    def _copy_to_memory(self, pages: PageIndices) -> None:
        memory = self._memory.pages()
        for batch in batches(pages):
            committed, _ = scratch.arrays(len(batch))
            self._shadow.read(batch, committed)
            memory[batch] = committed

    def _place(self, extents: Sequence[MappedExtent]) -> None:
        """Let the memory show stored extents."""
        for extent in extents:
            image = ImageFile(extent.file)
            try:
                address = self._memory.address + extent.page * PAGE_BYTES
                self._space.place(address, extent.count * PAGE_BYTES, image, extent.offset)
            finally:
                image.close()

    def take(self) -> TakenDelta:
        """What changed since the last `restore` or `committed`; the shadow stays as it is."""
        size = self._memory.size
        self._shadow.reach(size)
        self._written = np.union1d(self._written, self._tracker.dirty_pages(size))
        runs, single = _split_runs(self._written)
        if runs:
            runs, few = _split_runs(self._really_changed(_pages_of(runs)))
            single = np.union1d(single, few)
        view = self._memory.view
        extents = tuple(
            Extent(page, count, view[page * PAGE_BYTES : (page + count) * PAGE_BYTES]) for page, count in runs
        )
        return TakenDelta(self._word_delta(size, single), extents)

    def _really_changed(self, pages: PageIndices) -> PageIndices:
        """Of the pages of long runs those that changed. What a guest has just written counts without a
        look: reading what was there before may take a disk read. Not so where nothing was: a guest that
        has tidied up leaves zeros there."""
        if not self._tracker.exact:
            return self._changed(pages)
        blank = self._shadow.blank(pages)
        return np.union1d(pages[~blank], self._changed(pages[blank]))

    def _changed(self, candidates: PageIndices) -> PageIndices:
        """The candidates whose content differs from the shadow's."""
        kept = [batch[_any_word(xor)] for batch, xor in self._xored(candidates)]
        return np.concatenate(kept) if kept else candidates

    def _word_delta(self, size: int, pages: PageIndices) -> records.Delta:
        """The words of `pages` that differ."""
        words, values = [np.empty(0, np.uint32)], [np.empty(0, np.uint64)]
        for batch, xor in self._xored(pages):
            # Most pages that were written are as they were: only the others are looked at by words.
            rows = np.flatnonzero(np.any(xor, axis=1))
            flat = xor[rows].reshape(-1)
            changed = np.flatnonzero(flat)
            first_words = batch[rows] << records.PAGE_SHIFT
            positions = first_words[changed >> records.PAGE_SHIFT] + (changed & (records.WORDS_PER_PAGE - 1))
            words.append(positions.astype(np.uint32))
            values.append(flat[changed])
        return records.Delta(size, np.concatenate(words), np.concatenate(values))

    def _xored(self, pages: PageIndices) -> Iterator[tuple[PageIndices, Pages]]:
        """Batches of pages with memory XOR shadow, which is valid until the next batch."""
        memory = self._memory.pages()
        for batch in batches(pages):
            current, committed = scratch.arrays(len(batch))
            if _is_run(batch) and self._shadow.blank(batch).all():
                # The common case of new data: nothing to copy, nothing to compare it with.
                yield batch, memory[batch[0] : batch[-1] + 1]
                continue
            np.take(memory, batch, axis=0, out=current, mode="clip")
            self._shadow.read(batch, committed)
            yield batch, np.bitwise_xor(current, committed, out=current)

    def committed(self, taken: TakenDelta, stored: Sequence[MappedExtent]) -> None:
        """`taken` is durable and its extents lie where `stored` says: the next delta starts here."""
        self._shadow.place(stored)
        self._shadow.apply(taken.delta)
        self._written = np.empty(0, np.int64)
        if stored:
            self._tracker.much_written(taken.delta.memory_bytes)
        if self._tracker.cumulative:
            # Mapped from the file they are clean pages again, which such a tracker cannot tell otherwise.
            self._place(stored)

    def close(self) -> None:
        """Before the instance that owns the memory is closed. Idempotent."""
        self._tracker.close()
        self._shadow.close()


def _changed_by(deltas: Sequence[records.Delta], memory_bytes: int) -> PageIndices:
    """The sorted pages that any of the deltas changes."""
    changed = np.zeros(memory_bytes // PAGE_BYTES, np.bool_)
    for delta in deltas:
        changed[delta.words >> records.PAGE_SHIFT] = True
    return np.flatnonzero(changed)


def _any_word(xor: Pages) -> npt.NDArray[np.bool_]:
    """Which pages have a word that is not zero. New data shows that in its first words."""
    found: npt.NDArray[np.bool_] = np.any(xor[:, :_FIRST_WORDS], axis=1)
    if not found.all():
        found = np.any(xor, axis=1)
    return found


def _is_run(pages: PageIndices) -> bool:
    return bool(pages[-1] - pages[0] == len(pages) - 1)


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


def _pages_of(runs: Sequence[tuple[int, int]]) -> PageIndices:
    """The pages of runs, sorted."""
    return np.concatenate([np.arange(page, page + count) for page, count in runs])


def _pairs(pages: PageIndices, starts: PageIndices, ends: PageIndices) -> Iterator[tuple[int, int]]:
    for start, end in zip(starts, ends, strict=True):
        yield int(pages[start]), int(end - start)
