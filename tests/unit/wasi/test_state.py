"""Open descriptors and clocks survive a restore, whatever happened to the files meanwhile."""

import hashlib
import json

import pytest
from wasi_guest import ALL, RESULT, Failed, Guest

from torpor.engines import ReadOnlyMount
from torpor.errors import CorruptSnapshotError
from torpor.limits import WorkspaceQuota
from torpor.wasi.abi import Errno, FdFlags, Rights
from torpor.wasi.devices import BytesDevice, OutputDevice, null_node
from torpor.wasi.preview1 import Preview1
from torpor.wasi.state import GuestState, capture, needed, restore
from torpor.workspace.filetree import Tree, device_tree, read_only_tree, walk
from torpor.workspace.mirror import manifest_of, missing, sync
from torpor.workspace.nodes import File


class World:
    """A guest with a library, devices and a workspace, that can be put to sleep and woken elsewhere."""

    def __init__(self, tmp_path, clock, workspace=None, scratch=None):
        mounts = [ReadOnlyMount("/usr/lib/a.txt", tmp_path / "a.txt")]
        devices = device_tree("/dev", {"null": null_node(), "private": BytesDevice(b"abc")})
        self.clock = clock
        self.workspace = workspace or Tree("/workspace")
        self.scratch = scratch or Tree("/tmp", durable=False)
        trees = [read_only_tree("/usr/lib", mounts), devices, self.workspace, self.scratch]
        self.output = bytearray()
        self.wasi = Preview1(preopens=trees, clock=clock)
        self.wasi.set_streams(stdout=OutputDevice(self.output.extend))
        self.guest = Guest(self.wasi)

    def elsewhere(self, tmp_path, clock, between=lambda tree: None):
        """The same guest in another process: all it has is the manifest, contents, and the JSON."""
        state, held = capture(self.wasi)
        manifest = manifest_of(self.workspace)
        files = [node for _, node in walk(self.workspace.root) if isinstance(node, File)]
        contents = {file.digest(): file.freeze() for file in files}
        tree = Tree("/workspace")
        sync(tree, manifest, {d: contents[d] for d in missing(tree, manifest)})
        between(tree)
        other = World(tmp_path, clock, tree)
        state = GuestState.from_json(state.to_json())
        wanted = needed(state, other.wasi.trees)
        self.held = held
        other.lost = restore(other.wasi, state, {digest: held[digest] for digest in wanted})
        other.wanted = wanted
        return other


@pytest.fixture
def world(tmp_path, clock):
    (tmp_path / "a.txt").write_bytes(b"library")
    return World(tmp_path, clock)


WORKSPACE, SCRATCH = 5, 6


def test_a_file_is_read_on_where_it_was(world, tmp_path, clock):
    fd = world.guest.create("file", b"abcdef", fd=WORKSPACE)
    world.guest.seek(fd, 2)
    other = world.elsewhere(tmp_path, clock)
    assert other.wanted == frozenset()
    assert other.guest.read(fd) == b"cdef"
    other.guest.write(fd, b"!")
    assert other.guest.stat("file", fd=WORKSPACE).size == 7


def test_an_unlinked_file_comes_back_for_its_descriptors_only(world, tmp_path, clock):
    fd = world.guest.create("temporary", b"secret", fd=WORKSPACE)
    second = world.guest.open("temporary", fd=WORKSPACE)
    world.guest.call("path_unlink_file", WORKSPACE, *world.guest.path("temporary"))
    other = world.elsewhere(tmp_path, clock)
    assert other.wanted == {hashlib.sha256(b"secret").hexdigest()}
    assert other.guest.list(other.guest.open_dir(".", fd=WORKSPACE)) == []
    assert other.guest.fstat(fd).nlink == 0
    assert other.guest.fstat(fd).ino == world.guest.fstat(fd).ino
    other.guest.write(fd, b"++")
    assert other.guest.read(second) == b"secret++"
    assert other.workspace.bytes_used == 8
    other.wasi.close()
    assert other.workspace.bytes_used == 0


def test_a_file_changed_meanwhile_shows_its_new_content(world, tmp_path, clock):
    fd = world.guest.create("file", b"old content", fd=WORKSPACE)
    world.guest.seek(fd, 4)

    def change(tree):
        tree.truncate(tree.root.entries["file"], 0)
        tree.write(tree.root.entries["file"], 0, b"new words")
        tree.rename(tree.root, "file", tree.root, "moved")

    other = world.elsewhere(tmp_path, clock, change)
    assert other.guest.read(fd) == b"words"


