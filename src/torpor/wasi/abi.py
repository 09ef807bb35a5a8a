"""Numbers and memory layouts of WASI snapshot preview1, and nothing else.

Source: the witx files of the WebAssembly/WASI repository (wasi_snapshot_preview1). All integers are
little-endian; handles and pointers are u32, sizes u32, file sizes and times (nanoseconds) u64.
"""

from struct import Struct
from typing import Final

MODULE: Final = "wasi_snapshot_preview1"


class Errno:
    """Error numbers, in the order of the specification."""

    SUCCESS: Final = 0
    TOOBIG: Final = 1
    ACCES: Final = 2
    AGAIN: Final = 6
    BADF: Final = 8
    BUSY: Final = 10
    DQUOT: Final = 19
    EXIST: Final = 20
    FAULT: Final = 21
    FBIG: Final = 22
    ILSEQ: Final = 25
    INTR: Final = 27
    INVAL: Final = 28
    IO: Final = 29
    ISDIR: Final = 31
    LOOP: Final = 32
    MFILE: Final = 33
    MLINK: Final = 34
    NAMETOOLONG: Final = 37
    NFILE: Final = 41
    NODEV: Final = 43
    NOENT: Final = 44
    NOMEM: Final = 48
    NOSPC: Final = 51
    NOSYS: Final = 52
    NOTDIR: Final = 54
    NOTEMPTY: Final = 55
    NOTSOCK: Final = 57
    NOTSUP: Final = 58
    NOTTY: Final = 59
    NXIO: Final = 60
    OVERFLOW: Final = 61
    PERM: Final = 63
    PIPE: Final = 64
    RANGE: Final = 68
    ROFS: Final = 69
    SPIPE: Final = 70
    TXTBSY: Final = 74
    XDEV: Final = 75
    NOTCAPABLE: Final = 76


class Rights:
    """What a descriptor may be used for; one bit each."""

    FD_DATASYNC: Final = 1 << 0
    FD_READ: Final = 1 << 1
    FD_SEEK: Final = 1 << 2
    FD_FDSTAT_SET_FLAGS: Final = 1 << 3
    FD_SYNC: Final = 1 << 4
    FD_TELL: Final = 1 << 5
    FD_WRITE: Final = 1 << 6
    FD_ADVISE: Final = 1 << 7
    FD_ALLOCATE: Final = 1 << 8
    PATH_CREATE_DIRECTORY: Final = 1 << 9
    PATH_CREATE_FILE: Final = 1 << 10
    PATH_LINK_SOURCE: Final = 1 << 11
    PATH_LINK_TARGET: Final = 1 << 12
    PATH_OPEN: Final = 1 << 13
    FD_READDIR: Final = 1 << 14
    PATH_READLINK: Final = 1 << 15
    PATH_RENAME_SOURCE: Final = 1 << 16
    PATH_RENAME_TARGET: Final = 1 << 17
    PATH_FILESTAT_GET: Final = 1 << 18
    PATH_FILESTAT_SET_SIZE: Final = 1 << 19
    PATH_FILESTAT_SET_TIMES: Final = 1 << 20
    FD_FILESTAT_GET: Final = 1 << 21
    FD_FILESTAT_SET_SIZE: Final = 1 << 22
    FD_FILESTAT_SET_TIMES: Final = 1 << 23
    PATH_SYMLINK: Final = 1 << 24
    PATH_REMOVE_DIRECTORY: Final = 1 << 25
    PATH_UNLINK_FILE: Final = 1 << 26
    POLL_FD_READWRITE: Final = 1 << 27
    SOCK_SHUTDOWN: Final = 1 << 28
    SOCK_ACCEPT: Final = 1 << 29

    #: What makes sense on a regular file.
    FILE: Final = (
        FD_DATASYNC | FD_READ | FD_SEEK | FD_FDSTAT_SET_FLAGS | FD_SYNC | FD_TELL | FD_WRITE | FD_ADVISE
        | FD_ALLOCATE | FD_FILESTAT_GET | FD_FILESTAT_SET_SIZE | FD_FILESTAT_SET_TIMES | POLL_FD_READWRITE
    )  # fmt: skip
    #: What makes sense on a directory. Not reading, writing or seeking: those are for its files.
    DIRECTORY: Final = (
        FD_FDSTAT_SET_FLAGS | FD_SYNC | PATH_CREATE_DIRECTORY | PATH_CREATE_FILE | PATH_LINK_SOURCE
        | PATH_LINK_TARGET | PATH_OPEN | FD_READDIR | PATH_READLINK | PATH_RENAME_SOURCE | PATH_RENAME_TARGET
        | PATH_FILESTAT_GET | PATH_FILESTAT_SET_SIZE | PATH_FILESTAT_SET_TIMES | FD_FILESTAT_GET
        | FD_FILESTAT_SET_TIMES | PATH_SYMLINK | PATH_REMOVE_DIRECTORY | PATH_UNLINK_FILE
    )  # fmt: skip
    ALL: Final = FILE | DIRECTORY
    #: Devices neither seek (guests take "cannot seek" as part of "is a terminal") nor change size.
    DEVICE: Final = (
        FD_READ | FD_WRITE | FD_FDSTAT_SET_FLAGS | FD_FILESTAT_GET | POLL_FD_READWRITE | FD_SYNC | FD_DATASYNC
    )  # fmt: skip
    SEEKABLE_DEVICE: Final = DEVICE | FD_SEEK | FD_TELL


