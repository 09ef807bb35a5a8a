"""Files and folders through preview1, called from Wasm code."""

import errno
import struct

import pytest
from wasi_guest import ALL, DATA, IOVEC, PATH, PATH2, RESULT, Failed, Guest

from torpor.engines import ReadOnlyMount
from torpor.limits import WorkspaceQuota
from torpor.wasi.abi import FUNCTIONS, Errno, FdFlags, FileType, OpenFlags, Rights
from torpor.wasi.devices import BytesDevice, null_node
from torpor.wasi.preview1 import Preview1
from torpor.workspace.filetree import Tree, device_tree, read_only_tree


def errno_of(call, *arguments, **named) -> int:
    with pytest.raises(Failed) as caught:
        call(*arguments, **named)
    return caught.value.errno


def test_all_functions_of_the_specification_are_offered():
    imports = Preview1().imports()
    assert len(imports) == 46
    assert [name for _, name in imports] == list(FUNCTIONS)


def test_what_is_written_is_read_back(guest):
    fd = guest.create("a.txt", b"hello")
    assert guest.seek(fd, 0) == 0
    assert guest.read(fd) == b"hello"
    assert guest.stat("a.txt").size == 5


def test_several_buffers_are_gathered_and_scattered(guest):
    fd = guest.create("a")
    guest.put(DATA, b"onetwothree")
    guest.put(IOVEC, struct.pack("<IIIIII", DATA, 3, DATA + 3, 0, DATA + 3, 8))
    guest.call("fd_write", fd, IOVEC, 3, RESULT)
    assert guest.u32() == 11
    guest.put(IOVEC, struct.pack("<IIII", DATA + 100, 4, DATA + 200, 50))
    guest.call("fd_pread", fd, IOVEC, 2, 3, RESULT)
    assert (guest.u32(), guest.get(DATA + 100, 4), guest.get(DATA + 200, 4)) == (8, b"twot", b"hree")


def test_positions_stand_apart_from_positioned_reads_and_writes(guest):
    fd = guest.create("a", b"abcdef")
    guest.put(DATA, b"XY")
    guest.put(IOVEC, struct.pack("<II", DATA, 2))
    guest.call("fd_pwrite", fd, IOVEC, 1, 1, RESULT)
    guest.call("fd_tell", fd, RESULT)
    assert guest.u64() == 6
    guest.seek(fd, -6, 1)
    assert guest.read(fd) == b"aXYdef"


def test_appending_ignores_the_position(guest):
    fd = guest.create("a", b"abc")
    guest.call("fd_fdstat_set_flags", fd, FdFlags.APPEND)
    guest.seek(fd, 0)
    guest.write(fd, b"d")
    guest.seek(fd, 0)
    assert guest.read(fd) == b"abcd"


@pytest.mark.parametrize(("offset", "whence"), [(-1, 0), (-4, 2), (2**63 - 1, 2)])
def test_positions_before_the_start_or_beyond_all_numbers_are_refused(guest, offset, whence):
    fd = guest.create("a", b"abc")
    assert errno_of(guest.seek, fd, offset, whence) == Errno.INVAL
    guest.call("fd_tell", fd, RESULT)
    assert guest.u64() == 3


def test_truncation_and_allocation_change_the_size(guest):
    fd = guest.create("a", b"abcdef")
    guest.call("fd_filestat_set_size", fd, 3)
    guest.call("fd_allocate", fd, 0, 10)
    assert guest.stat("a").size == 10
    guest.seek(fd, 0)
    assert guest.read(fd) == b"abc" + bytes(7)
    guest.close(guest.open("a", OpenFlags.TRUNC))
    assert guest.stat("a").size == 0


def test_an_unlinked_file_lives_as_long_as_a_descriptor(guest, tree):
    fd = guest.create("a", b"still here")
    guest.unlink("a")
    assert errno_of(guest.stat, "a") == Errno.NOENT
    guest.seek(fd, 0)
    assert guest.read(fd) == b"still here"
    assert guest.fstat(fd).nlink == 0
    assert tree.bytes_used == 10
    guest.close(fd)
    assert tree.bytes_used == 0


