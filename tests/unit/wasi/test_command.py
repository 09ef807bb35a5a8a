"""Whole command modules, run as a person runs them."""

import os
import threading

import pytest
import wasmtime

from torpor.errors import EngineError, ValidationFailedError
from torpor.limits import WorkspaceQuota
from torpor.wasi.command import INTERRUPTED_STATUS, TRAP_STATUS, Command, copy_folder, run_command
from torpor.wasi.devices import BytesDevice, OutputDevice
from torpor.wasi.host import Streams
from torpor.wasm.interrupt import Interruption
from torpor.workspace.filetree import walk

#: Copies the file "in" (or standard input, when it is missing) to standard output and exits with its length.
CAT = """(module
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "in")
  (func (export "_start")
    (drop (call $open (i32.const 3) (i32.const 1) (i32.const 0) (i32.const 2) (i32.const 0)
      (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 16)))
    (i32.store (i32.const 32) (i32.const 1024))
    (i32.store (i32.const 36) (i32.const 1000))
    (drop (call $read (i32.load (i32.const 16)) (i32.const 32) (i32.const 1) (i32.const 36)))
    (drop (call $write (i32.const 1) (i32.const 32) (i32.const 1) (i32.const 40)))
    (call $exit (i32.load (i32.const 36)))))"""


@pytest.fixture
def run(tmp_path):
    output, reports = bytearray(), []

    def run(wat, *, stdin=b"", interruption=None, **named):
        module = tmp_path / "module.wasm"
        module.write_bytes(wasmtime.wat2wasm(wat))
        streams = Streams(BytesDevice(stdin), OutputDevice(output.extend), OutputDevice(output.extend))
        command = Command(module, **named)
        return run_command(command, streams=streams, report=reports.append, interruption=interruption)

    run.output, run.reports = output, reports
    return run


def test_a_command_reads_its_folder_and_gives_its_status(run, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "in").write_bytes(b"from the host")
    assert run(CAT, dirs=[(folder, "/")]) == 13
    assert run.output == b"from the host"


def test_a_command_without_folders_reads_its_input(run):
    assert run(CAT, stdin=b"piped") == 5
    assert run.output == b"piped"


def test_a_command_that_just_returns_has_status_zero(run):
    assert run('(module (memory (export "memory") 1) (func (export "_start")))') == 0
    assert run.reports == []


def test_a_trap_is_reported_like_an_abort(run):
    assert run('(module (memory (export "memory") 1) (func (export "_start") unreachable))') == TRAP_STATUS
    assert "unreachable" in run.reports[0]


def test_an_endless_command_can_be_interrupted(run):
    interruption = Interruption()
    timer = threading.Timer(0.1, interruption.stop, ["cancelled"])
    timer.start()
    wat = '(module (memory (export "memory") 1) (func (export "_start") (loop $l (br $l))))'
    assert run(wat, interruption=interruption) == INTERRUPTED_STATUS
    timer.join()
    assert "cancelled" in run.reports[0]


def test_what_is_no_command_is_refused(run, tmp_path):
    with pytest.raises(EngineError, match="_start"):
        run('(module (memory (export "memory") 1))')
    with pytest.raises(ValidationFailedError, match="cannot be read"):
        run_command(Command(tmp_path / "missing.wasm"))


def test_a_folder_is_copied_with_links_and_times_and_the_host_left_alone(run, tmp_path):
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a").write_bytes(b"data")
    os.link(folder / "sub" / "a", folder / "hard")
    os.symlink("sub/a", folder / "soft")
    os.symlink("/etc/passwd", folder / "outside")
    os.mkfifo(folder / "pipe")
    os.utime(folder / "sub" / "a", ns=(5, 12345))
    tree = copy_folder(folder, "/", WorkspaceQuota())
    nodes = dict(walk(tree.root))
    assert sorted(nodes) == ["", "hard", "outside", "soft", "sub", "sub/a"]
    assert nodes["hard"] is nodes["sub/a"]
    assert (nodes["hard"].nlink, nodes["hard"].mtime) == (2, 12345)
    assert nodes["outside"].target == "/etc/passwd"
    tree.write(nodes["hard"], 0, b"changed")
    assert (folder / "hard").read_bytes() == b"data"


def test_a_folder_beyond_the_quota_is_refused(tmp_path):
    (tmp_path / "big").write_bytes(bytes(2000))
    with pytest.raises(ValidationFailedError, match="cannot be copied"):
        copy_folder(tmp_path, "/", WorkspaceQuota(file_bytes=1000))
    with pytest.raises(ValidationFailedError, match="not a folder"):
        copy_folder(tmp_path / "big", "/", WorkspaceQuota())
