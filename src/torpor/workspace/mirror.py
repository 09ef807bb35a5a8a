"""Between an in-memory tree and the manifests that travel and are stored.

`missing` and `sync` bring a tree to a manifest in place: nodes keep their identity by inode number, so
descriptors that are open in live guests go on working. `diff` says what a guest changed, hashing only
files written since they were last hashed, and walking nothing when nothing was changed. Access times
are no part of a manifest.
"""

import hashlib
from collections.abc import Iterator, Mapping
from errno import ESTALE

from torpor.errors import StorageError
from torpor.workspace.filetree import Tree, fail, walk
from torpor.workspace.manifest import Changes, Entry, Kind, Manifest
from torpor.workspace.nodes import Directory, File, Node, Symlink

_MAX_TIME = 2**63 - 1
_KINDS: dict[type[Node], Kind] = {File: "file", Directory: "directory", Symlink: "symlink"}


def is_at(tree: Tree, manifest: Manifest) -> bool:
    """Whether the tree is known to equal the manifest, without walking it."""
    known = tree.base is not None and tree.base_version == tree.version
    return known and (tree.base is manifest or tree.base == manifest)


def settle(tree: Tree, manifest: Manifest) -> None:
    """Take note that the tree equals `manifest`, which its last `diff` led to (after a commit)."""
    tree.base, tree.base_version = manifest, tree.version


def missing(tree: Tree, manifest: Manifest) -> frozenset[str]:
    """The digests of contents that `sync` would need from outside."""
    if is_at(tree, manifest):
        return frozenset()
    wanted = {entry.digest for entry in manifest.entries.values() if entry.digest is not None}
    return frozenset(wanted.difference(file.digest() for file in _files(tree)))


def sync(tree: Tree, manifest: Manifest, contents: Mapping[str, bytes]) -> None:
    """Make the tree equal `manifest`, taking from `contents` (by SHA-256) what it lacks.

    Everything is checked first: after a StorageError the tree is as it was.
    """
    if is_at(tree, manifest):
        return
    _check_shape(manifest)
    found = {file.digest(): file.freeze() for file in _files(tree)}
    for digest in missing(tree, manifest):
        found[digest] = _verified(digest, contents)
    _check_sizes(manifest, found)
    _Rebuild(tree, manifest, found).run()
    settle(tree, manifest)


def diff(tree: Tree, base: Manifest) -> tuple[Changes, dict[str, bytes]]:
    """What turns `base` into the tree, and the contents by digest that `base` did not have."""
    if is_at(tree, base):
        return Changes(next_inode=tree.next_inode), {}
    upserts: list[Entry] = []
    nodes: dict[str, File] = {}
    seen = 0
    for path, node in walk(tree.root):
        old = base.entries.get(path)
        seen += old is not None
        if old is not None and _equals(node, old):
            continue
        upserts.append(entry_of(path, node))
        if isinstance(node, File) and (old is None or old.digest != node.digest()):
            nodes[node.digest()] = node
    deleted = _deleted(tree, base) if seen < len(base.entries) else ()
    changes = Changes(tuple(sorted(upserts, key=lambda e: e.path)), deleted, tree.next_inode)
    known = {entry.digest for entry in base.entries.values()} if nodes else set()
    return changes, {digest: file.freeze() for digest, file in nodes.items() if digest not in known}


def manifest_of(tree: Tree) -> Manifest:
    """The whole tree as a manifest."""
    return Manifest({path: entry_of(path, node) for path, node in walk(tree.root)}, tree.next_inode)


def entry_of(path: str, node: Node) -> Entry:
    """One node as an entry. Raises OSError (ESTALE) for devices and host files, which no manifest shows."""
    kind = _KINDS.get(type(node)) or fail(ESTALE)
    if isinstance(node, File):
        return Entry(path, kind, node.inode, node.mtime, node.size, node.digest())
    if isinstance(node, Symlink):
        return Entry(path, kind, node.inode, node.mtime, target=node.target)
    return Entry(path, kind, node.inode, node.mtime)


def _equals(node: Node, entry: Entry) -> bool:
    if node.inode != entry.inode or node.mtime != entry.mtime or _KINDS.get(type(node)) != entry.kind:
        return False
    if isinstance(node, File):
        return len(node.content) == entry.size and node.digest() == entry.digest
    return not isinstance(node, Symlink) or node.target == entry.target


def _deleted(tree: Tree, base: Manifest) -> tuple[str, ...]:
    present = {path for path, _ in walk(tree.root)}
    return tuple(sorted(path for path in base.entries if path not in present))


def _files(tree: Tree) -> Iterator[File]:
    """All files, the unlinked open ones included."""
    for _, node in walk(tree.root):
        if isinstance(node, File):
            yield node
    yield from (node for node in tree.orphans.values() if isinstance(node, File))