def test_hard_links_are_one_file(guest):
    guest.create("a", b"x")
    guest.link("a", "b")
    assert guest.stat("a") == guest.stat("b")
    assert guest.stat("a").nlink == 2
    guest.unlink("a")
    assert guest.stat("b").nlink == 1


@pytest.mark.parametrize("removed", ["the first", "all seen", "the next", "none"])
@pytest.mark.parametrize("newcomers", [0, 5])
def test_a_listing_gives_every_name_once_while_others_come_and_go(guest, removed, newcomers):
    names = [f"file-{index}" for index in range(10)]
    for name in names:
        guest.close(guest.create(name))
    fd = guest.open_dir(".")
    first = guest.entries(fd, 200)
    seen = [name for _, name in first if name in names]
    unseen = [name for name in names if name not in seen]
    assert seen
    assert unseen
    gone = {"the first": seen[:1], "all seen": seen[:], "the next": unseen[:1], "none": []}[removed]
    for name in gone:
        guest.unlink(name)
    for index in range(newcomers):
        guest.close(guest.create(f"new-{index}"))
    cookie = first[-1][0]
    while rows := guest.entries(fd, 200, cookie):
        seen += [name for _, name in rows]
        cookie = rows[-1][0]
    assert len(seen) == len(set(seen))
    assert set(names) - set(gone) <= set(seen)


def test_a_listing_tells_kinds_and_the_dot_entries(guest):
    guest.mkdir("folder")
    guest.symlink("nowhere", "link")
    assert [name for _, name in guest.entries(guest.open_dir("."))][:2] == [".", ".."]
    assert sorted(guest.list(guest.open_dir("."))) == ["folder", "link"]
    assert guest.stat("link", follow=False).filetype == FileType.SYMBOLIC_LINK


def test_a_folder_changes_its_time_with_every_entry(guest):
    before = guest.stat(".").mtim
    guest.mkdir("a")
    between = guest.stat(".").mtim
    guest.rmdir("a")
    assert before < between < guest.stat(".").mtim


def test_a_folder_with_a_time_far_ahead_comes_back_to_the_present(guest):
    guest.mkdir("a")
    guest.call("path_filestat_set_times", 3, 1, *guest.path("a"), 0, 2**63 - 1, 4)
    guest.mkdir("a/b")
    assert guest.stat("a").mtim <= guest.wasi.clock.realtime() * 2


def test_times_are_set_exactly_and_contradictions_refused(guest):
    fd = guest.create("a")
    guest.call("fd_filestat_set_times", fd, 5, 7, 1 | 4)
    stat = guest.stat("a")
    assert (stat.atim, stat.mtim) == (5, 7)
    assert guest.raw("fd_filestat_set_times", fd, 5, 7, 4 | 8) == Errno.INVAL
    assert guest.raw("fd_filestat_set_times", fd, 5, 2**64 - 1, 4) == Errno.INVAL
    guest.call("path_filestat_set_times", 3, 1, *guest.path("a"), 0, 0, 8)
    assert guest.stat("a").mtim == guest.wasi.clock.realtime()
    guest.call("path_filestat_set_times", 3, 1, *guest.path("a"), 0, 0, 4)
    assert guest.stat("a").mtim == 0


def test_rename_follows_posix(guest):
    guest.create("file", b"1")
    guest.mkdir("empty")
    guest.mkdir("full")
    guest.create("full/x")
    guest.mkdir("full/sub")
    assert errno_of(guest.rename, "file", "empty") == Errno.ISDIR
    assert errno_of(guest.rename, "empty", "file") == Errno.NOTDIR
    assert errno_of(guest.rename, "empty", "full") == Errno.NOTEMPTY
    assert errno_of(guest.rename, "full", "full/sub/inside") == Errno.INVAL
    assert errno_of(guest.rename, "nothing", "x") == Errno.NOENT
    assert errno_of(guest.rename, "file/", "x") == Errno.NOTDIR
    guest.rename("full", "empty")
    assert guest.stat("empty/sub").filetype == FileType.DIRECTORY
    guest.rename("file", "empty/x")
    assert guest.stat("empty/x").size == 1
    assert errno_of(guest.rmdir, "empty") == Errno.NOTEMPTY


