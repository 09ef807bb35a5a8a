"""Linux's memory calls by number: mmap at an address, userfaultfd, PAGEMAP_SCAN, pagemap.

The kernel's ABI and nothing else; imported only on Linux and only when used. Sources: mmap(2),
userfaultfd(2), ioctl_userfaultfd(2), Documentation/admin-guide/mm/pagemap.rst.
"""

import ctypes
import os
import platform
import struct
import threading

import numpy as np
import numpy.typing as npt

from torpor.limits import PAGE_BYTES

Ranges = npt.NDArray[np.int64]
"""Shape (n, 2): byte offsets [start, end)."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [
    ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long,
]  # fmt: skip
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_libc.ioctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p]

_PROT_READ_WRITE = 3
_MAP_PRIVATE, _MAP_FIXED, _MAP_ANONYMOUS, _MAP_NORESERVE = 0x2, 0x10, 0x20, 0x4000
_MAP_FAILED = ctypes.c_void_p(-1).value


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def map_file(address: int, length: int, descriptor: int, offset: int) -> None:
    """Replace [address, address + length) by a private mapping of a file.

    The file must never change or shrink afterwards: edits would appear in clean pages, and a
    truncation would kill the process (SIGBUS).
    """
    flags = _MAP_PRIVATE | _MAP_FIXED | _MAP_NORESERVE
    result = _libc.mmap(address, length, _PROT_READ_WRITE, flags, descriptor, offset)
    if result != address:
        number = ctypes.get_errno()
        raise OSError(number, f"mmap: {os.strerror(number)}")


def map_anonymous(length: int) -> int:
    """Reserve zeroed memory that costs nothing until written; returns its address."""
    flags = _MAP_PRIVATE | _MAP_ANONYMOUS | _MAP_NORESERVE
    result = _libc.mmap(None, length, _PROT_READ_WRITE, flags, -1, 0)
    if result == _MAP_FAILED or result is None:
        number = ctypes.get_errno()
        raise OSError(number, f"mmap: {os.strerror(number)}")
    return int(result)


def unmap(address: int, length: int) -> None:
    _check(_libc.munmap(address, length), "munmap")


# PAGEMAP_SCAN --------------------------------------------------------------------------------------

PAGE_IS_WRITTEN, PAGE_IS_FILE, PAGE_IS_PRESENT, PAGE_IS_SWAPPED, PAGE_IS_PFNZERO = 2, 4, 8, 16, 32
_WP_MATCHING, _CHECK_WPASYNC = 1, 2
_MAX_RANGES = 16384


class _ScanArguments(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint64)
        for name in (
            "size", "flags", "start", "end", "walk_end", "vec", "vec_len", "max_pages",
            "category_inverted", "category_mask", "category_anyof_mask", "return_mask",
        )
    ]  # fmt: skip


class _Scratch(threading.local):
    """Room for the kernel's answer, one per thread: a fresh array would be a page fault per page."""

    def __init__(self) -> None:
        self.ranges: npt.NDArray[np.uint64] = np.empty((_MAX_RANGES, 3), np.uint64)


_scratch = _Scratch()


def _iowr(kind: int, number: int, size: int) -> int:
    return 3 << 30 | size << 16 | kind << 8 | number


_PAGEMAP_SCAN = _iowr(ord("f"), 16, ctypes.sizeof(_ScanArguments))


def open_pagemap() -> int:
    """A descriptor of this process's pagemap. Not inherited: it would describe the parent."""
    return os.open("/proc/self/pagemap", os.O_RDONLY | os.O_CLOEXEC)


def _scan(
    pagemap: int, address: int, length: int, *, inverted: int, mask: int, any_of: int, flags: int
) -> Ranges:
    """Ranges of matching pages as offsets from `address`, sorted and merged."""
    vector = _scratch.ranges
    found: list[Ranges] = []
    start, end = address, address + length
    while start < end:
        arguments = _ScanArguments(
            ctypes.sizeof(_ScanArguments), flags, start, end, 0, vector.ctypes.data, _MAX_RANGES, 0,
            inverted, mask, any_of, mask | any_of,
        )  # fmt: skip
        count = _check(_libc.ioctl(pagemap, _PAGEMAP_SCAN, ctypes.byref(arguments)), "PAGEMAP_SCAN")
        if count:
            found.append(vector[:count, :2].astype(np.int64) - address)
        start = arguments.walk_end
    if not found:
        return np.empty((0, 2), np.int64)
    return found[0] if len(found) == 1 else _merge(np.concatenate(found))


