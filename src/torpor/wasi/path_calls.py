"""Calls on paths. Every path begins at an open folder and cannot leave its tree."""

from errno import EEXIST, EINVAL, EISDIR, ELOOP, ENOENT, ENOTDIR, EPERM, EROFS, EXDEV

from torpor.wasi.abi import (
    SYMLINK_FOLLOW,
    Errno,
    FdFlags,
    OpenFlags,
    Rights,
)
from torpor.wasi.descriptors import Descriptor, filetype_of, rights_of
from torpor.wasi.errors import WasiError
from torpor.wasi.fd_calls import AttributeCalls
from torpor.workspace.filetree import Tree, fail
from torpor.workspace.nodes import DeviceNode, Directory, File, Node, Symlink
from torpor.workspace.resolution import Location, beneath, locate, resolve

#: Rights no descriptor of a read-only file has.
_CHANGING = Rights.FD_WRITE | Rights.FD_ALLOCATE | Rights.FD_FILESTAT_SET_SIZE | Rights.FD_FILESTAT_SET_TIMES


class OpenCalls(AttributeCalls):
    """path_open"""

    def path_open(
        self, fd: int, lookup: int, path: int, length: int, flags: int, rights: int, inheriting: int,
        fd_flags: int, result: int,
    ) -> None:  # fmt: skip
        tree, folder, base = self.directory(fd, Rights.PATH_OPEN)
        name = self.memory.text(path, length)
        self.memory.check(result, 4)
        if fd_flags & ~FdFlags.ALL or flags & ~OpenFlags.ALL:
            raise WasiError(Errno.INVAL)
        self.table.require_room(tree)
        place = locate(tree, folder, name, bool(lookup & SYMLINK_FOLLOW))
        node = place[2]
        if flags & ~OpenFlags.DIRECTORY or node is None:
            node = self._create(tree, base, place, flags, name)
        self._check_kind(tree, node, flags | OpenFlags.DIRECTORY * (name[-1] == "/"), rights)
        if flags & OpenFlags.TRUNC:
            self._truncate(tree, base, node)
        opened = Descriptor(
            node,
            tree,
            self._granted(tree, node, base, rights),
            inheriting & base.inheriting if isinstance(node, Directory) else 0,
            fd_flags,
            0,
            self._joined(base, name),
            None,
            base.device_number,
        )
        self.memory.store_u32(result, self.table.open(opened))

    @staticmethod
    def _create(tree: Tree, base: Descriptor, place: Location, flags: int, path: str) -> Node:
        """The node, made if it is missing and the flags say so."""
        parent, name, node = place
        if not flags & OpenFlags.CREAT:
            return node or fail(ENOENT)
        if node is not None:
            if flags & OpenFlags.EXCL:
                fail(EEXIST)
            return node if not isinstance(node, Directory) else fail(EISDIR)
        if not base.rights & Rights.PATH_CREATE_FILE:
            raise WasiError(Errno.NOTCAPABLE)
        if flags & OpenFlags.DIRECTORY:
            fail(EINVAL)
        return tree.create_file(parent, name) if path[-1] != "/" else fail(EISDIR)

    @staticmethod
    def _check_kind(tree: Tree, node: Node, flags: int, rights: int) -> None:
        if isinstance(node, Symlink):
            fail(ELOOP)
        if isinstance(node, Directory):
            if rights & Rights.FD_WRITE:
                fail(EISDIR)
            return
        if flags & OpenFlags.DIRECTORY:
            fail(ENOTDIR)
        if tree.read_only and rights & Rights.FD_WRITE and not isinstance(node, DeviceNode):
            fail(EROFS)

    @staticmethod
    def _truncate(tree: Tree, base: Descriptor, node: Node) -> None:
        if not base.rights & Rights.PATH_FILESTAT_SET_SIZE:
            raise WasiError(Errno.NOTCAPABLE)
        if isinstance(node, Directory):
            fail(EISDIR)
        if isinstance(node, File):
            tree.truncate(node, 0)
        elif not isinstance(node, DeviceNode):
            fail(EROFS)

    @staticmethod
    def _granted(tree: Tree, node: Node, base: Descriptor, asked: int) -> int:
        """What was asked for, as far as it makes sense and may be passed on. Libcs ask for more."""
        granted = asked & base.inheriting & rights_of(node)
        return granted & ~_CHANGING if tree.read_only and not isinstance(node, DeviceNode) else granted

    @staticmethod
    def _joined(base: Descriptor, name: str) -> str:
        return f"{base.path}/{name}" if base.path else name


