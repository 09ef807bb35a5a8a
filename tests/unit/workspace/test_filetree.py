"""The tree against a real file system: one script of operations, run on both, must read alike."""

import errno
import os
import stat
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torpor.limits import WorkspaceQuota
from torpor.workspace.filetree import Tree, walk
from torpor.workspace.nodes import Directory, File, Symlink
from torpor.workspace.resolution import locate, resolve

NAMES = st.sampled_from(["a", "b", "c"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
TARGETS = st.sampled_from(["a", "b", "a/b", "../a", "./c", "c/../a", "self"])


@dataclass(frozen=True)
class Step:
    operation: str
    path: str
    other: str = ""
    data: bytes = b""
    number: int = 0


STEPS = st.one_of(
    st.builds(Step, st.just("write"), PATHS, data=st.binary(max_size=20), number=st.integers(0, 40)),
    st.builds(Step, st.just("truncate"), PATHS, number=st.integers(0, 40)),
    st.builds(Step, st.sampled_from(["mkdir", "unlink", "rmdir", "create"]), PATHS),
    st.builds(Step, st.sampled_from(["rename", "link"]), PATHS, PATHS),
    st.builds(Step, st.just("symlink"), PATHS, TARGETS),
)


class Virtual:
    """The steps on a tree."""

    def __init__(self):
        self.tree = Tree()

    def at(self, path, follow=False):
        return locate(self.tree, self.tree.root, path, follow)

    def run(self, step):
        tree = self.tree
        if step.operation in ("write", "truncate"):
            node = resolve(tree, tree.root, step.path, True)
            if isinstance(node, Directory):
                raise OSError(errno.EISDIR, "")
            if step.operation == "write":
                tree.write(node, step.number, step.data)
            else:
                tree.truncate(node, step.number)
        elif step.operation == "rename":
            parent, name, node = self.at(step.path)
            new_parent, new_name, _ = self.at(step.other)
            if node is None:
                raise OSError(errno.ENOENT, "")
            tree.rename(parent, name, new_parent, new_name)
        elif step.operation == "link":
            node = resolve(tree, tree.root, step.path, False)
            tree.link(node, *self.at(step.other)[:2])
        elif step.operation == "symlink":
            tree.make_symlink(*self.at(step.path)[:2], step.other)
        else:
            method = {"mkdir": tree.make_directory, "unlink": tree.unlink, "rmdir": tree.remove_directory,
                      "create": tree.create_file}[step.operation]  # fmt: skip
            method(*self.at(step.path)[:2])

    def picture(self):
        shown = {}
        for path, node in walk(self.tree.root):
            if isinstance(node, File):
                shown[path] = ("file", bytes(node.content), node.nlink)
            elif isinstance(node, Symlink):
                shown[path] = ("symlink", node.target, node.nlink)
            else:
                shown[path] = ("directory",)
        return shown


class Real:
    """The same steps in a folder of the host."""

    def __init__(self, root):
        self.root = root

    def run(self, step):
        path, other = f"{self.root}/{step.path}", f"{self.root}/{step.other}"
        if step.operation in ("write", "truncate"):
            fd = os.open(path, os.O_WRONLY)
            try:
                if step.operation == "truncate":
                    os.truncate(fd, step.number)
                elif step.data:
                    os.pwrite(fd, step.data, step.number)
            finally:
                os.close(fd)
        elif step.operation == "create":
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o644))
        elif step.operation == "link":
            os.link(path, other, follow_symlinks=False)
        elif step.operation == "symlink":
            os.symlink(step.other, path)
        elif step.operation == "rename":
            os.rename(path, other)
        else:
            {"mkdir": os.mkdir, "unlink": os.unlink, "rmdir": os.rmdir}[step.operation](path)

    def picture(self):
        shown = {"": ("directory",)}
        for folder, directories, files in os.walk(self.root):
            for name in directories + files:
                full = os.path.join(folder, name)
                status = os.lstat(full)
                path = os.path.relpath(full, self.root)
                if stat.S_ISLNK(status.st_mode):
                    shown[path] = ("symlink", os.readlink(full), status.st_nlink)
                elif stat.S_ISDIR(status.st_mode):
                    shown[path] = ("directory",)
                else:
                    with open(full, "rb") as file:
                        shown[path] = ("file", file.read(), status.st_nlink)
        return shown


def outcome(system, step):
    try:
        system.run(step)
    except OSError as error:
        return error.errno
    return None


def leaves(steps):
    """Steps through "../a" from the top would leave the tree, where the host would go on."""
    links = [step for step in steps if step.operation == "symlink" and step.other.startswith("..")]
    return any("/" not in step.path for step in links)


