"""What lies outside a guest's memory and must be saved beside it: open descriptors and the clocks.

`capture` takes it between calls, `restore` puts it into a new Preview1 with the same preopens. Files
are recognised by inode number in durable trees, by path elsewhere; one that has no name any more
comes back from its content. The JSON is read as untrusted input: an imported sandbox brings it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from torpor.errors import CorruptSnapshotError
from torpor.wasi.abi import OFFSET_MAX, FdFlags, Rights
from torpor.wasi.descriptors import Descriptor, rights_of
from torpor.wasi.devices import StandardStream
from torpor.wasi.preview1 import Preview1
from torpor.workspace.filetree import Tree, walk
from torpor.workspace.nodes import DeviceNode, Directory, File, Node
from torpor.workspace.resolution import resolve

_FORMAT = 1
_MAX_FD = 2**31 - 1

Kind = Literal["stream", "file", "directory", "readonly"]


@dataclass(frozen=True, slots=True)
class DescriptorState:
    """One open descriptor. `tree` is the guest path of its preopen and `path` where it was opened in it.

    Of a "stream" `inode` is 0, 1 or 2; "readonly" is a host file or a device. `digest` is a file's
    SHA-256 at capture, `linked` whether it had a name.
    """

    fd: int
    kind: Kind
    inode: int
    tree: str = ""
    path: str = ""
    preopen: bool = False
    rights: int = 0
    inheriting: int = 0
    flags: int = 0
    offset: int = 0
    digest: str | None = None
    linked: bool = True


@dataclass(frozen=True, slots=True)
class GuestState:
    """Clock readings in nanoseconds, and all open descriptors by rising number."""

    monotonic: int
    cpu: int
    descriptors: tuple[DescriptorState, ...]

    def to_json(self) -> str:
        rows = [{name: getattr(row, name) for name in _NAMES} for row in self.descriptors]
        document = {"format": _FORMAT, "monotonic": self.monotonic, "cpu": self.cpu, "descriptors": rows}
        return json.dumps(document, separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "GuestState":
        """Raises CorruptSnapshotError for anything `to_json` does not write."""
        try:
            document = json.loads(text)
            if document.pop("format") != _FORMAT:
                raise ValueError("unknown format")
            rows = tuple(_descriptor_state(row) for row in document.pop("descriptors"))
            _require(len({row.fd for row in rows}) == len(rows))
            _require(all(_natural(document[name]) for name in ("monotonic", "cpu")))
            return cls(descriptors=rows, **document)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise CorruptSnapshotError(f"a context's saved descriptors cannot be read: {error}") from None


def _require(condition: bool) -> None:
    if not condition:
        raise ValueError("a field has a value it cannot have")


def _natural(value: Any, limit: int = OFFSET_MAX) -> bool:
    return type(value) is int and 0 <= value <= limit


_NAMES = tuple(field.name for field in fields(DescriptorState))
_FIELDS = frozenset(_NAMES)
_KINDS = frozenset({"stream", "file", "directory", "readonly"})


def _descriptor_state(row: Any) -> DescriptorState:
    _require(isinstance(row, dict) and row.keys() == _FIELDS and row["kind"] in _KINDS)
    _require(_natural(row["fd"], _MAX_FD) and _natural(row["inode"]) and _natural(row["offset"]))
    _require(_natural(row["rights"], Rights.ALL) and _natural(row["inheriting"], Rights.ALL))
    _require(_natural(row["flags"], FdFlags.ALL))
    _require(type(row["linked"]) is bool and type(row["preopen"]) is bool)
    _require(isinstance(row["tree"], str) and isinstance(row["path"], str))
    _require(row["digest"] is None or isinstance(row["digest"], str))
    _require((row["kind"] == "file") == (row["digest"] is not None))
    return DescriptorState(**row)


# Capture ---------------------------------------------------------------------------------------------


def capture(preview1: Preview1) -> tuple[GuestState, dict[str, bytes]]:
    """The state, and the contents of all open files by digest.

    The contents of files that have a name are among them, because the name may be removed while the
    guest sleeps; its descriptor must still read what it read.
    """
    held: dict[str, bytes] = {}
    rows = []
    for fd, descriptor in preview1.table.items():
        row = _describe(preview1, fd, descriptor)
        rows.append(row)
        if row.digest is not None and isinstance(descriptor.node, File):
            held[row.digest] = descriptor.node.freeze()
    clock = preview1.clock
    return GuestState(clock.monotonic(), clock.last_cpu, tuple(rows)), held


def _describe(preview1: Preview1, fd: int, descriptor: Descriptor) -> DescriptorState:
    node, tree = descriptor.node, descriptor.tree
    kind: Kind = "directory" if isinstance(node, Directory) else "readonly"
    inode, digest = node.inode, None
    if isinstance(node, DeviceNode) and isinstance(node.device, StandardStream) and tree is None:
        kind, inode = "stream", preview1.streams.index(node.device)
    elif isinstance(node, File):
        kind, digest = "file", node.digest()
    return DescriptorState(
        fd,
        kind,
        inode,
        tree.guest_path if tree is not None else "",
        descriptor.path,
        descriptor.preopen is not None,
        descriptor.rights,
        descriptor.inheriting,
        descriptor.flags,
        descriptor.offset,
        digest,
        node.nlink > 0,
    )


# Restore ---------------------------------------------------------------------------------------------


def needed(state: GuestState, trees: Iterable[Tree]) -> frozenset[str]:
    """The digests whose contents `restore` will need, because their files have no name (any more)."""
    finder = _Finder(trees)
    return frozenset(
        row.digest for row in state.descriptors if row.digest is not None and finder.file(row) is None
    )


def restore(preview1: Preview1, state: GuestState, contents: Mapping[str, bytes]) -> tuple[str, ...]:
    """Replace the descriptors and clocks of a fresh Preview1, whose trees are already in place.

    `contents` has what `needed` asks for. Answers the guest paths of descriptors that could not be
    reopened: their numbers stay unused, so that the guest gets EBADF and not another file.
    """
    finder = _Finder(preview1.trees)
    lost: list[str] = []
    preview1.table.clear()
    for row in state.descriptors:
        descriptor = _reopen(preview1, finder, row, contents)
        if descriptor is None:
            lost.append(f"{row.tree.rstrip('/')}/{row.path}")
        else:
            preview1.table.place(row.fd, descriptor)
    preview1.clock.resume(state.monotonic, state.cpu)
    return tuple(lost)


class _Finder:
    """Finds nodes in trees; walks a tree at most once, and only if needed."""

    def __init__(self, trees: Iterable[Tree]) -> None:
        self._trees = {tree.guest_path: tree for tree in trees}
        self._inodes: dict[str, dict[int, Node]] = {}
        #: Nodes brought back from their content, for further descriptors on the same file.
        self._restored: dict[tuple[str, int], Node] = {}

    def tree(self, row: DescriptorState) -> Tree | None:
        return self._trees.get(row.tree)

    def file(self, row: DescriptorState) -> File | None:
        """The file the descriptor was on, if it is there. Unlinked ones must also have its content,
        since a number that was never committed may have been given to another file."""
        tree = self.tree(row)
        if tree is None:
            return None
        node = self._restored.get((row.tree, row.inode))
        if node is None and row.linked and tree.durable:
            node = self.inode(tree, row.inode)
        elif node is None:
            node = tree.orphans.get(row.inode) if not row.linked else self.path(tree, row.path)
            node = node if isinstance(node, File) and node.digest() == row.digest else None
        return node if isinstance(node, File) else None

    def revive(self, tree: Tree, node: Node) -> Node:
        """Take in a node without a name, under its old number if that is still free."""
        self._restored[tree.guest_path, node.inode] = node
        if self.inode(tree, node.inode) is not None:
            node.inode = tree.new_inode()
        tree.adopt_orphan(node)
        return node

    def directory(self, tree: Tree, row: DescriptorState) -> Directory | None:
        durable = tree.durable and not row.preopen
        node = self.inode(tree, row.inode) if durable else self.path(tree, row.path or ".")
        return node if isinstance(node, Directory) else None

    def inode(self, tree: Tree, inode: int) -> Node | None:
        if tree.guest_path not in self._inodes:
            linked = {node.inode: node for _, node in walk(tree.root)}
            self._inodes[tree.guest_path] = {**tree.orphans, **linked}
        return self._inodes[tree.guest_path].get(inode)

    @staticmethod
    def path(tree: Tree, path: str) -> Node | None:
        try:
            return resolve(tree, tree.root, path, True)
        except OSError:
            return None


def _reopen(
    preview1: Preview1, finder: _Finder, row: DescriptorState, contents: Mapping[str, bytes]
) -> Descriptor | None:
    if row.kind == "stream":
        return _reopen_stream(preview1, row)
    tree = finder.tree(row)
    node = _find(finder, tree, row, contents) if tree is not None else None
    if tree is None or node is None:
        return None
    return Descriptor(
        node,
        tree,
        row.rights & rights_of(node),
        row.inheriting & Rights.ALL,
        row.flags,
        row.offset,
        row.path,
        tree.guest_path if row.preopen and node is tree.root else None,
        preview1.device_number(tree),
    )


def _reopen_stream(preview1: Preview1, row: DescriptorState) -> Descriptor | None:
    if row.inode >= len(preview1.streams):
        return None
    descriptor = preview1.stream_descriptor(preview1.streams[row.inode])
    descriptor.rights &= row.rights
    descriptor.flags = row.flags
    return descriptor


def _find(finder: _Finder, tree: Tree, row: DescriptorState, contents: Mapping[str, bytes]) -> Node | None:
    if row.kind == "directory":
        return finder.directory(tree, row) or finder.revive(tree, Directory(row.inode, tree.now(), None))
    if row.kind == "readonly":
        node = finder.path(tree, row.path)
        return None if isinstance(node, (File, Directory)) else node
    file = finder.file(row)
    if file is not None:
        return file
    content = contents.get(row.digest or "")
    if content is None or hashlib.sha256(content).hexdigest() != row.digest:
        return None
    return finder.revive(tree, File(row.inode, tree.now(), content, row.digest))
