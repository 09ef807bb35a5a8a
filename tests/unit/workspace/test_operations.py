"""The file API over a manifest: what each operation changes, and what it refuses."""

from hashlib import sha256

import pytest

from torpor import errors
from torpor.errors import (
    FileSystemError,
    FileTooLargeError,
    IsDirectoryError,
    NoSpaceError,
    NotDirectoryError,
    PermissionDeniedError,
)
from torpor.limits import WorkspaceQuota
from torpor.workspace import operations
from torpor.workspace.manifest import Changes, Entry, Manifest, apply_changes, changes_between

QUOTA = WorkspaceQuota(file_bytes=100, total_bytes=250, entries=12, symlink_hops=4)
START, LATER = 1_000_000_000, 2_000_000_000


class Workspace:
    """A manifest with each operation's changes applied, as the sandbox does it."""

    def __init__(self, quota: WorkspaceQuota = QUOTA) -> None:
        self.quota = quota
        self.manifest = Manifest({"": Entry("", "directory", 1, START)})
        self.contents: dict[str, bytes] = {}

    def apply(self, changes: Changes) -> Changes:
        new = apply_changes(self.manifest, changes)
        assert changes == changes_between(self.manifest, new), "changes say no more than what changed"
        self.manifest = new
        return changes

    def write(self, path: str, data: bytes = b"x", now: int = START) -> Changes:
        changes, contents = operations.write(self.manifest, self.quota, path, data, now)
        self.contents.update(contents)
        return self.apply(changes)

    def mkdir(self, path: str, recursive: bool = False, now: int = START) -> Changes:
        return self.apply(operations.mkdir(self.manifest, self.quota, path, now, recursive=recursive))

    def move(self, source: str, target: str, now: int = LATER) -> Changes:
        return self.apply(operations.move(self.manifest, self.quota, source, target, now))

    def delete(self, path: str, recursive: bool = False, force: bool = False, now: int = LATER) -> Changes:
        return self.apply(
            operations.delete(self.manifest, self.quota, path, now, recursive=recursive, force=force)
        )

    def link(self, path: str, target: str) -> None:
        inode = self.manifest.next_inode
        entry = Entry(path, "symlink", inode, START, target=target)
        self.apply(Changes((entry,), (), inode + 1))

    def hard_link(self, existing: str, path: str) -> None:
        old = self.manifest.entries[existing]
        entry = Entry(path, "file", old.inode, old.mtime, old.size, old.digest)
        self.apply(Changes((entry,), (), self.manifest.next_inode))

    def read(self, path: str) -> bytes:
        entry = operations.read(self.manifest, self.quota, path)
        assert entry.digest is not None
        return self.contents[entry.digest]

    def names(self, path: str = "/workspace", recursive: bool = True, hidden: bool = True) -> list[str]:
        found = operations.list_files(
            self.manifest, self.quota, path, recursive=recursive, include_hidden=hidden
        )
        return [info.relative_path for info in found]

    def exists(self, path: str) -> bool:
        return operations.exists(self.manifest, self.quota, path)

    def mtime(self, path: str) -> int:
        return self.manifest.entries[path].mtime


@pytest.fixture
def ws() -> Workspace:
    return Workspace()


def refused(kind: type[FileSystemError], errno: str) -> "pytest.RaisesExc[FileSystemError]":
    return pytest.raises(kind, check=lambda error: error.errno == errno)


# write and read


def test_a_written_file_reads_back_under_its_digest(ws: Workspace) -> None:
    changes = ws.write("a.txt", b"hello")
    assert ws.read("/workspace/a.txt") == b"hello"
    [entry] = [e for e in changes.upserts if e.path == "a.txt"]
    assert entry.digest == sha256(b"hello").hexdigest()
    assert entry.size == 5


def test_new_entries_take_the_next_inode_and_it_is_never_given_twice(ws: Workspace) -> None:
    ws.write("a")
    ws.delete("a")
    ws.write("b")
    assert ws.manifest.entries["b"].inode == 3
    assert ws.manifest.next_inode == 4


