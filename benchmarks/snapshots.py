"""Inside a snapshot: restoring chains of records, and finding changed pages in every possible way."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from benchmarks import programs
from benchmarks.lab import BINDING, Lab
from benchmarks.results import Series, Table
from benchmarks.timing import Measure, interleaved, stopwatch
from torpor.config import Config
from torpor.engines import get_engine
from torpor.interpreter.engine_host import EngineHost
from torpor.interpreter.interpreter import Interpreter
from torpor.interpreter.model import Budget, ExecutionRequest, SnapshotRef, Sources, Watch
from torpor.snapshots import records
from torpor.snapshots.model import StoredRecord
from torpor.wasm.dirty import TRACKERS, why_not
from torpor.wasm.memory import LinearMemory
from torpor.workspace.filetree import Tree
from torpor.workspace.manifest import Entry, Manifest

_CHAINS = (0, 32, 64)
_DIRTY = (10, 100, 1000, 3000)
#: Far enough apart that no two lie in one run: runs of pages are stored another way.
_STRIDE = 7
_ENOUGH = 15


def snapshots(lab: Lab) -> list[Table]:
    return [_restores(lab), *_deltas(lab)]


@dataclass(slots=True)
class _MemoryLine:
    """One context whose records are kept in a list instead of a store."""

    host: EngineHost
    chain: list[StoredRecord]

    def grow(self, count: int) -> None:
        """Execute `count` small steps; each adds a record."""
        interpreter = Interpreter(self.host)
        request = _request(self.host)
        sources = Sources(lambda _: {}, lambda _: self.host.prepare().path, lambda _: list(self.chain))
        try:
            for number in range(count):
                request = self._step(interpreter, replace(request, count=number + 1), sources)
        finally:
            interpreter.close()

    def _step(
        self, interpreter: Interpreter, request: ExecutionRequest, sources: Sources
    ) -> ExecutionRequest:
        proposal = interpreter.execute(request, sources, Watch()).proposal
        assert proposal is not None
        record = proposal.record
        if record is not None:
            self.chain.append(StoredRecord(record.id, record.parent, record.payload))
        interpreter.committed(request.context_id, proposal, (), request.manifest)
        reference = SnapshotRef(proposal.build, proposal.base, proposal.tip)
        return replace(request, snapshot=reference, guest_state=proposal.guest_state)


def _request(host: EngineHost) -> ExecutionRequest:
    limits = host.engine.limits
    manifest = Manifest({"": Entry("", "directory", 1, time.time_ns())}, 2)
    return ExecutionRequest(
        context_id=uuid.uuid4().hex,
        code=programs.STEP,
        count=1,
        cwd="/workspace",
        env={},
        manifest=manifest,
        snapshot=None,
        guest_state="",
        budget=Budget(limits.fuel, limits.memory_bytes),
    )


def _restores(lab: Lab) -> Table:
    lab.say("measuring restores")
    host = EngineHost(get_engine(BINDING), lab.config)
    line = _MemoryLine(host, [])
    line.grow(max(_CHAINS))
    contestants: dict[str, Measure] = {"instance only, nothing restored": lambda: _restore(host, None)}
    for length in _CHAINS:
        contestants[f"chain of {length} records"] = partial(_restore, host, line.chain[:length])
    found = interleaved(contestants, lab.at_least(_ENOUGH))
    host.close()
    series = tuple(Series(name, values) for name, values in found.items())
    note = "A new instance, the base image mapped, the records applied. The guest has not run yet."
    return Table("Restoring a context", "ms", series, baseline="chain of 0 records", note=note)


def _restore(host: EngineHost, chain: list[StoredRecord] | None) -> float:
    """Closing what was restored is not counted."""
    close: list[Callable[[], None]] = []
    cap = host.engine.limits.memory_bytes
    image = host.prepare()

    def work() -> None:
        guest = host.new_guest(Tree(quota=host.config.quota), cap)
        close.append(guest.close)
        if chain is not None:
            memory = host.track(guest, image.path)
            close.append(memory.close)
            memory.restore(chain)

    took = stopwatch(work)
    for function in reversed(close):
        function()
    return took


def _deltas(lab: Lab) -> list[Table]:
    """A table per number of changed pages, a row per tracker."""
    lab.say("measuring trackers")
    usable = []
    for name in TRACKERS:
        reason = why_not(name)
        if reason is None:
            usable.append(name)
        else:
            lab.skip(f"changed pages by {name}: {reason}")
    return [_delta_table(lab, usable, count) for count in _DIRTY]


def _delta_table(lab: Lab, trackers: list[str], count: int) -> Table:
    """Guests of all trackers live side by side and take turns."""
    guests = [_DirtyGuest(replace(lab.config, dirty_pages=name), count) for name in trackers]
    contestants = dict(zip(trackers, (guest.delta for guest in guests), strict=True))
    try:
        found = interleaved(contestants, lab.at_least(_ENOUGH))
    finally:
        for guest in guests:
            guest.close()
    series = tuple(Series(name, values) for name, values in found.items())
    note = "Finding the changed pages, comparing them and encoding the record."
    return Table(f"A delta of {count} scattered pages", "ms", series, baseline=trackers[0], note=note)


class _DirtyGuest:
    """A restored guest that never runs: its pages are written from here."""

    def __init__(self, config: Config, pages: int) -> None:
        self._host = EngineHost(get_engine(BINDING), config)
        cap = self._host.engine.limits.memory_bytes
        image = self._host.prepare()
        self._guest = self._host.new_guest(Tree(quota=config.quota), cap)
        self._memory = self._host.track(self._guest, image.path)
        self._memory.restore(())
        self._pages = np.arange(pages) * _STRIDE + 1

    def delta(self) -> float:
        memory: LinearMemory = self._guest.instance.memory
        memory.pages()[self._pages, 0] ^= np.uint64(1)
        taken = []

        def work() -> None:
            delta = self._memory.take()
            records.encode(delta.delta)
            taken.append(delta)

        took = stopwatch(work)
        assert len(taken[0].delta.words) == len(self._pages)
        self._memory.committed(taken[0], ())
        return took

    def close(self) -> None:
        self._memory.close()
        self._guest.close()
        self._host.close()