@pytest.mark.parametrize("path", ["..", "a/../..", "/etc/passwd", "/workspace/a", "out", "up", "a/up2"])
def test_no_path_leads_out(guest, tree, path):
    folder = tree.make_directory(tree.root, "a")
    tree.make_symlink(tree.root, "out", "/etc/passwd")
    tree.make_symlink(tree.root, "up", "..")
    tree.make_symlink(folder, "up2", "../../etc")
    for call in (guest.stat, guest.open_dir, guest.create):
        assert errno_of(call, path) in (Errno.PERM, Errno.ISDIR)
        assert errno_of(guest.stat, path) == Errno.PERM


def test_a_folders_descriptor_confines_what_is_opened_through_it(guest):
    guest.mkdir("a")
    guest.create("secret", b"x")
    fd = guest.open_dir("a")
    assert errno_of(guest.stat, "../secret", fd=fd) == Errno.PERM


def test_symlinks_are_followed_inside_the_workspace(guest):
    guest.mkdir("a")
    guest.create("a/file", b"12")
    guest.symlink("a/file", "relative")
    guest.symlink("/workspace/a/file", "absolute")
    guest.symlink("../a", "a/back")
    guest.symlink("/workspace", "a/top")
    for path in ("relative", "absolute", "a/back/file", "a/top/a/file"):
        assert guest.stat(path).size == 2
    assert guest.readlink("absolute") == "/workspace/a/file"
    assert guest.readlink("absolute", 5) == "/work"
    assert errno_of(guest.open, "relative", follow=False) == Errno.LOOP
    assert errno_of(guest.symlink, "/etc/passwd", "evil") == Errno.PERM
    guest.symlink("a/made", "dangling")
    guest.create("dangling", b"through")
    assert guest.stat("a/made").size == 7


def test_symlink_loops_end(guest):
    guest.symlink("two", "one")
    guest.symlink("one", "two")
    guest.symlink("self/self/self", "self")
    assert errno_of(guest.stat, "one") == Errno.LOOP
    assert errno_of(guest.stat, "self/x") == Errno.LOOP


@pytest.mark.parametrize(
    ("path", "expected"),
    [(b"\xff\xfe", Errno.ILSEQ), (b"a\0b", Errno.INVAL), (b"", Errno.NOENT),
     (b"x" * 256, Errno.NAMETOOLONG), (b"/" * 4097, Errno.NAMETOOLONG),
     (b"a/" * 2500 + b"b", Errno.NAMETOOLONG)],
)  # fmt: skip
def test_names_that_cannot_be(guest, path, expected):
    assert errno_of(guest.create, path) == expected


def test_paths_cannot_grow_too_long_step_by_step(guest, tree):
    tree.quota = WorkspaceQuota()
    fds, name = [3], "n" * 250
    for _ in range(16):
        guest.mkdir(name, fd=fds[-1])
        fds.append(guest.open_dir(name, fd=fds[-1]))
        if len(fds) > 2:
            guest.close(fds[-2])
    assert errno_of(guest.mkdir, name, fd=fds[-1]) == Errno.NAMETOOLONG
    guest.mkdir("short", fd=fds[-1])


# Quotas ----------------------------------------------------------------------------------------------


def test_a_file_cannot_pass_its_size_limit(guest, tree):
    fd = guest.create("a", b"x" * 60_000)
    assert errno_of(guest.write, fd, b"y" * 6_000) == Errno.FBIG
    assert guest.raw("fd_filestat_set_size", fd, 10 * 2**30) == Errno.FBIG
    assert guest.raw("fd_allocate", fd, 2**62, 2**62) == Errno.FBIG
    guest.seek(fd, 10 * 2**30)
    assert errno_of(guest.write, fd, b"z") == Errno.FBIG
    assert guest.stat("a").size == tree.bytes_used == 60_000
    assert guest.write(fd, b"") == 0


def test_the_workspace_cannot_pass_its_total(guest):
    guest.create("a", b"x" * 60_000)
    fd = guest.create("b", b"x" * 40_000)
    assert errno_of(guest.write, fd, b"x" * 3_000) == Errno.NOSPC
    guest.unlink("a")
    assert errno_of(guest.write, fd, b"x" * 3_000) == Errno.NOSPC  # still open
    guest.close(4)
    assert guest.write(fd, b"x" * 3_000) == 3_000


