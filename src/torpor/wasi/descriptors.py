"""A guest's open descriptors: which node each stands for, where it reads, what it may do."""

from dataclasses import dataclass, field

from torpor.limits import SPARE_DESCRIPTORS
from torpor.wasi.abi import Errno, FileType, Rights
from torpor.wasi.devices import StandardStream
from torpor.wasi.errors import WasiError
from torpor.workspace.filetree import Tree
from torpor.workspace.nodes import DeviceNode, Directory, File, HostFile, Node, Symlink


@dataclass(slots=True, eq=False)
class Descriptor:
    """`tree` is None for the standard streams. `path` is where it was opened, relative to the tree:
    enough to find read-only files and devices again. `preopen` is a preopened folder's guest path."""

    node: Node
    tree: Tree | None
    rights: int
    inheriting: int = 0
    flags: int = 0
    offset: int = 0
    path: str = ""
    preopen: str | None = None
    device_number: int = 0
    filetype: int = field(init=False)

    def __post_init__(self) -> None:
        self.filetype = filetype_of(self.node)


_FILETYPES: dict[type[Node], int] = {
    File: FileType.REGULAR_FILE,
    HostFile: FileType.REGULAR_FILE,
    Directory: FileType.DIRECTORY,
    Symlink: FileType.SYMBOLIC_LINK,
}


def filetype_of(node: Node) -> int:
    """What a guest is told the node is."""
    if not isinstance(node, DeviceNode):
        return _FILETYPES[type(node)]
    device = node.device
    if isinstance(device, StandardStream) and not device.terminal:
        return FileType.UNKNOWN  # guests would take a character device for a terminal
    return FileType.CHARACTER_DEVICE


def rights_of(node: Node) -> int:
    """The rights that make sense on the node."""
    if isinstance(node, Directory):
        return Rights.DIRECTORY
    if isinstance(node, DeviceNode):
        return Rights.SEEKABLE_DEVICE if node.seekable else Rights.DEVICE
    return Rights.FILE


class DescriptorTable:
    """Number -> descriptor, at most `limit` of them.

    Numbers are handed out from `first_free`, so that a guest which closed its standard output or a
    preopened folder does not find a file in that place later.
    """

    __slots__ = ("_entries", "_first_free", "_limit", "_next", "get")

    def __init__(self, limit: int, first_free: int) -> None:
        self._entries: dict[int, Descriptor] = {}
        #: The plain lookup, for the calls made a thousand times: a Descriptor or None.
        self.get = self._entries.get
        self._limit = limit
        self._first_free = self._next = first_free

    def __getitem__(self, fd: int) -> Descriptor:
        """EBADF when it is not open."""
        descriptor = self.get(fd)
        if descriptor is None:
            raise WasiError(Errno.BADF)
        return descriptor

    def items(self) -> list[tuple[int, Descriptor]]:
        """Sorted by number."""
        return sorted(self._entries.items())

    def __len__(self) -> int:
        return len(self._entries)

    def require_room(self, tree: Tree | None) -> None:
        """EMFILE when no further descriptor may be opened in the tree."""
        # A harness answers over a device: a guest that has used up its files can still be told so.
        spare = SPARE_DESCRIPTORS if tree is not None and not tree.durable else 0
        if len(self._entries) >= self._limit + spare:
            raise WasiError(Errno.MFILE)

    def open(self, descriptor: Descriptor) -> int:
        """Give it the lowest free number. EMFILE."""
        self.require_room(descriptor.tree)
        fd = self._next
        while fd in self._entries:
            fd += 1
        self.place(fd, descriptor)
        self._next = fd + 1
        return fd

    def place(self, fd: int, descriptor: Descriptor) -> None:
        """Put it at a number, which must be free."""
        self._entries[fd] = descriptor
        if descriptor.tree is not None:
            descriptor.tree.opened(descriptor.node)

    def close(self, fd: int) -> None:
        descriptor = self[fd]
        del self._entries[fd]
        if self._first_free <= fd < self._next:
            self._next = fd
        if descriptor.tree is not None:
            descriptor.tree.closed(descriptor.node)

    def renumber(self, source: int, target: int) -> None:
        """Move a descriptor over another open one, which is closed."""
        descriptor = self[source]
        self[target]
        if source == target:
            return
        self.close(target)
        del self._entries[source]
        self._entries[target] = descriptor
        if self._first_free <= source < self._next:
            self._next = source

    def clear(self) -> None:
        """Close all, so that unlinked files give their space back."""
        for fd in list(self._entries):
            self.close(fd)
