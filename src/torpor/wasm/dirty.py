"""Which pages a guest may have written since the last time: a ladder of kernel mechanisms.

    write-protect   userfaultfd + PAGEMAP_SCAN: exactly the pages written since the last look (once
                    there are many; like scan before)
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
from typing import Protocol

import numpy as np
import numpy.typing as npt

from torpor.errors import ValidationFailedError
from torpor.limits import PAGE_BYTES, PROTECT_FROM_PAGES
from torpor.wasm.memory import pages_at

PageIndices = npt.NDArray[np.int64]
"""Sorted indices of 4 KiB pages."""


class DirtyTracker(Protocol):
    """Watches one memory. `arm` it when image and records are in place.

    `cumulative`: a page once written is reported ever after, unless it is mapped anew. `exact`: the
    last look reported only pages that were written since the one before.
    """

    cumulative: bool
    exact: bool

    def arm(self, address: int, length: int) -> None:
        """Start watching; what was written before does not count (it may be reported all the same)."""

    def dirty_pages(self, length: int) -> PageIndices:
        """Pages of the first `length` bytes that may have been written since the last call."""

    def much_written(self, length: int) -> None:
        """Long runs were written and are stored: reporting them again each time would cost much."""

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


class ScanTracker:
    """PAGEMAP_SCAN for private pages."""

    cumulative = True
    exact = False

    def __init__(self) -> None:
        from torpor.wasm import linux

        self._linux = linux
        self._pagemap = linux.open_pagemap()
        self._address = 0

    def arm(self, address: int, length: int) -> None:
        self._address = address

    def dirty_pages(self, length: int) -> PageIndices:
        return _indices(self._linux.scan_private(self._pagemap, self._address, length))

    def much_written(self, length: int) -> None:
        """Nothing to be done about it."""

    def close(self) -> None:
        if self._pagemap >= 0:
            os.close(self._pagemap)
            self._pagemap = -1


class WriteProtectTracker(ScanTracker):
    """userfaultfd in asynchronous write-protect mode, once enough pages were written.

    A protected page costs the guest a fault at its first write in each step (about 1 to 3 us), and a
    range under userfaultfd is faulted in page by page. A young context is therefore watched as by
    ScanTracker, whose only cost is that pages once written are compared ever after.
    """

    cumulative = False

    def __init__(self, protect_from: int = PROTECT_FROM_PAGES) -> None:
        super().__init__()
        self._protect_from = protect_from
        self._userfaultfd = self._linux.open_userfaultfd()
        #: Bytes from `_address` that are protected; 0 as long as none are.
        self._protected = 0

    def arm(self, address: int, length: int) -> None:
        super().arm(address, length)
        self._protected = 0
        if not self._protect_from:
            self._protect(length)

    def dirty_pages(self, length: int) -> PageIndices:
        self.exact = self._protected > 0
        if not self._protected:
            private = super().dirty_pages(length)
            if len(private) >= self._protect_from:
                self._protect(length)
            return private
        written = self._linux.scan_written(self._pagemap, self._address, self._protected)
        found = _indices(written)
        if length > self._protected:
            found = np.concatenate((found, self._grown(length)))
        return found

    def much_written(self, length: int) -> None:
        if not self._protected:
            self._protect(length)

    def _grown(self, length: int) -> PageIndices:
        """The memory grew: everything present in the new part counts, then it is protected too."""
        start, extra = self._address + self._protected, length - self._protected
        present = _indices(self._linux.scan_private(self._pagemap, start, extra))
        present += self._protected // PAGE_BYTES
        self._register(start, extra)
        self._protected = length
        return present

    def _protect(self, length: int) -> None:
        self._register(self._address, length)
        self._protected = length

    def _register(self, address: int, length: int) -> None:
        self._linux.register_write_protect(self._userfaultfd, address, length)
        self._linux.protect_all(self._pagemap, address, length)

    def close(self) -> None:
        super().close()
        if self._userfaultfd >= 0:
            os.close(self._userfaultfd)
            self._userfaultfd = -1


class PagemapTracker(ScanTracker):
    """The same from /proc/self/pagemap, for kernels before 6.7."""

    def dirty_pages(self, length: int) -> PageIndices:
        pages: PageIndices = self._linux.read_private(self._pagemap, self._address, length)
        return pages


class CompareTracker:
    """No help from the kernel: every page is a candidate."""

    cumulative = False
    exact = False

    def arm(self, address: int, length: int) -> None:
        """Nothing to arm."""

    def dirty_pages(self, length: int) -> PageIndices:
        return np.arange(length // PAGE_BYTES)

    def much_written(self, length: int) -> None:
        """Nothing to be done about it."""

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
    from torpor.wasm import linux

    length = _TRIAL_PAGES * PAGE_BYTES
    address = linux.map_anonymous(length)
    try:
        with tempfile.TemporaryFile(prefix="torpor-") as file:
            file.write(b"\1" * length)
            file.flush()
            linux.map_file(address, length, file.fileno(), 0)
        tracker.arm(address, length)
        pages_at(address, length)[5, 0] = 7
        found = tracker.dirty_pages(length).tolist()
        return None if 5 in found else "a write went unnoticed"
    except OSError as error:
        return str(error)
    finally:
        tracker.close()
        linux.unmap(address, length)


@cache
def why_not(name: str) -> str | None:
    """Why the named tracker does not work on this machine; None when it does."""
    if name == "compare":
        return None
    if sys.platform != "linux":
        return "only on Linux"
    # With protection from the first page on, so that the trial is of the mechanism itself.
    return _trial(lambda: WriteProtectTracker(0) if name == "write-protect" else _LADDER[name]())


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
