"""A guest's memory as host calls see it: every address and length comes from the guest and is checked.

Nothing at or beyond the memory's current size is touched; EFAULT is the answer.
"""

from typing import Protocol

from torpor.wasi.abi import IOV_MAX, IOVEC, SSIZE_MAX, U32, U64, Errno
from torpor.wasi.errors import WasiError


class BoundMemory(Protocol):
    """What this needs of `torpor.wasm.memory.LinearMemory`."""

    view: memoryview

    @property
    def size(self) -> int: ...


class GuestMemory:
    """Loads and stores. A memory never shrinks, so its size is asked again only when a check fails."""

    __slots__ = ("_memory", "_path_bytes", "_size", "view")

    def __init__(self, memory: BoundMemory, path_bytes: int) -> None:
        """`path_bytes` is the longest text that is read."""
        self._memory = memory
        self._path_bytes = path_bytes
        self.view = memory.view
        self._size = memory.size

    def check(self, address: int, length: int) -> None:
        """EFAULT unless [address, address + length) lies in memory."""
        if address + length > self._size:
            self._size = self._memory.size
            if address + length > self._size:
                raise WasiError(Errno.FAULT)

    def slice(self, address: int, length: int) -> memoryview:
        if address + length > self._size:
            self.check(address, length)
        return self.view[address : address + length]

    def load(self, address: int, length: int) -> bytes:
        if address + length > self._size:
            self.check(address, length)
        return bytes(self.view[address : address + length])

    def text(self, address: int, length: int) -> str:
        """A path in UTF-8. ENAMETOOLONG, EILSEQ when it is not UTF-8, EINVAL for a NUL inside."""
        if length > self._path_bytes:
            raise WasiError(Errno.NAMETOOLONG)
        try:
            text = str(self.slice(address, length), "utf-8")
        except UnicodeDecodeError:
            raise WasiError(Errno.ILSEQ) from None
        if "\0" in text:
            raise WasiError(Errno.INVAL)
        return text

    def store(self, address: int, data: bytes | bytearray | memoryview) -> None:
        length = len(data)
        if address + length > self._size:
            self.check(address, length)
        self.view[address : address + length] = data

    def store_u32(self, address: int, value: int) -> None:
        if address + 4 > self._size:
            self.check(address, 4)
        U32.pack_into(self.view, address, value)

    def store_u64(self, address: int, value: int) -> None:
        if address + 8 > self._size:
            self.check(address, 8)
        U64.pack_into(self.view, address, value)

    def iovecs(self, address: int, count: int) -> list[tuple[int, int]]:
        """(address, length) of each buffer, all inside memory. EINVAL when they are too many or
        longer together than the guest could be told."""
        if count == 1:  # by far the most frequent
            if address + 8 > self._size:
                self.check(address, 8)
            one: tuple[int, int] = IOVEC.unpack_from(self.view, address)
            if one[0] + one[1] > self._size:
                self.check(*one)
            return [one]
        if count > IOV_MAX:
            raise WasiError(Errno.INVAL)
        vectors: list[tuple[int, int]] = list(IOVEC.iter_unpack(self.slice(address, count * IOVEC.size)))
        if sum(length for _, length in vectors) > SSIZE_MAX:
            raise WasiError(Errno.INVAL)
        for vector in vectors:
            self.check(*vector)
        return vectors

    def gather(self, vectors: list[tuple[int, int]], limit: int | None = None) -> bytes | memoryview:
        """What lies in the buffers, one after the other, at most `limit` bytes."""
        if len(vectors) == 1:
            address, length = vectors[0]
            length = length if limit is None else min(length, limit)
            return self.view[address : address + length]
        parts: list[memoryview] = []
        left = SSIZE_MAX if limit is None else limit
        for address, length in vectors:
            length = min(length, left)
            parts.append(self.view[address : address + length])
            left -= length
        return b"".join(parts)