class FileType:
    UNKNOWN: Final = 0
    BLOCK_DEVICE: Final = 1
    CHARACTER_DEVICE: Final = 2
    DIRECTORY: Final = 3
    REGULAR_FILE: Final = 4
    SOCKET_DGRAM: Final = 5
    SOCKET_STREAM: Final = 6
    SYMBOLIC_LINK: Final = 7


class FdFlags:
    APPEND: Final = 1
    DSYNC: Final = 2
    NONBLOCK: Final = 4
    RSYNC: Final = 8
    SYNC: Final = 16
    ALL: Final = 31


class OpenFlags:
    CREAT: Final = 1
    DIRECTORY: Final = 2
    EXCL: Final = 4
    TRUNC: Final = 8
    ALL: Final = 15


class TimeFlags:
    ATIM: Final = 1
    ATIM_NOW: Final = 2
    MTIM: Final = 4
    MTIM_NOW: Final = 8
    ALL: Final = 15


class Whence:
    SET: Final = 0
    CUR: Final = 1
    END: Final = 2


class ClockId:
    REALTIME: Final = 0
    MONOTONIC: Final = 1
    PROCESS_CPUTIME: Final = 2
    THREAD_CPUTIME: Final = 3


class EventType:
    CLOCK: Final = 0
    FD_READ: Final = 1
    FD_WRITE: Final = 2


SYMLINK_FOLLOW: Final = 1
SUBSCRIPTION_CLOCK_ABSTIME: Final = 1
ADVICE_MAX: Final = 5
#: Beyond this, a vectored call is EINVAL, as on Linux.
IOV_MAX: Final = 1024
#: The largest count a 32-bit guest can be told (its ssize_t); also the largest file offset in i64.
SSIZE_MAX: Final = 2**31 - 1
OFFSET_MAX: Final = 2**63 - 1
U64_WRAP: Final = 2**64
U32_MAX: Final = 2**32 - 1
#: tag, length of the name; the only kind of preopen is a directory, tag 0.
PRESTAT: Final = Struct("<B3xI")
U32: Final = Struct("<I")
U64: Final = Struct("<Q")
IOVEC: Final = Struct("<II")
#: filetype, flags, rights, inherited rights
FDSTAT: Final = Struct("<BxH4xQQ")
#: device, inode, filetype, links, size, atime, mtime, ctime
FILESTAT: Final = Struct("<QQB7xQQQQQ")
#: next cookie, inode, length of the name, filetype
DIRENT: Final = Struct("<QQIB3x")
#: userdata, tag, clock id or descriptor, timeout, precision, flags
SUBSCRIPTION: Final = Struct("<QB7xI4xQQH6x")
#: userdata, errno, type, bytes available, flags
EVENT: Final = Struct("<QHB5xQH6x")


def encode_dirent(next_cookie: int, inode: int, filetype: int, name: bytes) -> bytes:
    """A directory entry with the name behind it."""
    return DIRENT.pack(next_cookie, inode, len(name), filetype) + name


def signed64(value: int) -> int:
    """An unsigned 64-bit integer read as signed."""
    return value - U64_WRAP if value > OFFSET_MAX else value


#: Every function in the order of the specification: parameters and result, "i" for i32, "I" for i64.
FUNCTIONS: Final = {
    "args_get": ("ii", "i"),
    "args_sizes_get": ("ii", "i"),
    "environ_get": ("ii", "i"),
    "environ_sizes_get": ("ii", "i"),
    "clock_res_get": ("ii", "i"),
    "clock_time_get": ("iIi", "i"),
    "fd_advise": ("iIIi", "i"),
    "fd_allocate": ("iII", "i"),
    "fd_close": ("i", "i"),
    "fd_datasync": ("i", "i"),
    "fd_fdstat_get": ("ii", "i"),
    "fd_fdstat_set_flags": ("ii", "i"),
    "fd_fdstat_set_rights": ("iII", "i"),
    "fd_filestat_get": ("ii", "i"),
    "fd_filestat_set_size": ("iI", "i"),
    "fd_filestat_set_times": ("iIIi", "i"),
    "fd_pread": ("iiiIi", "i"),
    "fd_prestat_get": ("ii", "i"),
    "fd_prestat_dir_name": ("iii", "i"),
    "fd_pwrite": ("iiiIi", "i"),
    "fd_read": ("iiii", "i"),
    "fd_readdir": ("iiiIi", "i"),
    "fd_renumber": ("ii", "i"),
    "fd_seek": ("iIii", "i"),
    "fd_sync": ("i", "i"),
    "fd_tell": ("ii", "i"),
    "fd_write": ("iiii", "i"),
    "path_create_directory": ("iii", "i"),
    "path_filestat_get": ("iiiii", "i"),
    "path_filestat_set_times": ("iiiiIIi", "i"),
    "path_link": ("iiiiiii", "i"),
    "path_open": ("iiiiiIIii", "i"),
    "path_readlink": ("iiiiii", "i"),
    "path_remove_directory": ("iii", "i"),
    "path_rename": ("iiiiii", "i"),
    "path_symlink": ("iiiii", "i"),
    "path_unlink_file": ("iii", "i"),
    "poll_oneoff": ("iiii", "i"),
    "proc_exit": ("i", ""),
    "proc_raise": ("i", "i"),
    "sched_yield": ("", "i"),
    "random_get": ("ii", "i"),
    "sock_accept": ("iii", "i"),
    "sock_recv": ("iiiiii", "i"),
    "sock_send": ("iiiii", "i"),
    "sock_shutdown": ("ii", "i"),
}
