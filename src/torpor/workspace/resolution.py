"""From a path to a node of a tree, never out of that tree.

Symlinks are followed inside the tree: relative targets from where they lie, absolute ones when they
begin with the tree's guest path. ".." may not lead above the directory the walk began in (or, behind
a symlink, above the tree). Raises OSError: ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, and EPERM for every
attempt to leave.
"""

from errno import ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, EPERM

from torpor.workspace.filetree import Tree, fail
from torpor.workspace.nodes import Directory, HiddenDirectory, HostFile, Node, Symlink

#: The directory a name lies in, the name, and its node when it exists. The name is "" when the path
#: ends in "." or "..": then there is nothing that could be created or removed.
Location = tuple[Directory, str, Node | None]


def locate(tree: Tree, start: Directory, path: str, follow: bool) -> Location:
    """Walk `path` from `start`. With `follow`, a symlink at the end is followed too."""
    if len(path) > tree.quota.path_bytes:
        fail(ENAMETOOLONG)
    if not path:
        fail(ENOENT)
    if path[0] == "/":
        fail(EPERM)
    stripped = path.rstrip("/")
    pending = stripped.split("/")
    pending.reverse()
    directory, hops = start, 0
    follow = follow or len(stripped) != len(path)
    while True:
        part = pending.pop()
        if part == ".." or part == "." or not part:
            if part == "..":
                directory = _above(tree, directory, start if not hops else None)
            if not pending:
                return directory, "", None if type(directory) is HiddenDirectory else directory
            continue
        node = directory.entries.get(part)
        if not pending and not (follow and type(node) is Symlink):
            return directory, part, None if type(node) is HiddenDirectory else node
        if type(node) is Directory:
            directory = node
        elif type(node) is Symlink:
            hops += 1
            if hops > tree.quota.symlink_hops:
                fail(ELOOP)
            directory = _expand(tree, directory, node.target, pending)
        else:
            directory = _below(node)


def resolve(tree: Tree, start: Directory, path: str, follow: bool) -> Node:
    """The node at `path`. ENOENT when there is none, ENOTDIR for a file with a trailing slash."""
    node = locate(tree, start, path, follow)[2]
    if node is None:
        fail(ENOENT)
    if path[-1] == "/" and type(node) is not Directory:
        fail(ENOTDIR)
    return node


def _above(tree: Tree, directory: Directory, limit: Directory | None) -> Directory:
    if directory is tree.root or directory is limit or directory.parent is None:
        fail(EPERM)
    return directory.parent


def _below(node: Node | None) -> Directory:
    if type(node) is HostFile and node.below is not None:
        return node.below
    if type(node) is HiddenDirectory:
        return node
    return fail(ENOENT if node is None else ENOTDIR)


def _expand(tree: Tree, directory: Directory, target: str, pending: list[str]) -> Directory:
    """Put a symlink's target before the rest of the walk; answers where that goes on."""
    if target.startswith("/"):
        target = beneath(tree, target) or fail(EPERM)
        directory = tree.root
    pending.extend(reversed(target.split("/")))
    return directory


def beneath(tree: Tree, absolute: str) -> str | None:
    """An absolute guest path relative to the tree ("." for its root); None when it lies outside.

    "/" is never beneath anything, even when the tree is shown there.
    """
    root = tree.guest_path.rstrip("/")
    if root and absolute == root:
        return "."
    return absolute[len(root) + 1 :] or None if absolute.startswith(root + "/") else None
