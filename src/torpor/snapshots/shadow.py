"""A context's last committed memory: what the next delta is taken against.

The base image and the extents are mapped and never written; pages that records changed lie in an
array of rows. A written page of a private mapping would cost a fault and a copy each time a context
wakes (several microseconds on a virtual machine), a row in memory that the process has already used
costs neither.
"""

import numpy as np
import numpy.typing as npt

from torpor.limits import PAGE_BYTES
from torpor.snapshots.records import WORDS_PER_PAGE, Delta
from torpor.wasm.memory import AddressSpace, ImageFile, Pages, pages_at

_FIRST_ROWS = 512
#: Row 0 is never used: a page whose row is 0 has none, so that a fresh table is all zeros.
_NO_ROW = 0

PageIndices = npt.NDArray[np.int64]


class Shadow:
    """Owns an address range of `capacity` bytes and the rows."""

    def __init__(self, space: AddressSpace, capacity: int) -> None:
        self._space = space
        self._capacity = capacity
        self._address = space.reserve(capacity)
        self._base = pages_at(self._address, capacity)
        # Zeroed memory is not touched before it is used: a table for all of it costs nothing.
        self._row_of: npt.NDArray[np.int32] = np.zeros(capacity // PAGE_BYTES, np.int32)
        self._rows: Pages = np.empty((_FIRST_ROWS, WORDS_PER_PAGE), np.uint64)
        self._used = 1

    def place(self, start: int, length: int, image: ImageFile, offset: int) -> None:
        """[start, start + length) is now what the file has from `offset`."""
        self._space.place(self._address + start, length, image, offset)
        # Rows given up here stay allocated: extents are long and rare.
        self._row_of[start // PAGE_BYTES : (start + length) // PAGE_BYTES] = _NO_ROW

    def read(self, pages: PageIndices, out: Pages) -> None:
        """Copy pages to `out`, of the shape (len(pages), 512)."""
        # "clip" lets numpy write to `out` without a buffer in between; every index is in range.
        np.take(self._base, pages, axis=0, out=out, mode="clip")
        rows = self._row_of[pages]
        changed = np.flatnonzero(rows)
        out[changed] = self._rows[rows[changed]]

    def apply(self, delta: Delta) -> None:
        """From a delta's before to its after."""
        pages = delta.pages()
        self._give_rows(pages[self._row_of[pages] == _NO_ROW])
        positions = delta.words.astype(np.int64)
        rows = self._row_of[positions // WORDS_PER_PAGE].astype(np.int64)
        self._rows.reshape(-1)[rows * WORDS_PER_PAGE + positions % WORDS_PER_PAGE] ^= delta.values

    def _give_rows(self, pages: PageIndices) -> None:
        """Rows for pages that have none, with their mapped content."""
        first, self._used = self._used, self._used + len(pages)
        if self._used > len(self._rows):
            grown: Pages = np.empty((max(self._used, 2 * len(self._rows)), WORDS_PER_PAGE), np.uint64)
            grown[:first] = self._rows[:first]
            self._rows = grown
        np.take(self._base, pages, axis=0, out=self._rows[first : self._used], mode="clip")
        self._row_of[pages] = np.arange(first, self._used, dtype=np.int32)

    def close(self) -> None:
        """Idempotent."""
        if self._address:
            address, self._address = self._address, 0
            self._base = self._rows
            self._space.release(address, self._capacity)
