"""An in-memory file system with quotas: what a guest's folder is made of.

Operations work on nodes and names; finding a node by path is `resolution`'s job. They follow POSIX
and raise OSError with its errno. A limit is enforced at the change that would cross it, before
anything is allocated. Knows no Wasm and no storage; touches the host only through the fixed list of
read-only files it was given.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from errno import (
    EEXIST,
    EFBIG,
    EINVAL,
    EISDIR,
    ENAMETOOLONG,
    ENOENT,
    ENOSPC,
    ENOTDIR,
    ENOTEMPTY,
    EPERM,
    EROFS,
)
from pathlib import Path, PurePosixPath
from typing import NoReturn

from torpor.engines import ReadOnlyMount
from torpor.limits import WorkspaceQuota
from torpor.workspace.manifest import Manifest
from torpor.workspace.nodes import (
    Device,
    DeviceNode,
    Directory,
    File,
    HiddenDirectory,
    HostFile,
    Node,
    Symlink,
)

ROOT_INODE = 1
#: Nanoseconds by which a coarse clock may stand still.
_CLOCK_STEP = 1_000_000_000


def fail(errno: int) -> NoReturn:
    """Raise the OSError of a POSIX errno."""
    raise OSError(errno, os.strerror(errno))


class Tree:
    """A mounted folder.

    `guest_path` is where the guest sees it; absolute symlinks are followed only beneath it.
    `version` moves with every change that a manifest can show, so "nothing changed" needs no walk.
    `durable` trees are saved as files by their owner; open files of others are saved with the guest.
    """

    def __init__(
        self,
        guest_path: str = "/workspace",
        quota: WorkspaceQuota | None = None,
        *,
        read_only: bool = False,
        durable: bool = True,
        now: Callable[[], int] = time.time_ns,
    ) -> None:
        self.guest_path = guest_path
        self.quota = quota or WorkspaceQuota()
        self.read_only = read_only
        self.durable = durable
        self.now = now
        self.root = Directory(ROOT_INODE, now(), None)
        self.next_inode = ROOT_INODE + 1
        self.version = 0
        #: Contents of all files, the unlinked ones that are still open included.
        self.bytes_used = 0
        #: Names in the tree, the root not counted.
        self.entry_count = 0
        #: Nodes without a name that descriptors keep alive, by inode.
        self.orphans: dict[int, Node] = {}
        #: The manifest this tree equals as long as `version` is `base_version`.
        self.base: Manifest | None = None
        self.base_version = -1

    # Names ---------------------------------------------------------------------------------------

    def create_file(self, parent: Directory, name: str) -> File:
        """A new empty file. EEXIST, ENOSPC (entries), ENAMETOOLONG, EROFS."""
        self._require_free(parent, name)
        node = File(self.new_inode(), self.now())
        self._enter(parent, name, node)
        return node

    def make_directory(self, parent: Directory, name: str) -> Directory:
        self._require_free(parent, name)
        node = Directory(self.new_inode(), self.now(), parent)
        self._enter(parent, name, node)
        return node

    def make_symlink(self, parent: Directory, name: str, target: str) -> Symlink:
        """A symlink; its target need not exist, and is checked only when it is followed."""
        if not target:
            fail(ENOENT)
        if len(target.encode()) > self.quota.path_bytes:
            fail(ENAMETOOLONG)
        self._require_free(parent, name)
        node = Symlink(self.new_inode(), self.now(), target)
        self._enter(parent, name, node)
        return node

    def link(self, node: Node, parent: Directory, name: str) -> None:
        """A further name of a file or symlink. EPERM for a directory."""
        if isinstance(node, Directory):
            fail(EPERM)
        self._require_free(parent, name)
        node.nlink += 1
        node.ctime = self.now()
        self._enter(parent, name, node)

    def unlink(self, parent: Directory, name: str) -> None:
        """Remove a name of a file or symlink. Open descriptors keep the content."""
        node = self._existing(parent, name)
        if isinstance(node, Directory):
            fail(EISDIR)
        self._leave(parent, name)
        self._drop(node)

    def remove_directory(self, parent: Directory, name: str) -> None:
        node = self._existing(parent, name)
        if not isinstance(node, Directory):
            fail(ENOTDIR)
        if node.entries:
            fail(ENOTEMPTY)
        self._leave(parent, name)
        self._drop(node)

    def rename(self, source: Directory, name: str, target: Directory, new_name: str) -> None:
        """Move a name, replacing a file by a file or an empty directory by a directory."""
        node = self._existing(source, name)
        replaced = target.entries.get(new_name)
        if replaced is node:
            return  # two names of one file: POSIX leaves both
        self._check_rename(node, replaced, target)
        self._check_name(target, new_name, node)
        self._leave(source, name)
        if replaced is not None:
            self._leave(target, new_name)
            self._drop(replaced)
        if isinstance(node, Directory):
            node.parent = target
        node.ctime = self.now()
        self._enter(target, new_name, node)

    @staticmethod
    def _check_rename(node: Node, replaced: Node | None, target: Directory) -> None:
        if not isinstance(node, Directory):
            if isinstance(replaced, Directory):
                fail(EISDIR)
            return
        ancestor: Directory | None = target
        while ancestor is not None:
            if ancestor is node:
                fail(EINVAL)
            ancestor = ancestor.parent
        if replaced is not None and not isinstance(replaced, Directory):
            fail(ENOTDIR)
        if replaced is not None and replaced.entries:
            fail(ENOTEMPTY)

    def _existing(self, parent: Directory, name: str) -> Node:
        node = parent.entries.get(name)
        if node is None:
            fail(ENOENT)
        self.require_writable()
        return node

    def _require_free(self, parent: Directory, name: str) -> None:
        if name in parent.entries:
            fail(EEXIST)
        self.require_writable()
        if self.entry_count >= self.quota.entries:
            fail(ENOSPC)
        self._check_name(parent, name, None)

    def require_writable(self) -> None:
        if self.read_only:
            fail(EROFS)

    def _check_name(self, parent: Directory, name: str, moved: Node | None) -> None:
        """Name and path lengths, also of everything below a directory that moves."""
        if not parent.nlink:
            fail(ENOENT)  # the directory was removed while open
        length = len(name.encode())
        if length > self.quota.name_bytes:
            fail(ENAMETOOLONG)
        above: Directory | None = parent
        while above is not None and above is not self.root:
            # A directory does not know its own name: assume the longest, and look it up only when
            # that would be too long.
            length += self.quota.name_bytes + 1
            above = above.parent
        if length > self.quota.path_bytes or isinstance(moved, Directory):
            self._check_path_length(parent, name, moved)

    def _check_path_length(self, parent: Directory, name: str, moved: Node | None) -> None:
        length = len(self.path_of(parent, name).encode())
        if isinstance(moved, Directory):
            length += max((len(path.encode()) + 1 for path, _ in walk(moved) if path), default=0)
        if length > self.quota.path_bytes:
            fail(ENAMETOOLONG)

    def path_of(self, directory: Directory, name: str = "") -> str:
        """The path of `name` in `directory`, relative to the tree."""
        parts = [name] if name else []
        while directory.parent is not None and directory is not self.root:
            parts.append(next((n for n, d in directory.parent.entries.items() if d is directory), "?"))
            directory = directory.parent
        return "/".join(reversed(parts))

    def new_inode(self) -> int:
        inode = self.next_inode
        self.next_inode += 1
        return inode

    def _enter(self, parent: Directory, name: str, node: Node) -> None:
        parent.entries[name] = node
        self.entry_count += 1
        self._touch_directory(parent)

    def _leave(self, parent: Directory, name: str) -> None:
        del parent.entries[name]
        self.entry_count -= 1
        self._touch_directory(parent)

    def _touch_directory(self, directory: Directory) -> None:
        # Guests cache listings by a directory's mtime, so it must move even when the clock does not;
        # but a time the guest has set far ahead is no reason to stay there.
        now = self.now()
        ahead = now <= directory.mtime < now + _CLOCK_STEP
        directory.mtime = directory.ctime = directory.mtime + 1 if ahead else now
        directory.version += 1
        self.version += 1

    def _drop(self, node: Node) -> None:
        """One name less."""
        node.nlink -= 1
        node.ctime = self.now()
        if node.nlink > 0:
            return
        if node.opens:
            self.orphans[node.inode] = node
        else:
            self.bytes_used -= node.size if isinstance(node, File) else 0

    # Descriptors ---------------------------------------------------------------------------------

    def opened(self, node: Node) -> None:
        node.opens += 1

    def closed(self, node: Node) -> None:
        """The last descriptor of an unlinked file gives its bytes back."""
        node.opens -= 1
        if not node.opens and not node.nlink and self.orphans.pop(node.inode, None) is not None:
            self.bytes_used -= node.size if isinstance(node, File) else 0

    def adopt_orphan(self, node: Node) -> None:
        """Take in a node without a name that an open descriptor is about to keep alive."""
        node.nlink = 0
        self.orphans[node.inode] = node
        self.bytes_used += node.size if isinstance(node, File) else 0
        self.next_inode = max(self.next_inode, node.inode + 1)

    # Contents ------------------------------------------------------------------------------------

    def write(self, file: File, offset: int, data: bytes | memoryview) -> int:
        """Put `data` at `offset`, zeros before it where the file was shorter. EFBIG, ENOSPC."""
        if not data:
            return 0
        end = offset + len(data)
        size = len(file.content)
        if end > size:
            self._reserve(end, end - size)
        content = file.writable()
        if offset > size:
            content.extend(bytes(offset - size))
        content[offset:end] = data
        self._touch_file(file)
        return end - offset

    def truncate(self, file: File, size: int) -> None:
        """Cut the file, or lengthen it with zeros."""
        self.require_writable()
        old = len(file.content)
        if size > old:
            self._reserve(size, size - old)
            file.writable().extend(bytes(size - old))
        else:
            self.bytes_used -= old - size
            del file.writable()[size:]
        self._touch_file(file)

    def _reserve(self, size: int, growth: int) -> None:
        if size > self.quota.file_bytes:
            fail(EFBIG)
        if self.bytes_used + growth > self.quota.total_bytes:
            fail(ENOSPC)
        self.bytes_used += growth

    def _touch_file(self, file: File) -> None:
        file.mtime = file.ctime = self.now()
        self.version += 1

    def set_times(self, node: Node, atime: int | None, mtime: int | None) -> None:
        """Nanoseconds; None leaves a time as it is."""
        self.require_writable()
        if atime is not None:
            node.atime = atime
        if mtime is not None:
            node.mtime = mtime
            self.version += 1
        node.ctime = self.now()


def walk(directory: Directory) -> Iterator[tuple[str, Node]]:
    """(path, node) of everything below `directory`, itself first as "". Not recursive: guests decide
    how deep it goes."""
    yield "", directory
    pending: list[tuple[str, Directory]] = [("", directory)]
    while pending:
        prefix, current = pending.pop()
        for name, node in current.entries.items():
            path = prefix + name
            yield path, node
            if isinstance(node, Directory):
                pending.append((path + "/", node))


# Read-only trees -------------------------------------------------------------------------------------


def read_only_tree(guest_path: str, mounts: Iterable[ReadOnlyMount]) -> Tree:
    """The mounts that lie at or beneath `guest_path`, as one tree of the host's files.

    Everything in it has the time 0, because guests keep times in their memory and that memory
    travels between machines. Raises OSError when a host path is missing.
    """
    tree = Tree(guest_path, read_only=True, durable=False, now=lambda: 0)
    for mount in sorted(mounts, key=lambda m: m.guest_path):
        below = PurePosixPath(mount.guest_path)
        if below.is_relative_to(guest_path):
            _show(tree, below.relative_to(guest_path).parts, mount.host_path.resolve(strict=True))
    return tree


def device_tree(guest_path: str, devices: Mapping[str, DeviceNode | Device]) -> Tree:
    """A read-only folder of devices by name."""
    tree = Tree(guest_path, read_only=True, durable=False, now=lambda: 0)
    for name, device in devices.items():
        node = device if isinstance(device, DeviceNode) else DeviceNode(0, device)
        node.inode = tree.new_inode()
        tree.root.entries[name] = node
    return tree


def _show(tree: Tree, parts: tuple[str, ...], host: Path) -> None:
    directory, kind = tree.root, Directory
    for part in parts[:-1]:
        if isinstance(directory.entries.get(part), HostFile):
            kind = HiddenDirectory
        directory = _folder(tree, directory, part, kind)
    if host.is_dir():
        _show_folder(tree, _folder(tree, directory, parts[-1]) if parts else directory, host)
    else:
        directory.entries[parts[-1]] = HostFile(tree.new_inode(), host, host.stat().st_size)


def _folder(tree: Tree, parent: Directory, name: str, kind: type[Directory] = Directory) -> Directory:
    """The folder `name`, made when missing; below a file it is that file's own."""
    node = parent.entries.get(name)
    if isinstance(node, Directory):
        return node
    if isinstance(node, HostFile) and node.below is not None:
        return node.below
    made = kind(tree.new_inode(), 0, parent)
    if isinstance(node, HostFile):
        node.below = made
    else:
        parent.entries[name] = made
    return made


def _show_folder(tree: Tree, directory: Directory, host: Path) -> None:
    # Sorted, so that inode numbers are the same on every machine. Linked folders are left out: they
    # could form cycles, and no engine package needs one.
    for entry in sorted(os.scandir(host), key=lambda e: e.name):
        if entry.is_dir(follow_symlinks=False):
            _show_folder(tree, _folder(tree, directory, entry.name), Path(entry.path))
        elif entry.is_file():
            path = Path(entry.path).resolve()
            directory.entries[entry.name] = HostFile(tree.new_inode(), path, path.stat().st_size)
