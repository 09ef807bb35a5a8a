"""Calls on open descriptors: reading, writing, seeking, attributes."""

from bisect import bisect_left

from torpor.limits import MAX_HOST_CHUNK_BYTES
from torpor.wasi.abi import (
    ADVICE_MAX,
    DIRENT,
    FDSTAT,
    FILESTAT,
    OFFSET_MAX,
    PRESTAT,
    Errno,
    FdFlags,
    FileType,
    Rights,
    TimeFlags,
    Whence,
    encode_dirent,
    signed64,
)
from torpor.wasi.descriptors import Descriptor, filetype_of
from torpor.wasi.errors import WasiError
from torpor.wasi.host import Host
from torpor.workspace.filetree import Tree
from torpor.workspace.nodes import DeviceNode, Directory, File, HostFile, Node

_FILES = (File, HostFile)
_Vectors = list[tuple[int, int]]


class AttributeCalls(Host):
    """fd_fdstat_*, fd_filestat_*, fd_prestat_*, and what path_filestat_* share with them."""

    def fd_fdstat_get(self, fd: int, result: int) -> None:
        descriptor = self.table[fd]
        self.memory.check(result, FDSTAT.size)
        FDSTAT.pack_into(
            self.memory.view, result,
            descriptor.filetype, descriptor.flags, descriptor.rights, descriptor.inheriting,
        )  # fmt: skip

    def fd_fdstat_set_flags(self, fd: int, flags: int) -> None:
        descriptor = self.descriptor(fd, Rights.FD_FDSTAT_SET_FLAGS)
        if flags & ~FdFlags.ALL:
            raise WasiError(Errno.INVAL)
        descriptor.flags = flags

    def fd_fdstat_set_rights(self, fd: int, rights: int, inheriting: int) -> None:
        """Rights can only be given up."""
        descriptor = self.table[fd]
        if rights & ~descriptor.rights or inheriting & ~descriptor.inheriting:
            raise WasiError(Errno.NOTCAPABLE)
        descriptor.rights, descriptor.inheriting = rights, inheriting

    def fd_filestat_get(self, fd: int, result: int) -> None:
        descriptor = self.descriptor(fd, Rights.FD_FILESTAT_GET)
        self.store_filestat(result, descriptor.node, descriptor.device_number, descriptor.filetype)

    def store_filestat(self, result: int, node: Node, device: int, filetype: int) -> None:
        self.memory.check(result, FILESTAT.size)
        FILESTAT.pack_into(
            self.memory.view, result,
            device, node.inode, filetype, node.nlink, node.size, node.atime, node.mtime, node.ctime,
        )  # fmt: skip

    def fd_filestat_set_times(self, fd: int, atime: int, mtime: int, flags: int) -> None:
        descriptor = self.descriptor(fd, Rights.FD_FILESTAT_SET_TIMES)
        if descriptor.tree is not None:
            self.set_times(descriptor.tree, descriptor.node, (atime, mtime), flags)

    def set_times(self, tree: Tree, node: Node, times: tuple[int, int], flags: int) -> None:
        """EINVAL for contradictory flags, and for times that would not fit a signed 64-bit integer."""
        both_atime = TimeFlags.ATIM | TimeFlags.ATIM_NOW
        both_mtime = TimeFlags.MTIM | TimeFlags.MTIM_NOW
        contradictory = flags & both_atime == both_atime or flags & both_mtime == both_mtime
        if contradictory or flags & ~TimeFlags.ALL:
            raise WasiError(Errno.INVAL)
        now = self.clock.realtime()
        atime = times[0] if flags & TimeFlags.ATIM else now if flags & TimeFlags.ATIM_NOW else None
        mtime = times[1] if flags & TimeFlags.MTIM else now if flags & TimeFlags.MTIM_NOW else None
        if max(atime or 0, mtime or 0) > OFFSET_MAX:
            raise WasiError(Errno.INVAL)
        tree.set_times(node, atime, mtime)

    def fd_prestat_get(self, fd: int, result: int) -> None:
        name = self._preopen_name(fd)
        self.memory.store(result, PRESTAT.pack(0, len(name)))

    def fd_prestat_dir_name(self, fd: int, buffer: int, length: int) -> None:
        name = self._preopen_name(fd)
        if length < len(name):
            raise WasiError(Errno.NAMETOOLONG)
        self.memory.store(buffer, name)

    def _preopen_name(self, fd: int) -> bytes:
        """EBADF ends a libc's search for preopens."""
        preopen = self.table[fd].preopen
        if preopen is None:
            raise WasiError(Errno.BADF)
        return preopen.encode()