def test_overwriting_keeps_the_inode_and_reaches_every_hard_link(ws: Workspace) -> None:
    ws.write("a", b"old")
    ws.hard_link("a", "b")
    changes = ws.write("a", b"newer", LATER)
    assert ws.read("b") == b"newer"
    assert ws.manifest.entries["a"].inode == ws.manifest.entries["b"].inode == 2
    assert ws.mtime("b") == LATER
    assert {e.path for e in changes.upserts} == {"a", "b"}


def test_a_new_file_touches_its_directory_and_an_overwrite_does_not(ws: Workspace) -> None:
    ws.mkdir("d")
    ws.write("d/a", now=LATER)
    assert ws.mtime("d") == LATER
    assert ws.mtime("") == START
    ws.write("d/a", b"again", now=LATER + 1)
    assert ws.mtime("d") == LATER


@pytest.mark.parametrize(
    ("path", "kind", "errno"),
    [
        ("/workspace", IsDirectoryError, "EISDIR"),
        ("d", IsDirectoryError, "EISDIR"),
        ("missing/a", errors.FileNotFoundError, "ENOENT"),
        ("f/a", NotDirectoryError, "ENOTDIR"),
        ("/etc/passwd", PermissionDeniedError, "EACCES"),
    ],
)
def test_a_write_needs_a_directory_that_exists(
    ws: Workspace, path: str, kind: type[FileSystemError], errno: str
) -> None:
    ws.mkdir("d")
    ws.write("f")
    before = ws.manifest
    with refused(kind, errno) as caught:
        ws.write(path)
    assert caught.value.operation == "file.write"
    assert ws.manifest == before


def test_reading_a_directory_or_nothing_is_refused(ws: Workspace) -> None:
    ws.mkdir("d")
    with refused(IsDirectoryError, "EISDIR"):
        ws.read("d")
    with refused(errors.FileNotFoundError, "ENOENT"):
        ws.read("d/none")


# quota


def test_exactly_the_largest_file_is_allowed_and_one_byte_more_is_typed(ws: Workspace) -> None:
    ws.write("a", bytes(100))
    with refused(FileTooLargeError, "EFBIG") as caught:
        ws.write("b", bytes(101))
    assert caught.value.http_status == 413
    assert caught.value.context["limit"] == 100
    assert caught.value.context["size"] == 101
    assert "100" in caught.value.message
    assert "TORPOR_FILE_BYTES" in caught.value.message


def test_all_files_together_are_limited_and_an_overwrite_counts_only_its_new_size(ws: Workspace) -> None:
    ws.write("a", bytes(100))
    ws.write("b", bytes(100))
    ws.write("c", bytes(50))
    ws.write("a", bytes(100), LATER)
    with refused(NoSpaceError, "ENOSPC") as caught:
        ws.write("d", bytes(1))
    assert caught.value.http_status == 413
    assert caught.value.context["limit"] == 250
    assert caught.value.context["size"] == 251
    assert "TORPOR_WORKSPACE_BYTES" in caught.value.message


def test_hard_links_are_counted_once(ws: Workspace) -> None:
    ws.write("a", bytes(100))
    ws.hard_link("a", "b")
    ws.hard_link("a", "c")
    ws.write("d", bytes(100))
    assert ws.exists("d")


def test_the_number_of_entries_is_limited(ws: Workspace) -> None:
    for n in range(12):
        ws.mkdir(f"d{n}")
    for refused_change in (lambda: ws.mkdir("more"), lambda: ws.write("more", b"")):
        with refused(NoSpaceError, "ENOSPC") as caught:
            refused_change()
        assert caught.value.context["limit"] == 12
        assert "TORPOR_WORKSPACE_ENTRIES" in caught.value.message
    ws.move("d0", "other")
    assert ws.exists("other")


def test_a_recursive_mkdir_that_breaks_the_quota_creates_nothing(ws: Workspace) -> None:
    with refused(NoSpaceError, "ENOSPC"):
        ws.mkdir("/".join("abcdefghijklm"), recursive=True)
    assert ws.names() == []


# mkdir