def test_entries_and_descriptors_are_counted(guest):
    for index in range(19):
        guest.mkdir(f"d{index}")
    guest.symlink("x", "last")
    assert errno_of(guest.mkdir, "more") == Errno.NOSPC
    assert errno_of(guest.create, "more") == Errno.NOSPC
    assert errno_of(guest.symlink, "x", "more") == Errno.NOSPC
    guest.rename("last", "renamed")
    guest.unlink("renamed")
    fds = [guest.create("file")]
    fds += [guest.open("file") for _ in range(7)]
    assert errno_of(guest.open, "file") == Errno.MFILE
    guest.unlink("file")
    assert errno_of(guest.create, "new") == Errno.MFILE
    assert errno_of(guest.stat, "new") == Errno.NOENT
    guest.close(fds[3])
    assert guest.create("new") == fds[3]


# Rights ----------------------------------------------------------------------------------------------


def test_rights_can_only_be_given_up(guest):
    fd = guest.create("a", b"x")
    guest.call("fd_fdstat_set_rights", fd, Rights.FD_SEEK, 0)
    assert errno_of(guest.read, fd) == Errno.NOTCAPABLE
    assert errno_of(guest.write, fd, b"x") == Errno.NOTCAPABLE
    assert guest.raw("fd_fdstat_set_rights", fd, Rights.FD_READ, 0) == Errno.NOTCAPABLE
    folder = guest.open(".", 2, rights=Rights.PATH_OPEN)
    assert errno_of(guest.create, "new", fd=folder) == Errno.NOTCAPABLE
    assert errno_of(guest.mkdir, "new", fd=folder) == Errno.NOTCAPABLE


def test_folders_are_not_read_as_files(guest):
    assert errno_of(guest.read, 3) == Errno.ISDIR
    assert errno_of(guest.open, ".", rights=ALL) == Errno.ISDIR
    guest.create("a")
    assert errno_of(guest.open_dir, "a") == Errno.NOTDIR
    assert errno_of(guest.stat, "a/b") == Errno.NOTDIR
    assert errno_of(guest.stat, "a", fd=4) == Errno.NOTDIR


@pytest.mark.parametrize("fd", [9, 2**32 - 1])
def test_unknown_descriptors(guest, fd):
    assert errno_of(guest.read, fd) == Errno.BADF
    assert guest.raw("fd_close", fd) == Errno.BADF
    assert guest.raw("fd_renumber", 3, fd) == Errno.BADF
    assert guest.raw("sock_shutdown", fd, 0) == Errno.BADF
    assert errno_of(guest.stat, "a", fd=fd) == Errno.BADF


def test_renumbering_replaces_a_descriptor(guest):
    one, two = guest.create("one", b"1"), guest.create("two", b"2")
    guest.call("fd_renumber", one, two)
    guest.seek(two, 0)
    assert guest.read(two) == b"1"
    assert guest.raw("fd_close", one) == Errno.BADF


# Read-only trees and devices -------------------------------------------------------------------------


@pytest.fixture
def mounted(tmp_path):
    (tmp_path / "lib.zip").write_bytes(b"zip content")
    (tmp_path / "data" / "fonts").mkdir(parents=True)
    (tmp_path / "data" / "fonts" / "a.ttf").write_bytes(b"font")
    (tmp_path / "data" / "empty").write_bytes(b"")
    mounts = (
        ReadOnlyMount("/usr/lib/lib.zip", tmp_path / "lib.zip"),
        ReadOnlyMount("/usr/lib/lib.zip/pkg/data", tmp_path / "data"),
        ReadOnlyMount("/other/x", tmp_path / "data"),
    )
    private = BytesDevice(b"request")
    devices = device_tree("/dev", {"null": null_node(), "private": private})
    workspace = Tree("/workspace")
    guest = Guest(Preview1(preopens=[read_only_tree("/usr/lib", mounts), devices, workspace]))
    yield guest
    guest.instance.close()


