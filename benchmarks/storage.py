"""The store alone: the latency of a commit, and a sandbox that moves as a file."""

import os
import time
import uuid
from pathlib import Path

import torpor
from benchmarks import programs
from benchmarks.lab import BINDING, Lab, run
from benchmarks.results import Series, Table
from benchmarks.timing import interleaved, stopwatch
from torpor.limits import PAGE_BYTES
from torpor.sandbox.sandbox import Sandbox
from torpor.snapshots.model import Extent, NewRecord
from torpor.stores.base import Commit, Conflict, ContextRow, SandboxStore, SnapshotRow
from torpor.stores.embedded import EmbeddedStore
from torpor.workspace.manifest import Changes, Entry

_SMALL_RECORD = 8 * 1024
_LARGE_PAGES = 2442
_ENOUGH = 15
_SETTLING_RUNS = 20
#: A base image that is never read.
_BASE = "0" * 64
_MB = 1e6
_PLAIN = "plain file: append 8 KiB, fdatasync"


def storage(lab: Lab) -> list[Table]:
    lab.say("measuring the store")
    return [_commits(lab), *_moves(lab)]


class _Line:
    """Commits to one sandbox, each with a record on top of the one before."""

    def __init__(self, store: SandboxStore) -> None:
        self._store = store
        self._generation = 0
        self._tip: str | None = None

    def commit(self, payload: bytes, extents: tuple[Extent, ...] = ()) -> float:
        record = NewRecord(uuid.uuid4().hex, None, payload, extents)
        snapshot = SnapshotRow("build", _BASE, record.id, PAGE_BYTES, 0)
        context = ContextRow("c", BINDING, "python", "/workspace", {}, 0, 0, snapshot=snapshot)
        root = Entry("", "directory", 1, time.time_ns())
        files = Changes((root,), next_inode=2) if self._generation == 0 else None
        change = Commit("execution", 0, contexts=(context,), records=(record,), context_id="c", files=files)
        return stopwatch(lambda: self._apply(change))

    def _apply(self, change: Commit) -> None:
        with self._store.lease(1.0):
            outcome = self._store.commit(self._generation, change)
        assert not isinstance(outcome, Conflict)
        self._generation = outcome.generation


def _commits(lab: Lab) -> Table:
    store = EmbeddedStore(lab.config.home / "store-alone")
    small, large = _Line(store.sandbox("small")), _Line(store.sandbox("large"))
    probe = lab.config.home / "probe"
    extent = Extent(0, _LARGE_PAGES, memoryview(os.urandom(_LARGE_PAGES * PAGE_BYTES)))
    contestants = {
        "commit of an 8 KiB record": lambda: small.commit(os.urandom(_SMALL_RECORD)),
        "commit of a 10 MB extent": lambda: large.commit(b"", (extent,)),
        _PLAIN: lambda: stopwatch(lambda: _append(probe, extent.data[:_SMALL_RECORD])),
        "plain file: append 10 MB, fdatasync": lambda: stopwatch(lambda: _append(probe, extent.data)),
    }
    found = interleaved(contestants, lab.at_least(_ENOUGH))
    store.close()
    probe.unlink()
    series = tuple(Series(name, values) for name, values in found.items())
    note = "Lease, transaction and sync included. The plain file shows what the disk itself takes."
    return Table("The embedded store", "ms", series, baseline=_PLAIN, note=note)


def _append(path: Path, data: memoryview | bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        os.write(descriptor, data)
        os.fdatasync(descriptor)
    finally:
        os.close(descriptor)


def _moves(lab: Lab) -> list[Table]:
    """Export, import under another id, and the first execution of the copy."""
    sandbox = lab.sandbox()
    run(sandbox, programs.FIRST_RESULT)
    for _ in range(_SETTLING_RUNS):
        run(sandbox, programs.STEP)
    file = lab.config.home / "moved.torpor"
    moves = [_move(lab, sandbox, file) for _ in range(lab.at_least(_ENOUGH))]
    size = Series("exported without base image", (file.stat().st_size / _MB,))
    file.unlink()
    series = tuple(Series(name, tuple(move[name] for move in moves)) for name in moves[0])
    note = "Sealed with checksums; read and checked whole."
    return [
        Table("A sandbox that moves as a file", "ms", series, note=note),
        Table("Size of the exported file", "MB", (size,)),
    ]


def _move(lab: Lab, sandbox: Sandbox, file: Path) -> dict[str, float]:
    """Once there: milliseconds by what was done. The copy is removed."""
    copies: list[Sandbox] = []
    target = f"copy-{uuid.uuid4().hex[:12]}"
    times = {
        "export with base image": stopwatch(lambda: sandbox.export(file)),
        "export without base image": stopwatch(lambda: sandbox.export(file, with_base_images=False)),
        "import": stopwatch(lambda: copies.append(torpor.import_sandbox(file, target, lab.config))),
        "first execution of the copy": stopwatch(lambda: run(copies[0], programs.STEP)),
    }
    copies[0].destroy()
    return times