class PathCalls(OpenCalls):
    """The other path_* calls."""

    def path_create_directory(self, fd: int, path: int, length: int) -> None:
        tree, folder, _ = self.directory(fd, Rights.PATH_CREATE_DIRECTORY)
        parent, name, node = locate(tree, folder, self.memory.text(path, length), False)
        if node is not None:
            fail(EEXIST)
        tree.make_directory(parent, name)

    def path_filestat_get(self, fd: int, flags: int, path: int, length: int, result: int) -> None:
        tree, folder, base = self.directory(fd, Rights.PATH_FILESTAT_GET)
        node = resolve(tree, folder, self.memory.text(path, length), bool(flags & SYMLINK_FOLLOW))
        self.store_filestat(result, node, base.device_number, filetype_of(node))

    def path_filestat_set_times(
        self, fd: int, flags: int, path: int, length: int, atime: int, mtime: int, time_flags: int
    ) -> None:
        tree, folder, _ = self.directory(fd, Rights.PATH_FILESTAT_SET_TIMES)
        node = resolve(tree, folder, self.memory.text(path, length), bool(flags & SYMLINK_FOLLOW))
        self.set_times(tree, node, (atime, mtime), time_flags)

    def path_link(
        self, fd: int, flags: int, path: int, length: int, new_fd: int, new_path: int, new_length: int
    ) -> None:
        tree, folder, _ = self.directory(fd, Rights.PATH_LINK_SOURCE)
        new_tree, new_folder, _ = self.directory(new_fd, Rights.PATH_LINK_TARGET)
        node = resolve(tree, folder, self.memory.text(path, length), bool(flags & SYMLINK_FOLLOW))
        target = self.memory.text(new_path, new_length)
        parent, name, existing = locate(new_tree, new_folder, target, False)
        if existing is not None:
            fail(EEXIST)
        if target[-1] == "/":
            fail(ENOENT)
        if new_tree is not tree:
            fail(EXDEV)
        tree.link(node, parent, name)

    def path_readlink(self, fd: int, path: int, length: int, buffer: int, size: int, result: int) -> None:
        """A target longer than the buffer is cut, as readlink does."""
        tree, folder, _ = self.directory(fd, Rights.PATH_READLINK)
        node = resolve(tree, folder, self.memory.text(path, length), False)
        if not isinstance(node, Symlink):
            fail(EINVAL)
        self.memory.check(result, 4)
        target = node.target.encode()[:size]
        self.memory.store(buffer, target)
        self.memory.store_u32(result, len(target))

    def path_remove_directory(self, fd: int, path: int, length: int) -> None:
        tree, folder, _ = self.directory(fd, Rights.PATH_REMOVE_DIRECTORY)
        parent, name, _ = locate(tree, folder, self.memory.text(path, length), False)
        if not name:
            fail(EINVAL)
        tree.remove_directory(parent, name)

    def path_rename(
        self, fd: int, path: int, length: int, new_fd: int, new_path: int, new_length: int
    ) -> None:
        tree, folder, _ = self.directory(fd, Rights.PATH_RENAME_SOURCE)
        new_tree, new_folder, _ = self.directory(new_fd, Rights.PATH_RENAME_TARGET)
        old, new = self.memory.text(path, length), self.memory.text(new_path, new_length)
        parent, name, node = _plain(locate(tree, folder, old.rstrip("/") or old, False))
        new_parent, new_name, _ = _plain(locate(new_tree, new_folder, new.rstrip("/") or new, False))
        if node is None:
            fail(ENOENT)
        if (old[-1] == "/" or new[-1] == "/") and not isinstance(node, Directory):
            fail(ENOTDIR)
        if new_tree is not tree:
            fail(EXDEV)
        tree.rename(parent, name, new_parent, new_name)

    def path_symlink(self, target: int, target_length: int, fd: int, path: int, length: int) -> None:
        """EPERM for an absolute target outside the tree. Relative ones are checked when followed."""
        tree, folder, _ = self.directory(fd, Rights.PATH_SYMLINK)
        text, new = self.memory.text(target, target_length), self.memory.text(path, length)
        parent, name, existing = locate(tree, folder, new, False)
        if existing is not None:
            fail(EEXIST)
        if new[-1] == "/":
            fail(ENOENT)
        if text.startswith("/") and not beneath(tree, text):
            fail(EPERM)
        tree.make_symlink(parent, name, text)

    def path_unlink_file(self, fd: int, path: int, length: int) -> None:
        tree, folder, _ = self.directory(fd, Rights.PATH_UNLINK_FILE)
        text = self.memory.text(path, length)
        parent, name, node = locate(tree, folder, text, False)
        if not name:
            fail(EISDIR)
        if node is not None and text[-1] == "/" and not isinstance(node, Directory):
            fail(ENOTDIR)
        tree.unlink(parent, name)


def _plain(place: Location) -> Location:
    """EINVAL for paths that end in "." or "..": nothing can be moved from or to there."""
    if not place[1]:
        fail(EINVAL)
    return place