def test_a_folder_can_be_shown_below_a_file(mounted):
    readable = ALL & ~Rights.FD_WRITE
    assert mounted.read(mounted.open("lib.zip", rights=readable)) == b"zip content"
    assert mounted.read(mounted.open("lib.zip/pkg/data/fonts/a.ttf", rights=readable)) == b"font"
    assert mounted.read(mounted.open("lib.zip/pkg/data/empty", rights=readable)) == b""
    assert mounted.stat("lib.zip").filetype == FileType.REGULAR_FILE
    assert sorted(mounted.list(mounted.open_dir("lib.zip/pkg/data"))) == ["empty", "fonts"]
    assert mounted.stat("lib.zip/pkg/data/fonts/..").filetype == FileType.DIRECTORY
    assert mounted.list(mounted.open_dir(".")) == ["lib.zip"]
    assert errno_of(mounted.stat, "lib.zip/nothing") == Errno.NOENT


def test_what_leads_to_a_folder_below_a_file_does_not_exist(mounted):
    # Python's zipimport gives up on lib.zip/pkg when that is a folder, and finds no module in it.
    assert errno_of(mounted.stat, "lib.zip/pkg") == Errno.NOENT
    assert errno_of(mounted.open_dir, "lib.zip/pkg") == Errno.NOENT
    for path in ("lib.zip/pkg/other", "lib.zip/pkg/", "lib.zip/pkg/data/..", "lib.zip/pkg/data/../.."):
        assert errno_of(mounted.stat, path) == Errno.NOENT


def test_nothing_mounted_can_be_changed(mounted, tmp_path):
    assert errno_of(mounted.open, "lib.zip", rights=ALL) == Errno.ROFS
    assert errno_of(mounted.open, "lib.zip", OpenFlags.TRUNC, rights=Rights.FD_READ) == Errno.ROFS
    assert errno_of(mounted.create, "new") == Errno.ROFS
    assert errno_of(mounted.mkdir, "lib.zip/pkg/new") == Errno.ROFS
    assert errno_of(mounted.unlink, "lib.zip") == Errno.ROFS
    assert errno_of(mounted.rename, "lib.zip", "x") == Errno.ROFS
    assert errno_of(mounted.link, "lib.zip", "x") == Errno.ROFS
    assert mounted.raw("path_filestat_set_times", 3, 0, *mounted.path("lib.zip"), 1, 1, 5) == Errno.ROFS
    fd = mounted.open("lib.zip", rights=ALL & ~Rights.FD_WRITE)
    assert errno_of(mounted.write, fd, b"x") == Errno.NOTCAPABLE
    assert (tmp_path / "lib.zip").read_bytes() == b"zip content"


def test_a_mounted_file_that_was_exchanged_is_an_error_and_not_other_content(mounted, tmp_path):
    fd = mounted.open("lib.zip", rights=Rights.FD_READ)
    (tmp_path / "lib.zip").write_bytes(b"longer than it was")
    assert errno_of(mounted.read, fd) == Errno.IO


def test_devices_are_read_and_written(mounted):
    null = mounted.open("null", fd=4)
    assert mounted.write(null, b"gone") == 4
    assert mounted.read(null) == b""
    assert mounted.seek(null, 10) == 0
    private = mounted.open("private", fd=4)
    assert mounted.read(private, 3) + mounted.read(private) == b"request"
    assert errno_of(mounted.seek, private, 0) == Errno.SPIPE
    assert mounted.stat("null", fd=4).filetype == FileType.CHARACTER_DEVICE


def test_nothing_moves_between_trees(mounted):
    mounted.create("a", fd=5)
    mounted.path("a")
    assert mounted.raw("path_rename", 5, *mounted.path("a"), 4, *mounted.path("b", PATH2)) == Errno.XDEV
    assert mounted.raw("path_link", 5, 0, *mounted.path("a"), 4, *mounted.path("b", PATH2)) == Errno.XDEV
    assert mounted.stat("a", fd=5).dev != mounted.stat("null", fd=4).dev


# Hostile pointers ------------------------------------------------------------------------------------

_OUTSIDE = (2 * 65536 - 2, 2 * 65536, 2**32 - 1)


