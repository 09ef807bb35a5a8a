"""A context's last committed memory: what the next delta is taken against.

Nothing of it is written where it is mapped. The base image is one read-only mapping for all contexts
of the process, extents have theirs, and pages that records changed lie in an array of rows. A mapping
of its own for each context would have to be faulted in and, where records changed it, copied page by
page each time the context wakes; a fault costs several microseconds on a virtual machine.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from torpor.limits import PAGE_BYTES
from torpor.snapshots.model import MappedExtent
from torpor.snapshots.records import PAGE_SHIFT, WORDS_PER_PAGE, Delta
from torpor.snapshots.rows import PageIndices, RowNumbers, batches, row_pool, scratch
from torpor.wasm.memory import ImageFile, Pages

_FIRST_EXTENTS = 32
#: In the tables 0 means "none", so that a fresh one is all zeros, which costs nothing until touched.
_NONE = 0


class Shadow:
    """Beyond the image all is zero, as far as `reach` goes."""

    def __init__(self, image: ImageFile) -> None:
        self._image = image.pages
        self._extents: list[tuple[int, Pages]] = [(0, self._image)]
        #: Page -> its place in `_extents`, whose first is the image.
        self._extent_of: npt.NDArray[np.int32] = np.zeros(len(self._image), np.int32)
        #: Page -> its row; a row goes before everything else.
        self._row_of: npt.NDArray[np.int32] = np.zeros(len(self._image), np.int32)
        self._lent: list[RowNumbers] = []
        self._most_extents = _FIRST_EXTENTS

    def reach(self, memory_bytes: int) -> None:
        """The memory has grown to this size. The tables are no larger than it: zeroing more takes longer
        than all else in here."""
        missing = memory_bytes // PAGE_BYTES - len(self._row_of)
        if missing > 0:
            more = np.zeros(missing, np.int32)
            self._extent_of = np.concatenate((self._extent_of, more))
            self._row_of = np.concatenate((self._row_of, more))

    def place(self, extents: Sequence[MappedExtent]) -> None:
        """These pages are now what the files have."""
        for extent in extents:
            image = ImageFile(extent.file)
            try:
                pages = image.pages_from(extent.offset, extent.count * PAGE_BYTES)
            finally:
                image.close()
            within = slice(extent.page, extent.page + extent.count)
            self._extent_of[within] = len(self._extents)
            # Rows given up here stay lent until the end: extents are long and rare.
            self._row_of[within] = _NONE
            self._extents.append((extent.page, pages))
        if len(self._extents) > self._most_extents:
            self._forget_hidden()

    def _forget_hidden(self) -> None:
        """Let go of extents that later ones hide, or a context that lives long would map ever more."""
        seen = np.unique(self._extent_of)
        renumbered = np.zeros(len(self._extents), np.int32)
        kept = [_NONE, *(int(source) for source in seen if source != _NONE)]
        renumbered[kept] = np.arange(len(kept), dtype=np.int32)
        self._extent_of = renumbered[self._extent_of]
        self._extents = [self._extents[source] for source in kept]
        self._most_extents = 2 * len(self._extents) + _FIRST_EXTENTS

    def blank(self, pages: PageIndices) -> npt.NDArray[np.bool_]:
        """Which of them are beyond the image and were never changed: zeros, not worth reading."""
        given = (self._row_of[pages] != _NONE) | (self._extent_of[pages] != _NONE)
        blank: npt.NDArray[np.bool_] = (pages >= len(self._image)) & ~given
        return blank

    def read(self, pages: PageIndices, out: Pages) -> None:
        """Copy pages to `out`, of the shape (len(pages), 512)."""
        self._read_mapped(pages, out)
        rows = self._row_of[pages]
        changed = np.flatnonzero(rows)
        if len(changed):
            out[changed] = row_pool.rows[rows[changed]]

    def _read_mapped(self, pages: PageIndices, out: Pages) -> None:
        """What lies beneath the rows."""
        # "clip" lets numpy write to `out` without a buffer in between; what it clips is put right below.
        np.take(self._image, pages, axis=0, out=out, mode="clip")
        beyond = pages >= len(self._image)
        if beyond.any():
            out[beyond] = 0
        sources = self._extent_of[pages]
        if sources.any():
            for source in np.unique(sources[sources != _NONE]):
                first, content = self._extents[source]
                there = np.flatnonzero(sources == source)
                out[there] = content[pages[there] - first]

    def apply(self, delta: Delta) -> None:
        """From a delta's before to its after."""
        pages = delta.words >> PAGE_SHIFT
        rows = self._row_of[pages]
        if not rows.all():
            self.give_rows(np.unique(pages[rows == _NONE]).astype(np.int64))
            rows = self._row_of[pages]
        within = delta.words & np.uint32(WORDS_PER_PAGE - 1)
        row_pool.rows.reshape(-1)[(rows.astype(np.int64) << PAGE_SHIFT) + within] ^= delta.values

    def give_rows(self, pages: PageIndices) -> None:
        """Rows for pages that have none, with the content beneath; `apply` does it where it must."""
        rows = row_pool.lend(len(pages))
        self._lent.append(rows)
        for batch, numbers in zip(batches(pages), batches(rows), strict=True):
            content, _ = scratch.arrays(len(batch))
            self._read_mapped(batch, content)
            row_pool.rows[numbers] = content
        self._row_of[pages] = rows

    def close(self) -> None:
        """Give the rows back. Idempotent; the shadow cannot be read any more."""
        lent, self._lent = self._lent, []
        for rows in lent:
            row_pool.take_back(rows)
