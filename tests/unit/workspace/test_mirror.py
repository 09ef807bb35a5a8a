"""Manifests and trees: there and back again, with the identity of nodes kept."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torpor.errors import StorageError
from torpor.workspace.filetree import Tree, walk
from torpor.workspace.manifest import Changes, Entry, Manifest, apply_changes
from torpor.workspace.mirror import diff, is_at, manifest_of, missing, settle, sync
from torpor.workspace.nodes import Directory, File, Node
from torpor.workspace.resolution import locate


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def contents_of(tree: Tree) -> dict[str, bytes]:
    return {node.digest(): bytes(node.content) for _, node in walk(tree.root) if isinstance(node, File)}


def filled() -> Tree:
    tree = Tree()
    file = tree.create_file(tree.root, "file")
    tree.write(file, 0, b"content")
    folder = tree.make_directory(tree.root, "folder")
    tree.link(file, folder, "same")
    tree.make_symlink(folder, "link", "../file")
    tree.write(tree.create_file(folder, "other"), 0, b"other")
    return tree


def copied(tree: Tree) -> Tree:
    copy = Tree()
    sync(copy, manifest_of(tree), contents_of(tree))
    return copy


# A plain model: what any sequence of operations leaves behind is what a manifest must carry.

NAMES = st.sampled_from(["a", "b", "c"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
STEPS = st.tuples(
    st.sampled_from(["write", "mkdir", "symlink", "unlink", "rmdir", "rename", "link", "touch"]),
    PATHS,
    PATHS,
    st.binary(max_size=4),
)


def step(tree: Tree, operation: str, path: str, other: str, data: bytes) -> None:
    parent, name, node = locate(tree, tree.root, path, False)
    if operation == "write":
        file = tree.create_file(parent, name) if node is None else node
        if isinstance(file, File):
            tree.write(file, 0, data)
    elif operation == "mkdir":
        tree.make_directory(parent, name)
    elif operation == "symlink":
        tree.make_symlink(parent, name, other)
    elif operation == "unlink":
        tree.unlink(parent, name)
    elif operation == "rmdir":
        tree.remove_directory(parent, name)
    elif operation == "touch" and node is not None:
        tree.set_times(node, None, len(data))
    elif node is not None:
        target, new_name, _ = locate(tree, tree.root, other, False)
        if operation == "rename":
            tree.rename(parent, name, target, new_name)
        else:
            tree.link(node, target, new_name)


def play(tree: Tree, steps) -> None:
    for arguments in steps:
        try:
            step(tree, *arguments)
        except OSError:
            continue


def model(tree: Tree) -> dict[str, tuple[object, ...]]:
    """The tree as plain values, links by the paths that share a node."""
    names: dict[int, set[str]] = {}
    for path, node in walk(tree.root):
        names.setdefault(id(node), set()).add(path)
    return {
        path: (*_plain(node), node.inode, node.mtime, frozenset(names[id(node)]))
        for path, node in walk(tree.root)
    }


def _plain(node: Node) -> tuple[object, ...]:
    if isinstance(node, File):
        return "file", bytes(node.content), node.nlink
    return type(node).__name__, getattr(node, "target", None)


@settings(max_examples=300, deadline=None)
@given(first=st.lists(STEPS, max_size=20), second=st.lists(STEPS, max_size=20))
def test_changes_carry_a_tree_to_its_mirror_and_back(first, second):
    tree, mirror = Tree(), Tree()
    play(tree, first)
    base = manifest_of(tree)
    store = contents_of(tree)
    before = model(tree)
    sync(mirror, base, {d: store[d] for d in missing(mirror, base)})
    assert model(mirror) == before

    play(tree, second)
    changes, contents = diff(tree, base)
    after = apply_changes(base, changes)
    assert after == manifest_of(tree)
    assert all(digest(data) == name for name, data in contents.items())
    store |= contents
    sync(mirror, after, {d: store[d] for d in missing(mirror, after)})
    assert model(mirror) == model(tree)
    assert (mirror.bytes_used, mirror.entry_count) == (tree.bytes_used, tree.entry_count)
    assert diff(mirror, after)[0] == Changes(next_inode=mirror.next_inode)

    sync(tree, base, store)  # an execution that is rolled back
    assert model(tree) == before


def test_nodes_keep_their_identity():
    tree = filled()
    base = manifest_of(tree)
    file, folder = tree.root.entries["file"], tree.root.entries["folder"]
    tree.write(file, 0, b"CHANGED")
    tree.unlink(tree.root, "file")
    tree.rename(tree.root, "folder", tree.root, "elsewhere")
    sync(tree, base, {digest(b"content"): b"content"})
    assert tree.root.entries["file"] is file
    assert tree.root.entries["folder"] is folder
    assert folder.entries["same"] is file
    assert bytes(file.content) == b"content"


def test_an_open_file_that_was_unlinked_is_found_again():
    tree = filled()
    base = manifest_of(tree)
    other = tree.root.entries["folder"].entries["other"]
    tree.opened(other)
    tree.unlink(tree.root.entries["folder"], "other")
    assert missing(tree, base) == frozenset()
    sync(tree, base, {})
    assert tree.root.entries["folder"].entries["other"] is other
    assert tree.orphans == {}


def test_an_open_file_outlives_a_manifest_without_it():
    tree = filled()
    empty = Manifest({"": Entry("", "directory", 1, 5)}, tree.next_inode)
    other = tree.root.entries["folder"].entries["other"]
    tree.opened(other)
    sync(tree, empty, {})
    assert (other.nlink, bytes(other.content), tree.bytes_used) == (0, b"other", 5)
    assert tree.entry_count == 0
    tree.closed(other)
    assert tree.bytes_used == 0


def test_only_what_changed_is_reported():
    tree = copied(filled())
    base = manifest_of(tree)
    settle(tree, base)
    tree.write(tree.root.entries["folder"].entries["other"], 0, b"O")
    changes, contents = diff(tree, base)
    assert [entry.path for entry in changes.upserts] == ["folder/other"]
    assert contents == {digest(b"Other"): b"Other"}
    tree.rename(tree.root, "file", tree.root, "renamed")
    settle(tree, apply_changes(base, changes))
    changes, contents = diff(tree, base)
    assert changes.deleted == ("file",)
    assert set(contents) == {digest(b"Other")}


def test_reading_and_access_times_are_no_changes():
    tree = copied(filled())
    base = tree.base
    file = tree.root.entries["file"]
    file.read(0, 5)
    tree.set_times(file, 12345, None)
    assert is_at(tree, base)
    assert not diff(tree, base)[0]


def test_an_unchanged_tree_is_not_walked(monkeypatch):
    tree = copied(filled())
    base = tree.base
    monkeypatch.setattr(Directory, "entries", property(lambda self: pytest.fail("walked")), raising=False)
    assert diff(tree, base) == (Changes(next_inode=tree.next_inode), {})
    assert missing(tree, base) == frozenset()
    sync(tree, base, {})


def test_a_file_written_back_to_its_old_content_needs_no_content():
    tree = copied(filled())
    base = tree.base
    file = tree.root.entries["file"]
    tree.write(file, 0, b"X")
    tree.write(file, 0, b"c")
    changes, contents = diff(tree, base)
    assert {entry.path for entry in changes.upserts} == {"file", "folder/same"}  # its time is new
    assert contents == {}


@pytest.mark.parametrize("delivered", [{}, {digest(b"content"): b"CONTENT", digest(b"other"): b"other"}])
def test_missing_or_damaged_content_changes_nothing(delivered):
    manifest = manifest_of(filled())
    tree = Tree()
    tree.create_file(tree.root, "untouched")
    before = model(tree)
    with pytest.raises(StorageError, match="content"):
        sync(tree, manifest, delivered)
    assert model(tree) == before


ROOT = Entry("", "directory", 1, 5)
X = digest(b"x")


@pytest.mark.parametrize(
    "entries",
    [
        [],
        [Entry("", "file", 1, 5, 1, X)],
        [ROOT, Entry("a/b", "file", 2, 5, 1, X)],
        [ROOT, Entry("a", "file", 2, 5, 1, X), Entry("a/b", "file", 3, 5, 1, X)],
        [ROOT, Entry("..", "directory", 2, 5)],
        [ROOT, Entry("a", "directory", 2, 5), Entry("a/.", "directory", 3, 5)],
        [ROOT, Entry("/", "directory", 2, 5)],
        [ROOT, Entry("a\0", "file", 2, 5, 1, X)],
        [ROOT, Entry("a", "directory", 2, 5), Entry("b", "directory", 2, 5)],
        [ROOT, Entry("a", "file", 2, 5, 1, X), Entry("b", "symlink", 2, 5, target="a")],
        [ROOT, Entry("a", "file", 99, 5, 1, X)],
        [ROOT, Entry("a", "file", 2, -1, 1, X)],
        [ROOT, Entry("a", "file", 2, 5, 7, X)],
        [ROOT, Entry("a", "file", 2, 5, 0, None)],
    ],
)
def test_a_damaged_manifest_changes_nothing(entries):
    tree = Tree()
    before = model(tree)
    with pytest.raises(StorageError):
        sync(tree, Manifest({entry.path: entry for entry in entries}, 10), {X: b"x"})
    assert model(tree) == before