@pytest.mark.parametrize("address", _OUTSIDE)
def test_pointers_outside_memory_are_faults(guest, address):
    fd = guest.create("a", b"abc")
    guest.put(IOVEC, struct.pack("<II", address, 10))
    assert guest.raw("fd_read", fd, address, 1, RESULT) == Errno.FAULT
    assert guest.raw("fd_write", fd, address, 3, RESULT) == Errno.FAULT
    assert guest.raw("fd_write", fd, IOVEC, 1, RESULT) == Errno.FAULT
    assert guest.raw("fd_read", fd, IOVEC, 1, RESULT) == Errno.FAULT
    assert guest.raw("fd_filestat_get", fd, address) == Errno.FAULT
    assert guest.raw("fd_fdstat_get", fd, address) == Errno.FAULT
    assert guest.raw("fd_seek", fd, 0, 0, address) == Errno.FAULT
    assert guest.raw("fd_readdir", 3, address, 100, 0, RESULT) == Errno.FAULT
    assert guest.raw("fd_readdir", 3, DATA, 2**32 - 1, 0, RESULT) == Errno.FAULT
    assert guest.raw("path_open", 3, 0, address, 20, 1, ALL, ALL, 0, RESULT) == Errno.FAULT
    assert guest.raw("path_open", 3, 0, *guest.path("new"), 1, ALL, ALL, 0, address) == Errno.FAULT
    assert guest.raw("random_get", address, 2**32 - 1) == Errno.FAULT
    assert guest.raw("args_get", address, 0) == Errno.FAULT
    assert guest.raw("environ_sizes_get", 0, address) == Errno.FAULT
    assert guest.raw("poll_oneoff", address, DATA, 1, RESULT) == Errno.FAULT
    assert guest.raw("clock_time_get", 0, 0, address) == Errno.FAULT
    assert guest.raw("fd_prestat_get", 3, address) == Errno.FAULT
    assert guest.list(guest.open_dir(".")) == ["a"]  # a failed open made no file
    assert guest.stat("a").size == 3


@pytest.mark.parametrize("address", _OUTSIDE)
def test_each_of_several_buffers_is_checked_before_any_is_used(guest, address):
    fd = guest.create("a", b"abcdef")
    guest.seek(fd, 0)
    guest.put(DATA, b"......")
    guest.put(IOVEC, struct.pack("<IIII", DATA, 3, address, 3))
    assert guest.raw("fd_read", fd, IOVEC, 2, RESULT) == Errno.FAULT
    assert guest.raw("fd_write", fd, IOVEC, 2, RESULT) == Errno.FAULT
    assert guest.get(DATA, 6) == b"......"
    assert guest.read(fd) == b"abcdef"


@pytest.mark.parametrize("address", _OUTSIDE)
def test_a_call_that_cannot_say_its_result_does_nothing(guest, address):
    fd = guest.create("a", b"abcdef")
    guest.seek(fd, 0)
    guest.put(IOVEC, struct.pack("<II", DATA, 3))
    for name in ("fd_read", "fd_write"):
        assert guest.raw(name, fd, IOVEC, 1, address) == Errno.FAULT
    for name in ("fd_pread", "fd_pwrite"):
        assert guest.raw(name, fd, IOVEC, 1, 0, address) == Errno.FAULT
    assert guest.read(fd) == b"abcdef"


def test_too_many_buffers_are_refused(guest):
    fd = guest.create("a")
    assert guest.raw("fd_write", fd, 0, 1025, RESULT) == Errno.INVAL
    assert guest.raw("fd_write", fd, 0, 2**32 - 1, RESULT) == Errno.INVAL


def test_a_memory_that_grew_is_seen():
    from torpor.wasi.memory import GuestMemory

    class Growing:
        view = memoryview(bytearray(200))
        size = 100

    memory = GuestMemory(Growing(), path_bytes=10)
    Growing.size = 200
    memory.store(150, b"x")
    assert memory.load(150, 1) == b"x"


def test_errnos_of_the_host_become_those_of_wasi():
    from torpor.wasi.errors import from_posix

    assert from_posix(errno.ENOENT) == Errno.NOENT
    assert from_posix(errno.EROFS) == Errno.ROFS
    assert from_posix(errno.ENOSPC) == Errno.NOSPC
    assert from_posix(errno.EHOSTDOWN) == from_posix(None) == Errno.IO


assert PATH < PATH2 < DATA
