"""Which pages a guest may have written since the last time: a ladder of kernel mechanisms.

    write-protect   userfaultfd + PAGEMAP_SCAN: exactly the pages written since the last look
    scan            PAGEMAP_SCAN: pages that no longer come from a mapped file (Linux >= 6.7)
    pagemap         the same by reading /proc/self/pagemap
    compare         every page; the caller compares them all (any system, about 10 ms per 66 MB)

Every tracker may report pages that did not change, none may miss one that did. `best_tracker`
takes the first that passes a trial on scratch memory, because the calls can be there and still be
forbidden (containers often forbid userfaultfd).
"""

import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from torpor.errors import ValidationFailedError
from torpor.limits import PAGE_BYTES
from torpor.wasm.memory import ImageFile, MappedSpace, pages_at

PageIndices = npt.NDArray[np.int64]
"""Sorted indices of 4 KiB pages."""


class DirtyTracker(Protocol):
    """Watches one memory. `arm` it when image and records are in place."""

    def arm(self, address: int, length: int) -> None:
        """Start watching; what was written before does not count (it may be reported all the same)."""

    def placed(self, address: int, length: int) -> None:
        """A part of the watched memory was mapped anew."""

    def dirty_pages(self, length: int) -> PageIndices:
        """Pages of the first `length` bytes that may have been written since the last call."""

    def close(self) -> None: ...


def _indices(ranges: npt.NDArray[np.int64]) -> PageIndices:
    """Byte ranges -> page indices."""
    if not len(ranges):
        return np.empty(0, np.int64)
    starts = ranges[:, 0] // PAGE_BYTES
    counts = (ranges[:, 1] - ranges[:, 0]) // PAGE_BYTES
    skipped = np.concatenate(([0], np.cumsum(counts)[:-1]))
    pages: PageIndices = np.repeat(starts - skipped, counts) + np.arange(counts.sum())
    return pages


class WriteProtectTracker:
    """userfaultfd in asynchronous write-protect mode; a first write costs the guest about 2.7 us."""

    def __init__(self) -> None:
        from torpor.wasm import linux

        self._linux = linux
        self._userfaultfd = linux.open_userfaultfd()
        self._pagemap = linux.open_pagemap()
        self._address = 0
        self._length = 0

    def arm(self, address: int, length: int) -> None:
        self._address, self._length = address, length
        self.placed(address, length)

    def placed(self, address: int, length: int) -> None:
        self._linux.register_write_protect(self._userfaultfd, address, length)
        self._linux.protect_all(self._pagemap, address, length)

    def dirty_pages(self, length: int) -> PageIndices:
        found = _indices(self._linux.scan_written(self._pagemap, self._address, self._length))
        if length > self._length:
            found = np.concatenate((found, self._grown(length)))
        return found

    def _grown(self, length: int) -> PageIndices:
        """The memory grew: everything present in the new part counts, then it is watched too."""
        start, extra = self._address + self._length, length - self._length
        present = _indices(self._linux.scan_private(self._pagemap, start, extra))
        present += self._length // PAGE_BYTES
        self.placed(start, extra)
        self._length = length
        return present

    def close(self) -> None:
        for descriptor in (self._userfaultfd, self._pagemap):
            if descriptor >= 0:
                os.close(descriptor)
        self._userfaultfd = self._pagemap = -1


class ScanTracker:
    """PAGEMAP_SCAN for private pages. Cumulative: a page once written is reported ever after."""

    def __init__(self) -> None:
        from torpor.wasm import linux

        self._linux = linux
        self._pagemap = linux.open_pagemap()
        self._address = 0

    def arm(self, address: int, length: int) -> None:
        self._address = address

    def placed(self, address: int, length: int) -> None:
        """Mapped pages count as unwritten by themselves."""

    def dirty_pages(self, length: int) -> PageIndices:
        return _indices(self._linux.scan_private(self._pagemap, self._address, length))

    def close(self) -> None:
        if self._pagemap >= 0:
            os.close(self._pagemap)
            self._pagemap = -1


class PagemapTracker(ScanTracker):
    """The same from /proc/self/pagemap, for kernels before 6.7."""

    def dirty_pages(self, length: int) -> PageIndices:
        pages: PageIndices = self._linux.read_private(self._pagemap, self._address, length)
        return pages


class CompareTracker:
    """No help from the kernel: every page is a candidate."""

    def arm(self, address: int, length: int) -> None:
        """Nothing to arm."""

    def placed(self, address: int, length: int) -> None:
        """Nothing to arm."""

    def dirty_pages(self, length: int) -> PageIndices:
        return np.arange(length // PAGE_BYTES)

    def close(self) -> None:
        """Nothing to release."""


_LADDER: dict[str, Callable[[], DirtyTracker]] = {
    "write-protect": WriteProtectTracker,
    "scan": ScanTracker,
    "pagemap": PagemapTracker,
    "compare": CompareTracker,
}
TRACKERS = tuple(_LADDER)
_TRIAL_PAGES = 8


def _trial(make: Callable[[], DirtyTracker]) -> str | None:
    """Why a tracker cannot be trusted here; None when it noticed a write to a mapped file."""
    try:
        tracker = make()
    except (OSError, ImportError) as error:
        return str(error)
    space = MappedSpace()
    length = _TRIAL_PAGES * PAGE_BYTES
    address = space.reserve(length)
    try:
        with tempfile.TemporaryDirectory(prefix="torpor-") as folder:
            path = Path(folder, "trial")
            path.write_bytes(b"\1" * length)
            image = ImageFile(path)
            space.place(address, length, image, 0)
            image.close()
            tracker.arm(address, length)
            pages_at(address, length)[5, 0] = 7
            found = tracker.dirty_pages(length).tolist()
        return None if 5 in found else "a write went unnoticed"
    except OSError as error:
        return str(error)
    finally:
        tracker.close()
        space.release(address, length)


@cache
def why_not(name: str) -> str | None:
    """Why the named tracker does not work on this machine; None when it does."""
    if name == "compare":
        return None
    if sys.platform != "linux":
        return "only on Linux"
    return _trial(_LADDER[name])


@cache
def best_tracker() -> str:
    """The first tracker of the ladder that works here."""
    return next(name for name in TRACKERS if why_not(name) is None)


def make_tracker(name: str | None = None) -> DirtyTracker:
    """The best tracker, or the named one. Raises ValidationFailedError for a name that cannot be used."""
    name = name or best_tracker()
    if name not in _LADDER:
        raise ValidationFailedError(f"unknown way to find changed pages {name!r}: use {', '.join(TRACKERS)}")
    reason = why_not(name)
    if reason is not None:
        raise ValidationFailedError(f"the way {name!r} to find changed pages does not work here: {reason}")
    return _LADDER[name]()