class ReadWriteCalls(Host):
    """fd_read, fd_write and their relatives."""

    def fd_read(self, fd: int, vectors: int, count: int, result: int) -> None:
        descriptor = self.descriptor(fd, Rights.FD_READ)
        memory = self.memory
        buffers = memory.iovecs(vectors, count)
        memory.check(result, 4)
        node = descriptor.node
        if isinstance(node, _FILES):
            total = self._read_file(node, descriptor.offset, buffers)
            descriptor.offset += total
        else:
            total = self._read_device(node, buffers)
        memory.store_u32(result, total)

    def fd_pread(self, fd: int, vectors: int, count: int, offset: int, result: int) -> None:
        descriptor = self.descriptor(fd, Rights.FD_READ)
        buffers = self.memory.iovecs(vectors, count)
        self.memory.check(result, 4)
        node = self._file_at(descriptor, offset)
        self.memory.store_u32(result, self._read_file(node, offset, buffers))

    def _read_file(self, node: File | HostFile, offset: int, buffers: _Vectors) -> int:
        view = self.memory.view
        start = offset
        for address, length in buffers:
            data = node.read(offset, length)
            count = len(data)
            view[address : address + count] = data
            offset += count
            if count < length:
                break
        return offset - start

    def _read_device(self, node: Node, buffers: _Vectors) -> int:
        """One read of the device, into the first buffer with room: a short count is allowed."""
        if not isinstance(node, DeviceNode):
            raise WasiError(Errno.ISDIR)
        address, length = next((b for b in buffers if b[1]), (0, 0))
        if not length:
            return 0
        data = node.device.read(min(length, MAX_HOST_CHUNK_BYTES))[:length]
        self.memory.store(address, data)
        return len(data)

    def fd_write(self, fd: int, vectors: int, count: int, result: int) -> None:
        descriptor = self.descriptor(fd, Rights.FD_WRITE)
        memory = self.memory
        buffers = memory.iovecs(vectors, count)
        memory.check(result, 4)
        node, tree = descriptor.node, descriptor.tree
        if isinstance(node, File) and tree is not None:
            offset = node.size if descriptor.flags & FdFlags.APPEND else descriptor.offset
            total = tree.write(node, offset, memory.gather(buffers))
            descriptor.offset = offset + total
        else:
            total = self._write_device(node, buffers)
        memory.store_u32(result, total)

    def fd_pwrite(self, fd: int, vectors: int, count: int, offset: int, result: int) -> None:
        descriptor = self.descriptor(fd, Rights.FD_WRITE)
        buffers = self.memory.iovecs(vectors, count)
        self.memory.check(result, 4)
        node = self._file_at(descriptor, offset)
        if not isinstance(node, File) or descriptor.tree is None:
            raise WasiError(Errno.ROFS)
        # As on Linux, and as the public test programs expect: appending wins over the offset.
        offset = node.size if descriptor.flags & FdFlags.APPEND else offset
        self.memory.store_u32(result, descriptor.tree.write(node, offset, self.memory.gather(buffers)))

    def _write_device(self, node: Node, buffers: _Vectors) -> int:
        if not isinstance(node, DeviceNode):
            raise WasiError(Errno.ROFS)
        data = bytes(self.memory.gather(buffers, MAX_HOST_CHUNK_BYTES))
        return min(max(node.device.write(data), 0), len(data)) if data else 0

    @staticmethod
    def _file_at(descriptor: Descriptor, offset: int) -> File | HostFile:
        """ESPIPE for what has no positions, EINVAL for a negative one."""
        if not isinstance(descriptor.node, _FILES):
            raise WasiError(Errno.SPIPE)
        if offset > OFFSET_MAX:
            raise WasiError(Errno.INVAL)
        return descriptor.node


