"""Arguments, environment, clocks, streams, polling and ending, called from Wasm code."""

import struct
import threading

import pytest
from wasi_guest import ALL, DATA, IOVEC, RESULT, Guest, compile_wat

from torpor.limits import WorkspaceQuota
from torpor.wasi.abi import Errno, FileType
from torpor.wasi.clock import GuestClock, HostClock
from torpor.wasi.devices import BytesDevice, OutputDevice
from torpor.wasi.errors import GuestExit
from torpor.wasi.host import Streams
from torpor.wasi.preview1 import Preview1
from torpor.wasm.errors import Interrupted
from torpor.wasm.instance import Instance, InstanceLimits
from torpor.wasm.interrupt import Interruption
from torpor.workspace.filetree import Tree, device_tree

SUBSCRIPTION = struct.Struct("<QB7xI4xQQH6x")
EVENT = struct.Struct("<QHB5xQH6x")
CLOCK, FD_READ, FD_WRITE = 0, 1, 2


def strings(guest: Guest, kind: str) -> list[str]:
    guest.call(f"{kind}_sizes_get", RESULT, RESULT + 4)
    count, size = guest.u32(), guest.u32(RESULT + 4)
    guest.call(f"{kind}_get", DATA, DATA + 1000)
    text = guest.get(DATA + 1000, size)
    assert guest.u32(DATA) == DATA + 1000
    return text.decode("utf-8", "surrogateescape").split("\0")[:count]


def poll(guest: Guest, *subscriptions: tuple[int, int, int, int, int]) -> list[tuple[int, int, int]]:
    """(userdata, errno, type) of what happened, given (userdata, tag, subject, timeout, flags)."""
    packed = [SUBSCRIPTION.pack(*asked[:4], 0, asked[4]) for asked in subscriptions]
    guest.put(DATA, b"".join(packed))
    guest.call("poll_oneoff", DATA, DATA + 8000, len(packed), RESULT)
    return [EVENT.unpack(guest.get(DATA + 8000 + 32 * i, 32))[:3] for i in range(guest.u32())]


def test_arguments_and_environment_arrive(guest):
    assert strings(guest, "args") == ["prog", "two words"]
    assert strings(guest, "environ") == ["A=1"]
    guest.wasi.env = {"NAME": "välue", "EMPTY": "", "BYTES": "\udcff"}
    assert strings(guest, "environ") == ["NAME=välue", "EMPTY=", "BYTES=\udcff"]


def test_the_preopened_folders_are_found_in_their_order():
    guest = Guest(Preview1(preopens=[Tree("/usr/lib"), Tree("/workspace")]))
    for fd, name in ((3, b"/usr/lib"), (4, b"/workspace")):
        guest.call("fd_prestat_get", fd, RESULT)
        assert struct.unpack("<II", guest.get(RESULT, 8)) == (0, len(name))
        guest.call("fd_prestat_dir_name", fd, DATA, len(name))
        assert guest.get(DATA, len(name)) == name
        assert guest.raw("fd_prestat_dir_name", fd, DATA, len(name) - 1) == Errno.NAMETOOLONG
    assert guest.raw("fd_prestat_get", 5, RESULT) == Errno.BADF


def test_clocks_read_the_seam(guest, clock):
    for number, value in ((0, clock.realtime()), (1, 0), (2, 0)):
        guest.call("clock_time_get", number, 0, RESULT)
        assert guest.u64() == value
    clock.now += 500
    guest.call("clock_time_get", 1, 0, RESULT)
    assert guest.u64() == 500
    assert guest.raw("clock_time_get", 9, 0, RESULT) == Errno.INVAL
    guest.call("clock_res_get", 1, RESULT)
    assert guest.u64() > 0


def test_randomness_comes_from_the_seam():
    guest = Guest(Preview1(entropy=lambda count: b"\x05" * count))
    guest.put(DATA, bytes(12))
    guest.call("random_get", DATA, 10)
    assert guest.get(DATA, 12) == b"\x05" * 10 + bytes(2)


def test_much_randomness_can_be_interrupted():
    interruption = Interruption()
    interruption.stop("enough")
    guest = Guest(Preview1(clock=HostClock(interruption)))
    with pytest.raises(Interrupted, match="enough"):
        guest.raw("random_get", DATA, 100)


