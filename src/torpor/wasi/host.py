"""What all WASI calls share: the state of one guest, and the checks that open almost every call.

Calls are methods named as in the specification. Arguments arrive as unsigned integers; a method
returns None for success or raises WasiError (or an OSError from the file system below). Anything
else it raises ends the guest.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from torpor.limits import WorkspaceQuota
from torpor.wasi.abi import Errno, Rights
from torpor.wasi.clock import Clock, GuestClock, HostClock
from torpor.wasi.descriptors import Descriptor, DescriptorTable
from torpor.wasi.devices import NullDevice, StandardStream
from torpor.wasi.errors import WasiError
from torpor.wasi.memory import BoundMemory, GuestMemory
from torpor.workspace.filetree import Tree
from torpor.workspace.nodes import Device, DeviceNode, Directory

_STREAMS = 3
#: `count` random bytes.
Entropy = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class Streams:
    """Descriptors 0, 1 and 2. Set `terminals` to make the guest believe in a terminal."""

    stdin: Device = field(default_factory=NullDevice)
    stdout: Device = field(default_factory=NullDevice)
    stderr: Device = field(default_factory=NullDevice)
    terminals: tuple[bool, bool, bool] = (False, False, False)


class Host:
    """One guest's world. `preopens` become descriptors 3, 4, ... in their order; the order is part
    of a guest's memory. Trees may be shared with other guests."""

    def __init__(
        self,
        *,
        args: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        preopens: Sequence[Tree] = (),
        streams: Streams | None = None,
        clock: Clock | None = None,
        entropy: Entropy = os.urandom,
        quota: WorkspaceQuota | None = None,
    ) -> None:
        self.args: Sequence[str] = args
        self.env: Mapping[str, str] = env or {}
        self.clock = GuestClock(clock or HostClock())
        self.entropy = entropy
        self.trees = tuple(preopens)
        quota = quota or WorkspaceQuota()
        self._path_bytes = quota.path_bytes
        self.table = DescriptorTable(quota.open_files, first_free=_STREAMS + len(self.trees))
        self.memory: GuestMemory  # bound after instantiation
        streams = streams or Streams()
        self.streams = tuple(
            StandardStream(device, terminal=terminal)
            for device, terminal in zip(
                (streams.stdin, streams.stdout, streams.stderr), streams.terminals, strict=True
            )
        )
        self._open_initial()

    def _initial(self) -> list[Descriptor]:
        streams = [self.stream_descriptor(stream) for stream in self.streams]
        return streams + [self.preopen_descriptor(tree) for tree in self.trees]

    def _open_initial(self) -> None:
        for fd, descriptor in enumerate(self._initial()):
            self.table.place(fd, descriptor)

    def restore_initial(self) -> None:
        """Bring back standard streams and preopened folders that the guest closed, replaced or gave up
        rights on, between executions: without them no later one could print, open a file or answer."""
        for fd, descriptor in enumerate(self._initial()):
            if self.table.get(fd) is not None:
                self.table.close(fd)
            self.table.place(fd, descriptor)

    @staticmethod
    def stream_descriptor(stream: StandardStream) -> Descriptor:
        return Descriptor(DeviceNode(0, stream), None, Rights.DEVICE)

    def preopen_descriptor(self, tree: Tree) -> Descriptor:
        return Descriptor(
            tree.root,
            tree,
            Rights.DIRECTORY,
            Rights.ALL,
            preopen=tree.guest_path,
            device_number=self.device_number(tree),
        )

    def device_number(self, tree: Tree) -> int:
        """What the guest sees as st_dev: the place among the preopens, from 1."""
        return self.trees.index(tree) + 1

    def bind(self, memory: BoundMemory) -> None:
        """Give the calls the instance's memory; before any export is called."""
        self.memory = GuestMemory(memory, self._path_bytes)

    def set_streams(
        self, stdin: Device | None = None, stdout: Device | None = None, stderr: Device | None = None
    ) -> None:
        """Exchange devices between executions; None keeps one."""
        for stream, device in zip(self.streams, (stdin, stdout, stderr), strict=True):
            stream.device = device or stream.device

    def close(self) -> None:
        """Close every descriptor, so that shared trees can let unlinked files go. Idempotent."""
        self.table.clear()

    # Checks --------------------------------------------------------------------------------------

    def descriptor(self, fd: int, right: int) -> Descriptor:
        """EBADF when not open, ENOTCAPABLE without the right (EISDIR where a directory is no file)."""
        descriptor = self.table.get(fd)
        if descriptor is None:
            raise WasiError(Errno.BADF)
        if not descriptor.rights & right:
            wrong_kind = isinstance(descriptor.node, Directory) and not right & Rights.DIRECTORY
            raise WasiError(Errno.ISDIR if wrong_kind else Errno.NOTCAPABLE)
        return descriptor

    def directory(self, fd: int, right: int) -> tuple[Tree, Directory, Descriptor]:
        """The folder a path begins in. EBADF, ENOTDIR, ENOTCAPABLE."""
        descriptor = self.table.get(fd)
        if descriptor is None:
            raise WasiError(Errno.BADF)
        node, tree = descriptor.node, descriptor.tree
        if not isinstance(node, Directory) or tree is None:
            raise WasiError(Errno.NOTDIR)
        if not descriptor.rights & right:
            raise WasiError(Errno.NOTCAPABLE)
        return tree, node, descriptor
