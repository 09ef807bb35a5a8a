"""Files that survive a power cut: private modes, syncing, publishing by rename, hole punching.

Knows nothing of sandboxes. A name is durable only after its folder was synced, and a folder that
appears by rename appears whole: everything here follows from those two.
"""

import ctypes
import errno
import fcntl
import hashlib
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from torpor import limits

FOLDER_MODE = 0o700
FILE_MODE = 0o600
#: fallocate(2): deallocate the range and leave the file's size as it is.
_FALLOC_FL_KEEP_SIZE = 0x01
_FALLOC_FL_PUNCH_HOLE = 0x02
_TRASH_PREFIX = "trash-"
_TOKEN_BYTES = 8


def make_folder(folder: Path) -> Path:
    """`folder`, created with its parents when missing, for its owner only."""
    if not folder.is_dir():
        make_folder(folder.parent)
        with suppress(FileExistsError):
            folder.mkdir(mode=FOLDER_MODE)
            sync_folder(folder.parent)
    return folder


def sync_file(descriptor: int) -> None:
    """Bring a file's data to the disk itself. macOS needs its own call for that."""
    if hasattr(fcntl, "F_FULLFSYNC"):
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fdatasync(descriptor)


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: memoryview | bytes, offset: int) -> None:
    """Write all of `data` at `offset`; a short write is continued, so a full disk gives its errno."""
    view = memoryview(data).cast("B")
    while view:
        written = os.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written


def open_direct(file: Path) -> int | None:
    """A descriptor that writes past the page cache; None where the system or the disk has no such thing."""
    flag = getattr(os, "O_DIRECT", None)
    if flag is None:
        return None
    try:
        return os.open(file, os.O_WRONLY | os.O_CLOEXEC | flag)
    except OSError:
        return None


def write_direct(descriptor: int, data: memoryview | bytes, offset: int) -> int:
    """How many bytes of `data` were written past the page cache; the rest must be written otherwise."""
    view = memoryview(data).cast("B")
    done = 0
    try:
        while done < len(view):
            written = os.pwrite(descriptor, view[done:], offset + done)
            done += written
            if written % limits.PAGE_BYTES:
                break
    except OSError as error:
        if error.errno != errno.EINVAL:  # EINVAL: not aligned as this disk wants it
            raise
    return done


def read_exactly(descriptor: int, length: int, offset: int) -> bytes:
    """Up to `length` bytes from `offset`; fewer only when the file ends."""
    parts = []
    while length and (part := os.pread(descriptor, length, offset)):
        parts.append(part)
        length, offset = length - len(part), offset + len(part)
    return b"".join(parts)


def sha256_of(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(limits.COPY_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def punch_hole(descriptor: int, offset: int, length: int) -> bool:
    """Give a range's blocks back to the disk; False where the system cannot. It then reads as zeros."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    mode = _FALLOC_FL_KEEP_SIZE | _FALLOC_FL_PUNCH_HOLE
    return bool(libc.fallocate(descriptor, mode, ctypes.c_int64(offset), ctypes.c_int64(length)) == 0)


class Workshop:
    """A folder where things are made before they appear under their name, and die after they lost it.

    Each new folder is locked while it is being made; an unlocked one is what a crash left behind
    and is removed by the next user.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextmanager
    def new_folder(self) -> Iterator[Path]:
        """A fresh folder, removed at the end unless it was published."""
        make_folder(self._folder)
        self._clean()
        folder, lock = self._locked_folder()
        try:
            yield folder
        finally:
            os.close(lock)
            shutil.rmtree(folder, ignore_errors=True)

    def publish(self, folder: Path, target: Path) -> bool:
        """Give a finished folder its name, durably. False when something has that name already."""
        for file in folder.iterdir():
            with file.open("rb") as stream:
                sync_file(stream.fileno())
        sync_folder(folder)
        make_folder(target.parent)
        try:
            # Replaces at most an empty folder: no sandbox is one.
            folder.rename(target)
        except OSError:
            if target.exists():
                return False
            raise
        sync_folder(target.parent)
        return True

    def discard(self, target: Path) -> None:
        """Make a folder disappear at once and whole, then remove what was in it."""
        make_folder(self._folder)
        trash = self._folder / f"{_TRASH_PREFIX}{secrets.token_hex(_TOKEN_BYTES)}"
        target.rename(trash)
        sync_folder(target.parent)
        shutil.rmtree(trash, ignore_errors=True)

    def _locked_folder(self) -> tuple[Path, int]:
        while True:
            folder = self._folder / secrets.token_hex(_TOKEN_BYTES)
            folder.mkdir(mode=FOLDER_MODE)
            lock = _try_lock(folder)
            # Another process's cleaning may have come between the two lines above.
            if lock is not None and folder.exists():
                return folder, lock
            if lock is not None:
                os.close(lock)

    def _clean(self) -> None:
        for folder in self._folder.iterdir():
            lock = _try_lock(folder)
            if lock is not None:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)


def _try_lock(folder: Path) -> int | None:
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
