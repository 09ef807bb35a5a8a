"""The inodes of an in-memory file system: files, folders, links and devices.

Nodes hold data and know nothing of quotas, paths or guests; `tree` changes them and keeps the
accounts. Times are nanoseconds since 1970. A node's identity is its inode number: several names
(hard links) and several open descriptors may share one node.
"""

import hashlib
import mmap
import os
import zlib
from errno import EIO
from pathlib import Path
from typing import Protocol

#: Cookies have 31 bits because the guests' `telldir` returns a 32-bit long; 0 and 1 are "." and "..".
_COOKIE_SHIFT = 1
_FIRST_COOKIE = 2


class Device(Protocol):
    """What stands behind a device node. Both may raise OSError, whose errno reaches the guest."""

    def read(self, size: int) -> bytes:
        """At most `size` bytes; b"" is the end."""

    def write(self, data: bytes) -> int:
        """How many bytes were taken."""


class Node:
    """Common to all kinds. `nlink` counts names, `opens` open descriptors."""

    __slots__ = ("atime", "ctime", "inode", "mtime", "nlink", "opens")

    def __init__(self, inode: int, now: int) -> None:
        self.inode = inode
        self.nlink = 1
        self.opens = 0
        self.atime = self.mtime = self.ctime = now

    @property
    def size(self) -> int:
        return 0


class File(Node):
    """A regular file. `content` is immutable bytes until the first write, so that loading and saving
    need not copy; `digest` is its SHA-256 while known."""

    __slots__ = ("_digest", "content")

    def __init__(self, inode: int, now: int, content: bytes = b"", digest: str | None = None) -> None:
        super().__init__(inode, now)
        self.content: bytes | bytearray = content
        self._digest = digest

    @property
    def size(self) -> int:
        return len(self.content)

    def read(self, offset: int, size: int) -> bytes | bytearray:
        return self.content[offset : offset + size]

    def digest(self) -> str:
        """SHA-256 of the content, hex; computed only after a change."""
        if self._digest is None:
            self._digest = hashlib.sha256(self.content).hexdigest()
        return self._digest

    def freeze(self) -> bytes:
        """The content as bytes that later writes will not touch."""
        if not isinstance(self.content, bytes):
            self.content = bytes(self.content)
        return self.content

    def replace(self, content: bytes, digest: str) -> None:
        """Give the file another content, whose SHA-256 is `digest`."""
        self.content = content
        self._digest = digest

    def writable(self) -> bytearray:
        """The content for changing; forgets the digest."""
        self._digest = None
        if not isinstance(self.content, bytearray):
            self.content = bytearray(self.content)
        return self.content


class HostFile(Node):
    """A read-only file of the host, mapped when it is first read.

    `below` is what the guest sees under the file's own path, when anything is shown there.
    """

    __slots__ = ("_size", "_view", "below", "path")

    def __init__(self, inode: int, path: Path, size: int, now: int = 0) -> None:
        super().__init__(inode, now)
        self.path = path
        self.below: Directory | None = None
        self._size = size
        self._view: memoryview | None = None

    @property
    def size(self) -> int:
        return self._size

    def read(self, offset: int, size: int) -> memoryview:
        view = self._view
        if view is None:
            view = self._view = self._map()
        return view[offset : offset + size]

    def _map(self) -> memoryview:
        descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            # The guest was told this size; a file that was exchanged since is not the one mounted.
            if os.fstat(descriptor).st_size != self._size:
                raise OSError(EIO, os.strerror(EIO))
            if not self._size:
                return memoryview(b"")
            return memoryview(mmap.mmap(descriptor, self._size, access=mmap.ACCESS_READ))
        finally:
            os.close(descriptor)


class Symlink(Node):
    __slots__ = ("target",)

    def __init__(self, inode: int, now: int, target: str) -> None:
        super().__init__(inode, now)
        self.target = target

    @property
    def size(self) -> int:
        return len(self.target.encode())


class DeviceNode(Node):
    """A name for a device. `seekable` devices answer every seek with 0, as /dev/null does."""

    __slots__ = ("device", "seekable")

    def __init__(self, inode: int, device: Device, *, seekable: bool = False, now: int = 0) -> None:
        super().__init__(inode, now)
        self.device = device
        self.seekable = seekable


class Directory(Node):
    """Names and their nodes. `version` moves with every change of `entries`."""

    __slots__ = ("_listing", "entries", "parent", "version")

    def __init__(self, inode: int, now: int, parent: "Directory | None") -> None:
        super().__init__(inode, now)
        self.entries: dict[str, Node] = {}
        self.parent = parent
        self.version = 0
        self._listing: tuple[int, list[tuple[int, str, Node]]] = (-1, [])

    def listing(self) -> list[tuple[int, str, Node]]:
        """(cookie, name, node) by rising cookie.

        A cookie is derived from the name, so that a listing that is under way neither repeats nor
        loses an entry when others come and go, nor when the guest is restored elsewhere.
        """
        version, rows = self._listing
        if version != self.version:
            rows = self._list()
            self._listing = (self.version, rows)
        return rows

    def _list(self) -> list[tuple[int, str, Node]]:
        hashed = sorted((zlib.crc32(name.encode()) >> _COOKIE_SHIFT, name) for name in self.entries)
        rows: list[tuple[int, str, Node]] = []
        cookie = _FIRST_COOKIE - 1
        for key, name in hashed:
            cookie = max(cookie + 1, key)
            rows.append((cookie, name, self.entries[name]))
        return rows


class HiddenDirectory(Directory):
    """A step on the way to something shown below a file: paths lead through it, but it does not exist.

    Guests that read an archive as if it were a folder stop doing so when they find a real one inside.
    """

    __slots__ = ()