class DescriptorCalls(AttributeCalls, ReadWriteCalls):
    """The other fd_* calls."""

    def fd_advise(self, fd: int, offset: int, _length: int, advice: int) -> None:
        """Advice is for disks."""
        self._regular(fd, Rights.FD_ADVISE)
        if advice > ADVICE_MAX or offset > OFFSET_MAX:
            raise WasiError(Errno.INVAL)

    def fd_allocate(self, fd: int, offset: int, length: int) -> None:
        """Lengthens the file to `offset + length` when it is shorter."""
        tree, node = self._changeable(fd, Rights.FD_ALLOCATE)
        if not length or offset > OFFSET_MAX or length > OFFSET_MAX:
            raise WasiError(Errno.INVAL)
        if offset + length > node.size:
            tree.truncate(node, offset + length)

    def fd_close(self, fd: int) -> None:
        self.table.close(fd)

    def fd_datasync(self, fd: int) -> None:
        """What a guest writes becomes durable with the commit of its execution, not before."""
        self.descriptor(fd, Rights.FD_DATASYNC)

    def fd_sync(self, fd: int) -> None:
        """See fd_datasync."""
        self.descriptor(fd, Rights.FD_SYNC)

    def fd_filestat_set_size(self, fd: int, size: int) -> None:
        tree, node = self._changeable(fd, Rights.FD_FILESTAT_SET_SIZE)
        if size > OFFSET_MAX:
            raise WasiError(Errno.INVAL)
        tree.truncate(node, size)

    def _regular(self, fd: int, right: int) -> Descriptor:
        descriptor = self.descriptor(fd, right)
        if not isinstance(descriptor.node, _FILES):
            raise WasiError(Errno.SPIPE)
        return descriptor

    def _changeable(self, fd: int, right: int) -> tuple[Tree, File]:
        descriptor = self._regular(fd, right)
        if not isinstance(descriptor.node, File) or descriptor.tree is None:
            raise WasiError(Errno.ROFS)
        return descriptor.tree, descriptor.node

    def fd_readdir(self, fd: int, buffer: int, length: int, cookie: int, result: int) -> None:
        """Fills the buffer; the last entry may be cut, which tells the guest that there is more."""
        descriptor = self.descriptor(fd, Rights.FD_READDIR)
        directory = descriptor.node
        if not isinstance(directory, Directory):
            raise WasiError(Errno.NOTDIR)
        self.memory.check(buffer, length)
        self.memory.check(result, 4)
        data = _directory_entries(directory, cookie, length)[:length]
        self.memory.store(buffer, data)
        self.memory.store_u32(result, len(data))

    def fd_renumber(self, source: int, target: int) -> None:
        self.table.renumber(source, target)

    def fd_seek(self, fd: int, offset: int, whence: int, result: int) -> None:
        descriptor = self._seekable(fd, Rights.FD_SEEK)
        if whence > Whence.END:
            raise WasiError(Errno.INVAL)
        base = (0, descriptor.offset, descriptor.node.size)[whence]
        position = base + signed64(offset)
        if not 0 <= position <= OFFSET_MAX:
            raise WasiError(Errno.INVAL)
        self.memory.store_u64(result, 0 if isinstance(descriptor.node, DeviceNode) else position)
        descriptor.offset = position

    def fd_tell(self, fd: int, result: int) -> None:
        descriptor = self._seekable(fd, Rights.FD_TELL)
        self.memory.store_u64(result, descriptor.offset)

    def _seekable(self, fd: int, right: int) -> Descriptor:
        node = self.table[fd].node
        if isinstance(node, DeviceNode) and not node.seekable:
            raise WasiError(Errno.SPIPE)
        return self.descriptor(fd, right)


def _directory_entries(directory: Directory, cookie: int, length: int) -> bytes:
    """At least `length` bytes of entries from `cookie`, or all there are."""
    parts: list[bytes] = []
    if cookie < 1:
        parts.append(encode_dirent(1, directory.inode, FileType.DIRECTORY, b"."))
    if cookie < 2:
        parent = directory.parent or directory
        parts.append(encode_dirent(2, parent.inode, FileType.DIRECTORY, b".."))
    rows = directory.listing()
    size = sum(map(len, parts))
    for index in range(bisect_left(rows, (cookie,)), len(rows)):
        if size >= length:
            break
        key, name, node = rows[index]
        encoded = encode_dirent(key + 1, node.inode, filetype_of(node), name.encode())
        size += len(encoded)
        parts.append(encoded)
    return b"".join(parts)


assert DIRENT.size == 24  # the layout every libc relies on