def test_proc_exit_unwinds_the_guest(guest):
    with pytest.raises(GuestExit) as ended:
        guest.raw("proc_exit", 33)
    assert ended.value.code == 33
    with pytest.raises(GuestExit) as ended:
        guest.raw("proc_raise", 6)
    assert ended.value.code == 134


def test_sockets_do_not_exist(guest):
    assert guest.raw("sock_shutdown", 1, 0) == Errno.NOTSOCK
    assert guest.raw("sock_accept", 3, 0, RESULT) == Errno.NOTSOCK
    assert guest.raw("sock_recv", 0, 0, 0, 0, 0, 0) == Errno.NOTSOCK
    assert guest.raw("sock_send", 77, 0, 0, 0, 0) == Errno.BADF


# Streams ---------------------------------------------------------------------------------------------


def test_standard_streams_go_to_their_devices_in_order():
    written: list[tuple[str, bytes]] = []
    streams = Streams(
        BytesDevice(b"typed\n"),
        OutputDevice(lambda data: written.append(("out", data))),
        OutputDevice(lambda data: written.append(("err", data))),
    )
    guest = Guest(Preview1(streams=streams))
    assert guest.read(0, 3) + guest.read(0) + guest.read(0) == b"typed\n"
    guest.write(1, b"one")
    guest.write(2, b"two")
    guest.write(1, b"three")
    assert written == [("out", b"one"), ("err", b"two"), ("out", b"three")]
    assert guest.raw("fd_seek", 1, 0, 1, RESULT) == Errno.SPIPE
    assert guest.raw("fd_write", 0, IOVEC, 1, RESULT) == Errno.BADF


def test_streams_are_exchanged_between_executions_even_when_moved(guest):
    first, second = bytearray(), bytearray()
    fd = guest.create("a")
    guest.wasi.set_streams(stdout=OutputDevice(first.extend))
    guest.call("fd_renumber", 1, fd)
    guest.write(fd, b"x")
    guest.wasi.set_streams(stdout=OutputDevice(second.extend))
    guest.write(fd, b"y")
    assert (first, second) == (b"x", b"y")


def test_a_device_takes_at_most_one_chunk_and_says_so():
    class Slow:
        def read(self, size):
            return b"x" * size * 2  # more than asked for

        def write(self, data):
            return 3

    guest = Guest(Preview1(streams=Streams(Slow(), Slow(), Slow())))
    assert guest.write(1, b"abcdef") == 3
    assert guest.read(0, 5) == b"xxxxx"


@pytest.mark.parametrize(
    ("terminal", "expected"), [(True, FileType.CHARACTER_DEVICE), (False, FileType.UNKNOWN)]
)
def test_a_terminal_is_one_only_when_declared(terminal, expected):
    guest = Guest(Preview1(streams=Streams(terminals=(terminal, False, False))))
    assert guest.fstat(0).filetype == expected


def test_a_closed_stream_or_folder_is_not_replaced_by_the_next_file(guest):
    folder = guest.open_dir(".")
    guest.close(1)
    guest.close(3)
    assert guest.create("a", fd=folder) == 5


@pytest.mark.parametrize("damage", ["close", "replace", "give up rights"])
def test_streams_and_folders_are_back_for_the_next_execution(guest, damage):
    output = bytearray()
    guest.wasi.set_streams(stdout=OutputDevice(output.extend))
    kept = guest.create("kept", b"data")
    for fd in (1, 3):
        if damage == "close":
            guest.close(fd)
        elif damage == "replace":
            guest.call("fd_renumber", guest.create(f"file{fd}"), fd)
        else:
            guest.call("fd_fdstat_set_rights", fd, 0, 0)
    guest.wasi.restore_initial()
    guest.write(1, b"printed")
    assert output == b"printed"
    assert "kept" in guest.list(guest.open_dir("."))
    guest.call("fd_prestat_get", 3, RESULT)
    guest.seek(kept, 0)
    assert guest.read(kept) == b"data"