def test_an_empty_directory_is_an_entry(ws: Workspace) -> None:
    ws.mkdir("d", now=LATER)
    assert ws.names() == ["d"]
    assert ws.mtime("") == LATER


def test_mkdir_on_something_that_exists_is_a_conflict(ws: Workspace) -> None:
    ws.mkdir("d")
    ws.write("f")
    for path in ("d", "f"):
        with refused(errors.FileExistsError, "EEXIST") as caught:
            ws.mkdir(path)
        assert caught.value.http_status == 409
    with refused(errors.FileExistsError, "EEXIST"):
        ws.mkdir("f", recursive=True)


def test_mkdir_needs_its_parent_unless_recursive(ws: Workspace) -> None:
    with refused(errors.FileNotFoundError, "ENOENT"):
        ws.mkdir("a/b/c")
    ws.mkdir("a/b/c", recursive=True)
    ws.mkdir("a/b/c", recursive=True)
    assert ws.names() == ["a", "a/b", "a/b/c"]


def test_mkdir_through_a_file_is_refused(ws: Workspace) -> None:
    ws.write("f")
    with refused(NotDirectoryError, "ENOTDIR"):
        ws.mkdir("f/d")


def test_making_the_workspace_itself_is_no_error(ws: Workspace) -> None:
    assert not ws.mkdir("/workspace")
    assert not ws.mkdir("/workspace", recursive=True)


def test_recursive_mkdir_goes_through_a_link_to_a_directory(ws: Workspace) -> None:
    ws.mkdir("real")
    ws.link("alias", "real")
    ws.link("dangling", "none")
    ws.mkdir("alias/sub", recursive=True)
    assert ws.exists("real/sub")
    with refused(errors.FileExistsError, "EEXIST"):
        ws.mkdir("alias")
    with refused(errors.FileExistsError, "EEXIST"):
        ws.mkdir("dangling/sub", recursive=True)


# delete


def test_deleting_a_file_touches_its_directory(ws: Workspace) -> None:
    ws.mkdir("d")
    ws.write("d/a")
    ws.delete("d/a")
    assert ws.names() == ["d"]
    assert ws.mtime("d") == LATER


def test_any_directory_needs_recursive_even_an_empty_one(ws: Workspace) -> None:
    ws.mkdir("d")
    with refused(IsDirectoryError, "EISDIR") as caught:
        ws.delete("d")
    assert "recursive" in caught.value.message
    ws.mkdir("d/e")
    ws.write("d-1")
    ws.delete("d", recursive=True)
    assert ws.names() == ["d-1"]


def test_the_workspace_itself_cannot_be_deleted(ws: Workspace) -> None:
    with refused(PermissionDeniedError, "EACCES"):
        ws.delete("/workspace", recursive=True)


def test_force_forgives_only_what_is_missing(ws: Workspace) -> None:
    with refused(errors.FileNotFoundError, "ENOENT"):
        ws.delete("none")
    assert not ws.delete("none", force=True)
    assert not ws.delete("none/deeper", force=True)
    with refused(PermissionDeniedError, "EACCES"):
        ws.delete("/etc/passwd", force=True)
    ws.mkdir("d")
    with refused(IsDirectoryError, "EISDIR"):
        ws.delete("d", force=True)


def test_deleting_a_link_leaves_what_it_points_to(ws: Workspace) -> None:
    ws.mkdir("d")
    ws.write("d/a")
    ws.link("alias", "d")
    ws.delete("alias")
    assert ws.names() == ["d", "d/a"]


# move


def test_moving_a_directory_takes_everything_in_it_and_keeps_inodes(ws: Workspace) -> None:
    ws.mkdir("a/b", recursive=True)
    ws.write("a/b/f", b"data")
    inode = ws.manifest.entries["a/b/f"].inode
    ws.mkdir("c")
    ws.move("a/b", "c/d")
    assert ws.names() == ["a", "c", "c/d", "c/d/f"]
    assert ws.manifest.entries["c/d/f"].inode == inode
    assert ws.read("c/d/f") == b"data"
    assert ws.mtime("a") == ws.mtime("c") == LATER