def test_a_file_deleted_meanwhile_still_reads_as_before(world, tmp_path, clock):
    fd = world.guest.create("file", b"content", fd=WORKSPACE)

    def replace(tree):
        tree.unlink(tree.root, "file")
        tree.write(tree.create_file(tree.root, "file"), 0, b"another file")

    other = world.elsewhere(tmp_path, clock, replace)
    other.guest.seek(fd, 0)
    assert other.guest.read(fd) == b"content"
    assert other.guest.read(other.guest.open("file", fd=WORKSPACE)) == b"another file"


def test_a_number_given_to_another_file_is_not_followed(world, tmp_path, clock):
    fd = world.guest.create("temporary", b"mine", fd=WORKSPACE)
    world.guest.call("path_unlink_file", WORKSPACE, *world.guest.path("temporary"))

    def reuse(tree):
        tree.next_inode = 2  # the number of an uncommitted file is free again
        tree.write(tree.create_file(tree.root, "other"), 0, b"not yours")

    other = world.elsewhere(tmp_path, clock, reuse)
    other.guest.seek(fd, 0)
    assert other.guest.read(fd) == b"mine"
    assert other.guest.fstat(fd).ino != other.guest.stat("other", fd=WORKSPACE).ino


def test_folders_libraries_devices_and_streams_are_reopened(world, tmp_path, clock):
    guest = world.guest
    guest.mkdir("folder", fd=WORKSPACE)
    guest.create("folder/x", fd=WORKSPACE)
    folder = guest.open_dir("folder", fd=WORKSPACE)
    library = guest.open("a.txt", rights=ALL & ~Rights.FD_WRITE)
    guest.read(library, 3)
    null = guest.open("null", fd=4)
    guest.call("fd_renumber", 1, guest.create("log", fd=WORKSPACE))
    moved = 11
    guest.call("fd_fdstat_set_flags", folder, FdFlags.NONBLOCK)
    with pytest.raises(Failed):
        guest.write(1, b"closed")

    other = world.elsewhere(tmp_path, clock)
    assert other.lost == ()
    assert other.guest.list(folder) == ["x"]
    assert other.guest.read(library) == b"rary"
    assert other.guest.write(null, b"x") == 1
    other.guest.write(moved, b"printed")
    assert other.output == b"printed"
    with pytest.raises(Failed):
        other.guest.write(1, b"closed")
    assert [d.flags for fd, d in other.wasi.table.items() if fd == folder] == [FdFlags.NONBLOCK]


def test_preopens_stay_preopens_unless_they_were_closed(world, tmp_path, clock):
    world.guest.close(SCRATCH)
    other = world.elsewhere(tmp_path, clock)
    for fd in (3, 4, 5):
        other.guest.call("fd_prestat_get", fd, RESULT)
    assert other.guest.raw("fd_prestat_get", SCRATCH, RESULT) == Errno.BADF


def test_a_removed_folder_stays_open_and_empty(world, tmp_path, clock):
    world.guest.mkdir("folder", fd=WORKSPACE)
    fd = world.guest.open_dir("folder", fd=WORKSPACE)
    other = world.elsewhere(tmp_path, clock, lambda tree: tree.remove_directory(tree.root, "folder"))
    assert other.guest.list(fd) == []
    assert other.guest.fstat(fd).nlink == 0
    with pytest.raises(Failed):
        other.guest.create("new", fd=fd)


def test_descriptors_on_one_file_that_was_deleted_meanwhile_still_share_it(world, tmp_path, clock):
    one = world.guest.create("file", b"content", fd=WORKSPACE)
    two = world.guest.open("file", fd=WORKSPACE)
    other = world.elsewhere(tmp_path, clock, lambda tree: tree.unlink(tree.root, "file"))
    other.guest.write(one, b"+more")
    assert other.guest.read(two) == b"content+more"
    assert other.workspace.bytes_used == 12


def test_another_file_at_the_same_scratch_path_is_not_taken_for_it(world, tmp_path, clock):
    fd = world.guest.create("file", b"mine", fd=SCRATCH)
    state, held = capture(world.wasi)
    scratch = Tree("/tmp", durable=False)
    scratch.write(scratch.create_file(scratch.root, "file"), 0, b"theirs")
    other = World(tmp_path, clock, scratch=scratch)
    assert restore(other.wasi, state, held) == ()
    other.guest.seek(fd, 0)
    assert other.guest.read(fd) == b"mine"


def test_files_of_a_scratch_folder_are_carried_by_content(world, tmp_path, clock):
    fd = world.guest.create("file", b"scratch", fd=SCRATCH)
    other = world.elsewhere(tmp_path, clock)
    other.guest.seek(fd, 0)
    assert other.guest.read(fd) == b"scratch"