def _merge(ranges: Ranges) -> Ranges:
    """Sorted, disjoint ranges: above 512 ranges Linux 6.18 leaves `walk_end` stale, and the
    documented loop then returns duplicates."""
    ranges = ranges[np.argsort(ranges[:, 0], kind="stable")]
    ends = np.maximum.accumulate(ranges[:, 1])
    first = np.flatnonzero(np.concatenate(([True], ranges[1:, 0] > ends[:-1])))
    last = np.concatenate((first[1:] - 1, [len(ranges) - 1]))
    return np.stack((ranges[first, 0], ends[last]), axis=1)


def scan_private(pagemap: int, address: int, length: int) -> Ranges:
    """Pages that no longer come from a file: whatever was written since it was mapped."""
    return _scan(
        pagemap, address, length,
        inverted=PAGE_IS_FILE | PAGE_IS_PFNZERO,
        mask=PAGE_IS_FILE | PAGE_IS_PFNZERO,
        any_of=PAGE_IS_PRESENT | PAGE_IS_SWAPPED,
        flags=0,
    )  # fmt: skip


def scan_written(pagemap: int, address: int, length: int) -> Ranges:
    """Pages written since they were last write-protected; protects them again."""
    return _scan(
        pagemap, address, length, inverted=0, mask=PAGE_IS_WRITTEN, any_of=0,
        flags=_WP_MATCHING | _CHECK_WPASYNC,
    )  # fmt: skip


_PAGEMAP_PRESENT, _PAGEMAP_SWAPPED, _PAGEMAP_FILE = (np.uint64(1 << bit) for bit in (63, 62, 61))


def read_private(pagemap: int, address: int, length: int) -> npt.NDArray[np.int64]:
    """Indices of pages that no longer come from a file, by reading pagemap (Linux before 6.7)."""
    size, offset = length // PAGE_BYTES * 8, address // PAGE_BYTES * 8
    entries = np.frombuffer(os.pread(pagemap, size, offset), np.uint64)
    in_memory = (entries & (_PAGEMAP_PRESENT | _PAGEMAP_SWAPPED)) != 0
    return np.flatnonzero(in_memory & ((entries & _PAGEMAP_FILE) == 0))


# userfaultfd ---------------------------------------------------------------------------------------

_SYS_USERFAULTFD = {"x86_64": 323, "aarch64": 282, "riscv64": 282}
_USER_MODE_ONLY = 1
_UFFD_API = 0xAA
_FEATURES = 1 << 0 | 1 << 13 | 1 << 15  # PAGEFAULT_FLAG_WP | WP_UNPOPULATED | WP_ASYNC
_MODE_WP = 2
_UFFDIO_API = _iowr(0xAA, 0x3F, 24)
_UFFDIO_REGISTER = _iowr(0xAA, 0x00, 32)


def open_userfaultfd() -> int:
    """A userfaultfd for asynchronous write protection. Unprivileged only as USER_MODE_ONLY."""
    number = _SYS_USERFAULTFD.get(platform.machine())
    if number is None:
        raise OSError(f"userfaultfd: system call number unknown on {platform.machine()}")
    flags = os.O_CLOEXEC | os.O_NONBLOCK | _USER_MODE_ONLY
    descriptor = _check(_libc.syscall(number, flags), "userfaultfd")
    buffer = ctypes.create_string_buffer(struct.pack("QQQ", _UFFD_API, _FEATURES, 0))
    try:
        _check(_libc.ioctl(descriptor, _UFFDIO_API, buffer), "UFFDIO_API")
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def register_write_protect(userfaultfd: int, address: int, length: int) -> None:
    """Let `scan_written` work on a range. A range mapped anew must be registered anew."""
    buffer = ctypes.create_string_buffer(struct.pack("QQQQ", address, length, _MODE_WP, 0))
    _check(_libc.ioctl(userfaultfd, _UFFDIO_REGISTER, buffer), "UFFDIO_REGISTER")


def protect_all(pagemap: int, address: int, length: int) -> None:
    """Write-protect a registered range without listing anything."""
    arguments = _ScanArguments(
        ctypes.sizeof(_ScanArguments), _WP_MATCHING | _CHECK_WPASYNC, address, address + length,
        0, 0, 0, 0, 0, 0, 0, 0,
    )  # fmt: skip
    _check(_libc.ioctl(pagemap, _PAGEMAP_SCAN, ctypes.byref(arguments)), "PAGEMAP_SCAN")
