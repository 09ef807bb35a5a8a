"""Run any preview1 command module: the adapter by itself, without engines, sandboxes or storage.

Host folders are copied into memory before the start; what the command changes there is gone when it
ends. Exit status: what the command gave, 0 when it just returned, 134 after a trap (as shells report
an abort), 130 when it was interrupted.
"""

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from torpor.errors import ValidationFailedError
from torpor.limits import COMMAND_MEMORY_BYTES, UNLIMITED_FUEL, WorkspaceQuota
from torpor.wasi.clock import HostClock
from torpor.wasi.devices import HostStream
from torpor.wasi.errors import GuestExit
from torpor.wasi.host import Streams
from torpor.wasi.preview1 import Preview1
from torpor.wasm.errors import GuestTrap, Interrupted
from torpor.wasm.instance import Instance, InstanceLimits
from torpor.wasm.interrupt import Interruption
from torpor.wasm.runtime import wasm_engine
from torpor.wasm.threads import GuestThreads
from torpor.workspace.filetree import Tree
from torpor.workspace.nodes import Directory, Node

TRAP_STATUS = 134
INTERRUPTED_STATUS = 130


@dataclass(frozen=True, slots=True)
class Command:
    """What to run. `args` begin with the program's own name; `dirs` are (host folder, guest path) in the
    order of their descriptors; `memory_bytes` caps the guest's memory."""

    module: Path
    args: Sequence[str] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    dirs: Sequence[tuple[Path, str]] = ()
    quota: WorkspaceQuota = field(default_factory=WorkspaceQuota)
    memory_bytes: int = COMMAND_MEMORY_BYTES


def process_streams() -> Streams:
    """This process's own standard streams."""
    return Streams(HostStream(0), HostStream(1), HostStream(2), (os.isatty(0), os.isatty(1), os.isatty(2)))


def run_command(
    command: Command,
    *,
    streams: Streams | None = None,
    report: Callable[[str], object] = print,
    interruption: Interruption | None = None,
) -> int:
    """Run to the end; the exit status. `report` gets one line when the module did not end by itself.

    Raises ValidationFailedError for a module or folder that cannot be read, EngineError (from wasm)
    for one that is no preview1 command.
    """
    interruption = interruption or Interruption()
    trees = [copy_folder(host, guest, command.quota) for host, guest in command.dirs]
    wasi = Preview1(
        args=command.args,
        env=command.env,
        preopens=trees,
        streams=streams or process_streams(),
        clock=HostClock(interruption),
        quota=command.quota,
    )
    wasm = _read_module(command.module)

    def run() -> int:
        return _start(wasm, wasi, command.memory_bytes, interruption, report)

    return GuestThreads().run(run, on_interrupt=lambda: interruption.stop("interrupted"))


def _read_module(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ValidationFailedError(f"the module {path} cannot be read: {error.strerror}") from None


def _start(
    wasm: bytes,
    wasi: Preview1,
    memory_bytes: int,
    interruption: Interruption,
    report: Callable[[str], object],
) -> int:
    instance = Instance(wasm_engine().compile(wasm), wasi.imports(), InstanceLimits(memory_bytes))
    try:
        wasi.bind(instance.memory)
        with instance.metered(UNLIMITED_FUEL, interruption):
            instance.call("_start")
    except GuestExit as ended:
        return ended.code
    except Interrupted as stopped:
        report(f"stopped: {stopped.reason}")
        return INTERRUPTED_STATUS
    except GuestTrap as trap:
        report(f"trap: {trap.reason}")
        return TRAP_STATUS
    finally:
        instance.close()
    return 0


def copy_folder(host: Path, guest_path: str, quota: WorkspaceQuota) -> Tree:
    """A host folder as a tree: files with their times, hard links and symlinks; nothing else.

    Raises ValidationFailedError when it cannot be read or exceeds the quota.
    """
    tree = Tree(guest_path, quota)
    if not host.is_dir():
        raise ValidationFailedError(f"{host} is not a folder that could be shown to the guest")
    seen: dict[tuple[int, int], Node] = {}
    pending: list[tuple[Path, Directory]] = [(host, tree.root)]
    try:
        while pending:
            folder, directory = pending.pop()
            for entry in sorted(os.scandir(folder), key=lambda e: e.name):
                node = _copy_entry(tree, directory, entry, seen)
                if isinstance(node, Directory):
                    pending.append((Path(entry.path), node))
    except OSError as error:
        raise ValidationFailedError(f"{host} cannot be copied for the guest: {error}") from None
    return tree


def _copy_entry(
    tree: Tree, directory: Directory, entry: "os.DirEntry[str]", seen: dict[tuple[int, int], Node]
) -> Node | None:
    status = entry.stat(follow_symlinks=False)
    key = (status.st_dev, status.st_ino)
    node: Node
    if key in seen:
        tree.link(seen[key], directory, entry.name)
        return None
    if stat.S_ISLNK(status.st_mode):
        node = tree.make_symlink(directory, entry.name, os.readlink(entry.path))
    elif stat.S_ISDIR(status.st_mode):
        return tree.make_directory(directory, entry.name)
    elif stat.S_ISREG(status.st_mode):
        node = file = tree.create_file(directory, entry.name)
        tree.write(file, 0, Path(entry.path).read_bytes())
    else:
        return None
    seen[key] = node
    node.atime, node.mtime = max(status.st_atime_ns, 0), max(status.st_mtime_ns, 0)
    return node