def test_a_file_replaces_a_file(ws: Workspace) -> None:
    ws.write("a", b"new")
    ws.write("b", b"old")
    ws.move("a", "b")
    assert ws.read("b") == b"new"
    assert ws.names() == ["b"]


def test_a_directory_replaces_only_an_empty_directory(ws: Workspace) -> None:
    ws.mkdir("a")
    ws.write("a/f")
    ws.mkdir("empty")
    ws.mkdir("full/sub", recursive=True)
    with refused(FileSystemError, "ENOTEMPTY"):
        ws.move("a", "full")
    ws.move("a", "empty")
    assert ws.names() == ["empty", "empty/f", "full", "full/sub"]


def test_files_and_directories_do_not_replace_each_other(ws: Workspace) -> None:
    ws.write("f")
    ws.mkdir("d")
    with refused(IsDirectoryError, "EISDIR"):
        ws.move("f", "d")
    with refused(NotDirectoryError, "ENOTDIR"):
        ws.move("d", "f")


def test_a_directory_cannot_move_into_itself(ws: Workspace) -> None:
    ws.mkdir("a/b", recursive=True)
    for target in ("a/c", "a/b/c", "a/b"):
        with refused(FileSystemError, "EINVAL"):
            ws.move("a", target)
    with refused(FileSystemError, "ENOTEMPTY"):
        ws.move("a/b", "a")
    assert ws.names() == ["a", "a/b"]
    ws.move("a", "ab")
    assert ws.names() == ["ab", "ab/b"]


def test_moving_needs_a_source_and_a_parent_and_never_the_root(ws: Workspace) -> None:
    ws.write("a")
    with refused(errors.FileNotFoundError, "ENOENT"):
        ws.move("none", "b")
    with refused(errors.FileNotFoundError, "ENOENT"):
        ws.move("a", "none/b")
    for source, target in (("/workspace", "b"), ("a", "/workspace")):
        with refused(PermissionDeniedError, "EACCES"):
            ws.move(source, target)


def test_moving_onto_itself_or_another_name_of_the_file_does_nothing(ws: Workspace) -> None:
    ws.write("a", b"data")
    ws.hard_link("a", "b")
    assert not ws.move("a", "a")
    assert not ws.move("a", "b")
    assert ws.names() == ["a", "b"]


def test_a_move_that_makes_a_path_too_long_is_refused_whole() -> None:
    ws = Workspace(WorkspaceQuota(path_bytes=len("/workspace/a/bcd")))
    ws.mkdir("a")
    ws.write("a/bcd")
    with refused(FileSystemError, "ENAMETOOLONG"):
        ws.move("a", "ab")
    assert ws.names() == ["a", "a/bcd"]


def test_a_link_moves_itself(ws: Workspace) -> None:
    ws.write("f", b"data")
    ws.link("alias", "f")
    ws.move("alias", "other")
    assert ws.names() == ["f", "other"]
    assert ws.read("other") == b"data"


# links


def test_links_inside_the_workspace_are_followed(ws: Workspace) -> None:
    ws.mkdir("d")
    ws.write("d/f", b"data")
    ws.link("relative", "d")
    ws.link("absolute", "/workspace/d/f")
    ws.link("d/up", "../relative/f")
    assert ws.read("relative/f") == ws.read("absolute") == ws.read("d/up") == b"data"


def test_writing_through_a_link_writes_its_target(ws: Workspace) -> None:
    ws.link("alias", "f")
    ws.write("alias", b"data")
    assert ws.read("f") == b"data"
    assert operations.stat(ws.manifest, QUOTA, "alias", follow=False).type == "symlink"


@pytest.mark.parametrize("target", ["/etc/passwd", "../etc", "/", "d/../../x", "/workspaces"])
def test_a_link_out_of_the_workspace_is_not_followed(ws: Workspace, target: str) -> None:
    ws.mkdir("d")
    ws.link("bad", target)
    for act in (ws.read, ws.exists, ws.write):
        with refused(PermissionDeniedError, "EACCES"):
            act("bad")


