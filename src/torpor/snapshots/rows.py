"""Memory for pages that is used again: rows that contexts borrow, and scratch for work in batches.

Memory that a context gives back is used by the next one that wakes. Fresh memory would be a page
fault per row, which on a virtual machine costs more than everything else about the row.
"""

import mmap
import threading
from collections.abc import Iterator
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from torpor.limits import GIB, MAX_IDLE_ROWS, PAGE_BYTES
from torpor.wasm.memory import Pages, empty_pages

RowNumbers = npt.NDArray[np.int32]
PageIndices = npt.NDArray[np.int64]
Numbers = TypeVar("Numbers", RowNumbers, PageIndices)

#: Address space to be had; the next smaller amount is taken where the system does not give that much.
_RESERVATIONS = (64 * GIB, 16 * GIB, 4 * GIB, GIB)
#: Row 0 is never lent: a table of row numbers that is all zeros says "none".
_FIRST = 1
#: Pages worked on at once: few enough that a batch stays in the processor's cache.
_BATCH = 128


def _reserve(size: int) -> mmap.mmap:
    """Memory that costs nothing before it is touched."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    return mmap.mmap(-1, size, flags=flags)


class RowPool:
    """Thread-safe. `rows` is the array that all row numbers are of."""

    def __init__(self) -> None:
        self._memory = self._largest()
        self.rows: Pages = np.frombuffer(self._memory, np.uint64).reshape(-1, PAGE_BYTES // 8)
        self._lock = threading.Lock()
        self._next = _FIRST
        self._idle: list[RowNumbers] = []
        self._idle_count = 0

    @staticmethod
    def _largest() -> mmap.mmap:
        for size in _RESERVATIONS[:-1]:
            try:
                return _reserve(size)
            except (OSError, OverflowError, ValueError):
                continue
        return _reserve(_RESERVATIONS[-1])

    def lend(self, count: int) -> RowNumbers:
        """Rows with undefined contents. Raises MemoryError when there are no more."""
        with self._lock:
            found: list[RowNumbers] = []
            while count and self._idle:
                batch = self._idle.pop()
                found.append(batch[:count])
                if len(batch) > count:
                    self._idle.append(batch[count:])
                count -= len(found[-1])
            self._idle_count -= sum(map(len, found))
            if self._next + count > len(self.rows):
                self._idle.extend(found)
                self._idle_count += sum(map(len, found))
                raise MemoryError("too many pages of live contexts have changed")
            found.append(np.arange(self._next, self._next + count, dtype=np.int32))
            self._next += count
            return np.concatenate(found)

    def take_back(self, numbers: RowNumbers) -> None:
        """Rows that nobody reads any more. Beyond a few their memory goes back to the system."""
        with self._lock:
            self._idle.append(numbers)
            self._idle_count += len(numbers)
            if self._idle_count > MAX_IDLE_ROWS:
                self._give_back(numbers)

    def _give_back(self, numbers: RowNumbers) -> None:
        ordered = np.sort(numbers)
        breaks = np.flatnonzero(np.diff(ordered) != 1) + 1
        for run in np.split(ordered, breaks):
            if len(run):
                start, length = int(run[0]) * PAGE_BYTES, len(run) * PAGE_BYTES
                self._memory.madvise(mmap.MADV_DONTNEED, start, length)


class _Scratch(threading.local):
    """Two arrays for one batch of pages, one pair per thread."""

    def __init__(self) -> None:
        self._both = empty_pages(2 * _BATCH)

    def arrays(self, count: int) -> tuple[Pages, Pages]:
        """Of `count` pages each, contents undefined, valid until the thread asks again."""
        return self._both[:count], self._both[_BATCH : _BATCH + count]


def batches(pages: Numbers) -> Iterator[Numbers]:
    """Parts for which `scratch` has room."""
    return (pages[at : at + _BATCH] for at in range(0, len(pages), _BATCH))


scratch = _Scratch()
#: What contexts keep in it is theirs alone; the pool itself holds no state of any guest.
row_pool = RowPool()