def test_a_guest_that_used_up_its_files_can_still_reach_its_devices():
    workspace = Tree("/workspace", WorkspaceQuota(open_files=8))
    devices = device_tree("/dev", {"private": BytesDevice(b"request")})
    guest = Guest(Preview1(preopens=[devices, workspace], quota=workspace.quota))
    for index in range(3):
        guest.create(f"file{index}", fd=4)
    assert guest.raw("path_open", 4, 0, *guest.path("more"), 1, ALL, ALL, 0, RESULT) == Errno.MFILE
    assert guest.read(guest.open("private")) == b"request"
    codes = [guest.raw("path_open", 3, 0, *guest.path("private"), 0, ALL, ALL, 0, RESULT) for _ in range(30)]
    assert codes[0] == 0
    assert codes[-1] == Errno.MFILE


# Waiting ---------------------------------------------------------------------------------------------


def test_a_poll_of_clocks_sleeps_until_the_first_is_due(guest, clock):
    clock.now += 1_000
    events = poll(guest, (7, CLOCK, 1, 300, 0), (8, CLOCK, 1, 1_300, 1), (9, CLOCK, 1, 5_000, 0))
    assert events == [(7, 0, CLOCK), (8, 0, CLOCK)]
    assert clock.slept == [300]


def test_a_time_that_has_passed_and_descriptors_are_ready_at_once(guest, clock):
    fd = guest.create("a")
    clocks = (1, CLOCK, 1, 0, 1), (4, CLOCK, 1, 99, 0)
    events = poll(guest, clocks[0], (2, FD_READ, fd, 0, 0), (3, FD_WRITE, 1, 0, 0), clocks[1])
    assert events == [(1, 0, CLOCK), (2, 0, FD_READ), (3, 0, FD_WRITE)]
    assert clock.slept == []


def test_errors_of_a_poll_belong_to_their_event(guest):
    events = poll(guest, (1, FD_READ, 55, 0, 0), (2, CLOCK, 9, 10, 0))
    assert events == [(1, Errno.BADF, FD_READ), (2, Errno.INVAL, CLOCK)]
    assert guest.raw("poll_oneoff", DATA, DATA, 0, RESULT) == Errno.INVAL
    assert guest.raw("poll_oneoff", DATA, DATA, 2**32 - 1, RESULT) == Errno.INVAL


def test_an_interruption_cuts_a_sleep():
    interruption = Interruption()
    guest = Guest(Preview1(clock=HostClock(interruption)))
    timer = threading.Timer(0.05, interruption.stop, ["cancelled"])
    timer.start()
    with pytest.raises(Interrupted, match="cancelled"):
        poll(guest, (1, CLOCK, 1, 3600 * 10**9, 0))
    timer.join()


def test_the_longest_sleep_a_guest_can_ask_for_is_no_error():
    interruption = Interruption()
    interruption.stop("at once")
    guest = Guest(Preview1(clock=HostClock(interruption)))
    with pytest.raises(Interrupted):
        poll(guest, (1, CLOCK, 1, 2**64 - 1, 0))


def test_the_host_clock_sleeps_without_an_interruption_too():
    clock = HostClock()
    before = clock.monotonic()
    clock.sleep(1_000_000)
    assert clock.monotonic() - before >= 1_000_000
    assert clock.realtime() > 0


def test_processor_time_never_goes_back(clock):
    guest_clock = GuestClock(clock, saved_cpu=1_000)
    assert guest_clock.cpu() == 1_000
    clock.now += 400
    assert guest_clock.cpu() == 1_200
    clock.now -= 300  # another thread, whose count is lower
    assert guest_clock.cpu() == 1_200
    clock.now += 20
    assert guest_clock.cpu() == 1_210


def test_an_error_of_ours_is_not_taken_for_an_errno():
    class Broken:
        def read(self, size):
            raise ZeroDivisionError

        write = read

    guest = Guest(Preview1(streams=Streams(Broken(), Broken(), Broken())))
    with pytest.raises(ZeroDivisionError):
        guest.write(1, b"x")


def test_a_guest_sees_the_errno_of_a_call_and_goes_on():
    module = compile_wat(
        """(module (import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32)))
           (memory (export "memory") 1)
           (func (export "twice") (result i32)
             (i32.add (call $close (i32.const 1)) (call $close (i32.const 1)))))"""
    )
    wasi = Preview1()
    instance = Instance(module, wasi.imports(), InstanceLimits(65536))
    wasi.bind(instance.memory)
    assert instance.call("twice") == Errno.BADF