def test_links_that_go_in_circles_or_too_far_are_refused(ws: Workspace) -> None:
    ws.link("a", "b")
    ws.link("b", "a")
    with refused(FileSystemError, "ELOOP"):
        ws.read("a")
    assert not ws.exists("a")
    ws.write("0", b"data")
    for n in range(1, 6):
        ws.link(str(n), str(n - 1))
    assert ws.read("4") == b"data"
    with refused(FileSystemError, "ELOOP"):
        ws.read("5")


def test_a_dangling_link_is_listed_but_does_not_exist(ws: Workspace) -> None:
    ws.link("dangling", "none")
    assert not ws.exists("dangling")
    [info] = operations.list_files(ws.manifest, QUOTA)
    assert (info.type, info.target) == ("symlink", "none")


# list, exists, stat


def test_listings_are_sorted_walks(ws: Workspace) -> None:
    for path in ("b.txt", "c", "a-1"):
        ws.write(path)
    ws.mkdir("a")
    ws.write("a/z")
    assert ws.names() == ["a", "a/z", "a-1", "b.txt", "c"]
    assert ws.names(recursive=False) == ["a", "a-1", "b.txt", "c"]
    assert ws.names("a") == ["z"]


def test_what_lies_in_a_hidden_directory_is_hidden_too(ws: Workspace) -> None:
    ws.mkdir(".git")
    ws.write(".git/config")
    ws.write("a")
    assert ws.names(hidden=False) == ["a"]
    assert ws.names(".git", hidden=False) == ["config"]


def test_listing_needs_a_directory(ws: Workspace) -> None:
    ws.write("f")
    with refused(NotDirectoryError, "ENOTDIR"):
        ws.names("f")
    with refused(errors.FileNotFoundError, "ENOENT"):
        ws.names("none")


def test_an_entry_shows_where_it_is_and_how_large(ws: Workspace) -> None:
    ws.mkdir("d")
    ws.write("d/f", b"data", now=LATER)
    [info] = operations.list_files(ws.manifest, QUOTA, "d")
    assert info.name == "f"
    assert info.absolute_path == "/workspace/d/f"
    assert info.relative_path == "f"
    assert (info.type, info.size, info.modified_at) == ("file", 4, 2000)
    assert operations.stat(ws.manifest, QUOTA, "/workspace").type == "directory"


def test_exists_says_no_for_what_is_missing_and_refuses_what_is_outside(ws: Workspace) -> None:
    ws.write("f")
    assert ws.exists("f")
    assert ws.exists("/workspace")
    assert not ws.exists("none")
    assert not ws.exists("f/deeper")
    with refused(PermissionDeniedError, "EACCES"):
        ws.exists("../../etc/passwd")


def test_a_workspace_that_was_never_written_is_an_empty_directory() -> None:
    empty = Manifest()
    assert operations.list_files(empty, QUOTA) == ()
    changes, _ = operations.write(empty, QUOTA, "a", b"", START)
    assert sorted(e.path for e in changes.upserts) == ["", "a"]


# what a file is


@pytest.mark.parametrize(
    ("name", "data", "mime", "binary"),
    [
        ("a.csv", b"a,b", "text/csv", False),
        ("a.JSON", b"{}", "application/json", False),
        ("a.js", b"1", "text/javascript", False),
        ("a.md", b"# a", "text/markdown", False),
        ("a.png", b"\x89PNG\0", "image/png", True),
        ("a.gz", b"\x1f\x8b", "application/gzip", True),
        ("a", "é".encode(), "text/plain", False),
        ("a.unknown", b"\xff", "application/octet-stream", True),
        ("nul", b"a\0b", "application/octet-stream", True),
        ("png", b"text", "text/plain", False),
        ("empty", b"", "text/plain", False),
    ],
)
def test_a_file_is_judged_by_its_ending_and_its_bytes(
    ws: Workspace, name: str, data: bytes, mime: str, binary: bool
) -> None:
    ws.write(name, data)
    content = operations.file_content(operations.read(ws.manifest, QUOTA, name), data)
    assert (content.mime_type, content.is_binary) == (mime, binary)
    assert (content.path, content.size) == (f"/workspace/{name}", len(data))
