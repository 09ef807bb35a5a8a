"""The Interpreter: one (sandbox, runtime) pair. Which contexts are live, the mirror of /workspace,
and one execution from request to proposed commit.

It never touches storage: what it lacks it pulls from `Sources`, what changed it proposes, and its
live instances count as current only after `committed`.
"""

import os
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from torpor.errors import EngineError
from torpor.interpreter.engine_host import EngineHost
from torpor.interpreter.guest import RunningGuest
from torpor.interpreter.model import (
    CompletionRequest,
    ExecutionRequest,
    Outcome,
    Proposal,
    Sources,
    Watch,
)
from torpor.interpreter.protocol import Completion, Request
from torpor.interpreter.turn import run_turn
from torpor.limits import TIDY_FROM_PAGES
from torpor.snapshots import records
from torpor.snapshots.model import MappedExtent, NewRecord, StoredRecord
from torpor.snapshots.tracked import TakenDelta, TrackedMemory
from torpor.wasi import state as wasi_state
from torpor.wasi.errors import GuestExit
from torpor.wasm.errors import GuestTrap
from torpor.workspace import mirror
from torpor.workspace.filetree import Tree
from torpor.workspace.manifest import Manifest

_ENTROPY_BYTES = 32
_OTHER_BUILD = (
    "The context's snapshot was made by another build of its engine and cannot be restored: the context "
    "starts with fresh variables. Its files are untouched."
)


@dataclass(slots=True)
class _Live:
    """A context in memory. `tip` and `base` say which committed state it has; `taken` is proposed."""

    guest: RunningGuest
    memory: TrackedMemory
    base: str
    image_path: Path
    tip: str | None
    memory_bytes: int
    taken: TakenDelta | None = None

    def close(self) -> None:
        self.memory.close()
        self.guest.close()


@dataclass(frozen=True, slots=True)
class _Resident:
    """A live context ready for a turn. `restored`: it came from an image, so it needs entropy."""

    live: _Live
    restored: bool
    notices: tuple[str, ...] = field(default=())