def test_what_cannot_be_reopened_is_named_and_closed(world, tmp_path, clock):
    library = world.guest.open("a.txt", rights=Rights.FD_READ)
    fd = world.guest.create("temporary", b"x", fd=WORKSPACE)
    state, _ = capture(world.wasi)
    wasi = Preview1(preopens=[device_tree("/dev", {}), Tree("/workspace")], clock=clock)
    guest = Guest(wasi)
    lost = restore(wasi, state, {})
    assert set(lost) >= {"/usr/lib/a.txt", "/workspace/temporary"}
    for number in (library, fd):
        with pytest.raises(Failed) as caught:
            guest.read(number)
        assert caught.value.errno == Errno.BADF


def test_damaged_content_is_not_given_to_the_guest(world, tmp_path, clock):
    world.guest.create("temporary", b"right", fd=SCRATCH)
    state, held = capture(world.wasi)
    other = World(tmp_path, clock)
    digest = hashlib.sha256(b"right").hexdigest()
    assert digest in held
    assert restore(other.wasi, state, {digest: b"wrong"}) == ("/tmp/temporary",)


def test_the_monotonic_clock_goes_on_where_it_stopped(world, tmp_path):
    world.clock.now += 5_000_000
    world.guest.call("clock_time_get", 1, 0, RESULT)
    before = world.guest.u64()
    from conftest import FakeClock

    other = world.elsewhere(tmp_path, FakeClock(start=3))  # a machine that was started just now
    other.guest.call("clock_time_get", 1, 0, RESULT)
    assert other.guest.u64() == before
    other.clock.now += 10
    other.guest.call("clock_time_get", 1, 0, RESULT)
    assert other.guest.u64() == before + 10


def test_open_files_are_not_copied_again_when_nothing_was_written(world):
    fd = world.guest.create("file", b"x" * 100, fd=WORKSPACE)
    (first,), (second,) = (capture(world.wasi)[1].values() for _ in range(2))
    assert first is second
    world.guest.write(fd, b"y")
    (third,) = capture(world.wasi)[1].values()
    assert (first, third) == (b"x" * 100, b"x" * 100 + b"y")


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(format=2),
        lambda d: d.update(extra=1),
        lambda d: d.update(monotonic=-1),
        lambda d: d.update(descriptors=None),
        lambda d: d["descriptors"][0].update(fd=-1),
        lambda d: d["descriptors"][0].update(fd=d["descriptors"][1]["fd"]),
        lambda d: d["descriptors"][0].update(offset=2**63),
        lambda d: d["descriptors"][0].update(offset=True),
        lambda d: d["descriptors"][0].update(rights=2**60),
        lambda d: d["descriptors"][0].update(kind="socket"),
        lambda d: d["descriptors"][0].update(kind="file"),
        lambda d: d["descriptors"][0].update(path=7),
        lambda d: d["descriptors"][0].pop("tree"),
    ],
)
def test_a_damaged_document_is_refused(world, change):
    state, _ = capture(world.wasi)
    document = json.loads(state.to_json())
    assert GuestState.from_json(json.dumps(document)) == state
    change(document)
    with pytest.raises(CorruptSnapshotError):
        GuestState.from_json(json.dumps(document))


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "[" * 100_000])
def test_no_document_at_all_is_refused(text):
    with pytest.raises(CorruptSnapshotError):
        GuestState.from_json(text)


def test_rights_in_a_document_do_not_exceed_what_the_node_allows(world, tmp_path, clock):
    library = world.guest.open("a.txt", rights=Rights.FD_READ)
    state, _ = capture(world.wasi)
    document = json.loads(state.to_json())
    for row in document["descriptors"]:
        row["rights"] = ALL
    other = World(tmp_path, clock)
    restore(other.wasi, GuestState.from_json(json.dumps(document)), {})
    with pytest.raises(Failed):
        other.guest.write(library, b"x")
    other.guest.call("fd_fdstat_get", WORKSPACE, RESULT)
    assert other.guest.u64(RESULT + 8) & ALL == Rights.DIRECTORY
    assert (tmp_path / "a.txt").read_bytes() == b"library"


def test_the_quota_counts_what_was_restored(world, tmp_path, clock):
    world.guest.create("temporary", b"x" * 100, fd=WORKSPACE)
    world.guest.call("path_unlink_file", WORKSPACE, *world.guest.path("temporary"))
    other = world.elsewhere(tmp_path, clock)
    other.workspace.quota = WorkspaceQuota(total_bytes=150)
    with pytest.raises(Failed) as caught:
        other.guest.create("new", b"y" * 60, fd=WORKSPACE)
    assert caught.value.errno == Errno.NOSPC