@settings(max_examples=300, deadline=None)
@given(steps=st.lists(STEPS, max_size=25).filter(lambda steps: not leaves(steps)))
def test_one_script_gives_the_same_on_a_real_file_system(steps, tmp_path_factory):
    virtual, real = Virtual(), Real(tmp_path_factory.mktemp("real"))
    for step in steps:
        expected, got = outcome(real, step), outcome(virtual, step)
        moved_up = got == errno.EPERM and expected != errno.EPERM  # renames can bring "../a" to the top
        if moved_up:
            return
        assert (step, got) == (step, expected)
        assert virtual.picture() == real.picture()
    tree = virtual.tree
    files = {id(node): node for _, node in walk(tree.root) if isinstance(node, File)}
    assert tree.bytes_used == sum(node.size for node in files.values())
    assert tree.entry_count == len(virtual.picture()) - 1


@pytest.fixture
def tree():
    quota = WorkspaceQuota(file_bytes=100, total_bytes=150, entries=4, name_bytes=10, path_bytes=30)
    return Tree(quota=quota)


def errno_of(function, *arguments):
    with pytest.raises(OSError) as caught:
        function(*arguments)
    return caught.value.errno


def test_the_quota_strikes_at_the_change_that_crosses_it(tree):
    one, two = tree.create_file(tree.root, "one"), tree.create_file(tree.root, "two")
    tree.write(one, 0, bytes(100))
    assert errno_of(tree.write, one, 100, b"x") == errno.EFBIG
    assert errno_of(tree.truncate, one, 10 * 2**30) == errno.EFBIG
    assert errno_of(tree.write, one, 10 * 2**30, b"x") == errno.EFBIG
    tree.write(two, 40, b"0123456789")
    assert errno_of(tree.write, two, 50, b"x") == errno.ENOSPC
    tree.write(two, 0, b"overwriting needs no room")
    assert (one.size, two.size, tree.bytes_used) == (100, 50, 150)
    tree.truncate(one, 10)
    tree.write(two, 50, b"x")
    tree.make_directory(tree.root, "d")
    tree.make_symlink(tree.root, "s", "x")
    assert errno_of(tree.create_file, tree.root, "more") == errno.ENOSPC
    assert errno_of(tree.link, one, tree.root, "more") == errno.ENOSPC
    assert errno_of(tree.make_symlink, tree.root, "t", "x" * 31) == errno.ENAMETOOLONG


def test_names_and_paths_have_a_longest_length(tree):
    assert errno_of(tree.create_file, tree.root, "n" * 11) == errno.ENAMETOOLONG
    assert errno_of(tree.create_file, tree.root, "ä" * 6) == errno.ENAMETOOLONG
    one = tree.make_directory(tree.root, "d" * 10)
    two = tree.make_directory(one, "d" * 10)
    tree.create_file(two, "f" * 8)
    assert errno_of(tree.create_file, two, "f" * 9) == errno.ENAMETOOLONG
    tree.unlink(two, "f" * 8)
    tree.rename(one, "d" * 10, tree.root, "moved")
    tree.create_file(two, "f" * 10)
    assert errno_of(tree.rename, tree.root, "moved", one, "d" * 9) == errno.ENAMETOOLONG
    assert sorted(one.entries) == []


def test_the_version_moves_with_changes_and_only_then(tree):
    versions = [tree.version]

    def changed():
        versions.append(tree.version)
        return versions[-1] != versions[-2]

    file = tree.create_file(tree.root, "f")
    assert changed()
    tree.write(file, 0, b"x")
    assert changed()
    tree.set_times(file, None, 5)
    assert changed()
    tree.set_times(file, 7, None)
    file.read(0, 10)
    file.digest()
    tree.opened(file)
    resolve(tree, tree.root, "f", True)
    tree.root.listing()
    tree.closed(file)
    assert not changed()
    tree.truncate(file, 0)
    assert changed()


def test_a_digest_is_that_of_the_current_content(tree):
    file = tree.create_file(tree.root, "f")
    empty = file.digest()
    tree.write(file, 0, b"x")
    full = file.digest()
    tree.truncate(file, 0)
    assert (file.digest(), full != empty) == (empty, True)


def test_saved_content_is_not_touched_by_later_writes(tree):
    file = tree.create_file(tree.root, "f")
    tree.write(file, 0, b"before")
    saved = file.freeze()
    tree.write(file, 0, b"after!")
    assert (saved, file.freeze()) == (b"before", b"after!")


def test_a_removed_directory_takes_nothing_in(tree):
    directory = tree.make_directory(tree.root, "d")
    tree.opened(directory)
    tree.remove_directory(tree.root, "d")
    assert errno_of(tree.create_file, directory, "f") == errno.ENOENT
    tree.closed(directory)
    assert tree.orphans == {}