class Interpreter:
    """Not thread-safe: the runtime lets one execution in at a time."""

    def __init__(self, host: EngineHost) -> None:
        self._host = host
        self._tree = Tree(quota=host.config.quota)
        self._live: dict[str, _Live] = {}

    def execute(self, request: ExecutionRequest, sources: Sources, watch: Watch) -> Outcome:
        """One execution. Raises EngineError or StorageError when it could not even begin."""
        resident = self._resident(request, sources)
        live = resident.live
        turn = run_turn(live.guest, _execute(request, resident), request, watch)
        if turn.broken:
            self.discard(request.context_id)
            return turn.outcome(notices=resident.notices)
        began = time.perf_counter()
        try:
            proposal = self._propose(live, request)
        except (GuestTrap, GuestExit, EngineError) as error:
            self.discard(request.context_id)
            return turn.broken_by(error).outcome(notices=resident.notices)
        except BaseException:
            self.discard(request.context_id)
            raise
        return turn.outcome(
            notices=resident.notices,
            proposal=proposal,
            snapshot_ms=round((time.perf_counter() - began) * 1000, 3),
        )

    def complete(self, request: CompletionRequest, sources: Sources, watch: Watch) -> Completion:
        """Ask the harness what could stand at the cursor. Nothing of it is committed."""
        execution = request.execution
        resident = self._resident(execution, sources)
        message = Request(
            op="complete",
            code=execution.code,
            count=execution.count,
            cwd=execution.cwd,
            env=execution.env,
            entropy=_entropy(resident),
            cursor=request.cursor,
        )
        turn = run_turn(resident.live.guest, message, execution, watch)
        if turn.broken:
            self.discard(execution.context_id)
        return turn.completion

    def committed(
        self,
        context_id: str,
        proposal: Proposal,
        stored: tuple[MappedExtent, ...],
        manifest: Manifest,
    ) -> None:
        """The proposal is durable."""
        live = self._live.get(context_id)
        if live is None or live.taken is None:
            return
        live.memory.committed(live.taken, stored)
        live.taken = None
        live.tip = proposal.tip
        mirror.settle(self._tree, manifest)

    @property
    def idle(self) -> bool:
        """Whether no context is live, so that only the mirror of /workspace takes memory."""
        return not self._live

    def discard(self, context_id: str) -> None:
        """Drop a live context; its committed state is not touched."""
        live = self._live.pop(context_id, None)
        if live is not None:
            live.close()

    def close(self) -> None:
        """Drop everything live, the mirror included."""
        for context_id in list(self._live):
            self.discard(context_id)
        self._tree = Tree(quota=self._host.config.quota)

    def _resident(self, request: ExecutionRequest, sources: Sources) -> _Resident:
        """The context's live instance in the requested state, with the mirror up to date."""
        live = self._live.get(request.context_id)
        if live is not None and not self._is_current(live, request):
            self.discard(request.context_id)
            live = None
        state = wasi_state.GuestState.from_json(request.guest_state) if request.snapshot else None
        needed = mirror.missing(self._tree, request.manifest)
        if live is None and state is not None:
            needed |= _nameless_contents(state, request.manifest)
        contents = sources.get_files(sorted(needed)) if needed else {}
        mirror.sync(self._tree, request.manifest, contents)
        if live is not None:
            return _Resident(live, restored=False)
        return self._restore(request, sources, state, contents)

    def _is_current(self, live: _Live, request: ExecutionRequest) -> bool:
        reference = request.snapshot
        return (
            live.taken is None
            and reference is not None
            and (live.base, live.tip) == (reference.base, reference.tip)
            and reference.build == self._host.build
            and live.memory_bytes == request.budget.memory_bytes
        )

    def _restore(
        self,
        request: ExecutionRequest,
        sources: Sources,
        state: wasi_state.GuestState | None,
        contents: Mapping[str, bytes],
    ) -> _Resident:
        """A live instance from the base image and the context's records."""
        reference, notices = request.snapshot, []
        if reference is not None and reference.build != self._host.build:
            notices.append(_OTHER_BUILD)
            reference = None
        if reference is None:
            image = self._host.prepare()
            base, path, tip = image.digest, image.path, None
            chain: Sequence[StoredRecord] = ()
            state = wasi_state.GuestState.from_json(image.guest_state)
        else:
            base, path, tip = reference.base, sources.get_image(reference.base), reference.tip
            chain = sources.get_records(tip) if tip is not None else ()
        live = self._start(request.budget.memory_bytes, base, path, tip, chain)
        try:
            if state is not None:
                lost = wasi_state.restore(live.guest.wasi, state, contents)
                notices += [f"The open file {path} could not be opened again" for path in lost]
        except BaseException:
            live.close()
            raise
        self._live[request.context_id] = live
        return _Resident(live, restored=True, notices=tuple(notices))

    def _start(
        self, memory_bytes: int, base: str, path: Path, tip: str | None, chain: Sequence[StoredRecord]
    ) -> _Live:
        guest = self._host.new_guest(self._tree, memory_bytes)
        try:
            memory = self._host.track(guest, path)
            try:
                memory.restore(chain)
            except BaseException:
                memory.close()
                raise
        except BaseException:
            guest.close()
            raise
        return _Live(guest, memory, base, path, tip, memory_bytes)

    def _propose(self, live: _Live, request: ExecutionRequest) -> Proposal:
        """Everything that changed, as data for one commit."""
        taken = live.memory.take()
        if self._host.engine.tidies and taken.extent_pages >= TIDY_FROM_PAGES:
            # Much of what was written may be free again: no need to store that.
            live.guest.tidy()
            taken = live.memory.take()
        live.taken = taken
        files, contents = mirror.diff(self._tree, request.manifest)
        state, held = wasi_state.capture(live.guest.wasi)
        record = None
        if not taken.empty:
            record = NewRecord(uuid.uuid4().hex, live.tip, records.encode(taken.delta), taken.extents)
        return Proposal(
            build=self._host.build,
            base=live.base,
            image=live.image_path,
            tip=record.id if record else live.tip,
            record=record,
            memory_bytes=taken.delta.memory_bytes,
            guest_state=state.to_json(),
            held_contents=held,
            files=files,
            contents=contents,
        )


def _nameless_contents(state: wasi_state.GuestState, manifest: Manifest) -> set[str]:
    """Digests of what descriptors have open although no name in the manifest leads to it."""
    inodes = {entry.inode for entry in manifest.entries.values()}
    return {
        row.digest
        for row in state.descriptors
        if row.digest is not None and (not row.linked or row.inode not in inodes)
    }


def _entropy(resident: _Resident) -> str | None:
    """Forks of one image share the state of every random generator: give each its own."""
    return os.urandom(_ENTROPY_BYTES).hex() if resident.restored else None


def _execute(request: ExecutionRequest, resident: _Resident) -> Request:
    return Request(
        op="execute",
        code=request.code,
        count=request.count,
        cwd=request.cwd,
        env=request.env,
        entropy=_entropy(resident),
    )