# Checks before anything is touched -------------------------------------------------------------------


def _verified(digest: str, contents: Mapping[str, bytes]) -> bytes:
    content = contents.get(digest)
    if content is None:
        raise StorageError(
            f"the content {digest[:12]} of a workspace file was not delivered", context={"digest": digest}
        )
    if hashlib.sha256(content).hexdigest() != digest:
        raise StorageError(
            f"the content {digest[:12]} of a workspace file is damaged", context={"digest": digest}
        )
    return content


def _check_shape(manifest: Manifest) -> None:
    """Every entry in an existing directory, with a usable name; inodes shared only by equal files."""
    entries = manifest.entries
    by_inode: dict[int, Entry] = {}
    root = entries.get("")
    if root is None or root.kind != "directory":
        raise StorageError("the workspace manifest has no root directory")
    for path, entry in entries.items():
        parent, _, name = path.rpartition("/")
        known = by_inode.setdefault(entry.inode, entry)
        usable = not path or (name not in ("", ".", "..") and "\0" not in name)
        placed = not path or (parent in entries and entries[parent].kind == "directory")
        alike = known is entry or (
            entry.kind == known.kind != "directory"
            and (entry.digest, entry.target) == (known.digest, known.target)
        )
        counted = 0 < entry.inode < manifest.next_inode and 0 <= entry.mtime <= _MAX_TIME
        if not (usable and placed and alike and counted and path == entry.path):
            raise StorageError(f"the workspace manifest is damaged at {path!r}", context={"path": path})


def _check_sizes(manifest: Manifest, found: Mapping[str, bytes]) -> None:
    for path, entry in manifest.entries.items():
        if entry.kind == "file" and (entry.digest is None or len(found[entry.digest]) != entry.size):
            raise StorageError(f"the size of {path!r} is not that of its content", context={"path": path})


# Rebuilding ------------------------------------------------------------------------------------------


class _Rebuild:
    """One `sync`, after its checks: nothing in here may fail."""

    def __init__(self, tree: Tree, manifest: Manifest, contents: Mapping[str, bytes]) -> None:
        self._tree = tree
        self._manifest = manifest
        self._contents = contents
        linked = {node.inode: node for _, node in walk(tree.root)}
        self._before = {**tree.orphans, **linked}
        self._placed: dict[int, Node] = {}

    def run(self) -> None:
        directories: dict[str, Directory] = {}
        for path in sorted(self._manifest.entries):  # parents before what is in them
            entry = self._manifest.entries[path]
            node = self._place(entry)
            if path:
                self._enter(directories, path, node)
            if isinstance(node, Directory):
                directories[path] = node
        self._forget()
        self._account()

    def _place(self, entry: Entry) -> Node:
        node = self._placed.get(entry.inode)
        if node is not None:
            return node
        node = self._tree.root if not entry.path else self._before.get(entry.inode)
        if node is None or _KINDS.get(type(node)) != entry.kind:
            node = self._new(entry)
        node.inode, node.mtime, node.nlink = entry.inode, entry.mtime, 1 if not entry.path else 0
        if isinstance(node, Directory):
            node.entries = {}
            node.version += 1
        elif isinstance(node, Symlink):
            node.target = entry.target or ""
        elif isinstance(node, File) and entry.digest and node.digest() != entry.digest:
            node.replace(self._contents[entry.digest], entry.digest)
        self._placed[entry.inode] = node
        return node

    def _new(self, entry: Entry) -> Node:
        if entry.kind == "directory":
            return Directory(entry.inode, entry.mtime, None)
        if entry.kind == "symlink":
            return Symlink(entry.inode, entry.mtime, entry.target or "")
        return File(entry.inode, entry.mtime, self._contents[entry.digest or ""], entry.digest)

    @staticmethod
    def _enter(directories: Mapping[str, Directory], path: str, node: Node) -> None:
        parent, _, name = path.rpartition("/")
        directories[parent].entries[name] = node
        node.nlink += 1
        if isinstance(node, Directory):
            node.parent = directories[parent]

    def _forget(self) -> None:
        """Nodes that lost their last name live on only in open descriptors."""
        kept = set(map(id, self._placed.values()))
        gone = [node for node in self._before.values() if id(node) not in kept]
        for node in gone:
            node.nlink = 0
            if isinstance(node, Directory):
                node.entries, node.version = {}, node.version + 1
        self._tree.orphans = {node.inode: node for node in gone if node.opens}

    def _account(self) -> None:
        tree = self._tree
        nodes = [*self._placed.values(), *tree.orphans.values()]
        tree.bytes_used = sum(node.size for node in nodes if isinstance(node, File))
        tree.entry_count = len(self._manifest.entries) - 1
        tree.next_inode = max(self._manifest.next_inode, *(inode + 1 for inode in tree.orphans), 0)
        tree.version += 1
