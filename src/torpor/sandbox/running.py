"""Running code in a sandbox: from the head, through a runtime, to one commit of memory and files.

If it does not commit, it did not happen: whatever fails between the runtime's answer and the commit
makes the runtime abandon its live instance.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from torpor import limits
from torpor.config import Config
from torpor.engines import get_engine
from torpor.errors import ValidationFailedError
from torpor.interpreter.model import (
    Budget,
    CompletionRequest,
    ExecutionRequest,
    Outcome,
    Proposal,
    SnapshotRef,
    Sources,
    Watch,
)
from torpor.interpreter.protocol import Completion
from torpor.models import ExecutionResult, ResultContext
from torpor.runtime.local import LocalRuntime
from torpor.sandbox import contexts, validation
from torpor.sandbox.ledger import Ledger, Turn, empty_manifest, expires_at, now_ms
from torpor.snapshots.model import MappedExtent
from torpor.stores.base import Commit, ContextRow, Head, SnapshotRow, Store
from torpor.workspace import paths

_SUMMARY_CHARS = 80


@dataclass(frozen=True, slots=True)
class Call:
    """One request to run code, as the caller made it and validated."""

    code: str
    context_id: str | None = None
    binding: str | None = None
    env: Mapping[str, str | None] = field(default_factory=dict)
    timeout: float | None = None
    fuel: int | None = None
    memory: int | None = None
    stdin: bytes = b""
    watch: Watch = field(default_factory=Watch)


class Runner:
    """Runs calls in one sandbox."""

    def __init__(self, store: Store, ledger: Ledger, runtime: LocalRuntime, config: Config) -> None:
        self._store = store
        self._ledger = ledger
        self._runtime = runtime
        self._config = config

    def run(self, call: Call) -> ExecutionResult:
        """Raises typed errors for bad input and failing storage; a failure of the code is data."""
        if call.binding is not None and call.context_id is None:
            # Compiling an engine takes a minute the first time: not while holding the sandbox.
            self._runtime.prepare(call.binding)
        with self._ledger.writing() as turn:
            row = self._context(turn.head, call)
            request = self._request(turn, row, call)
            outcome = self._execute(turn, row, request, call.watch)
            head = self._settle(turn, row, outcome, request)
        result = self._result(head, row, outcome, request)
        if outcome.callback_error is not None:
            raise outcome.callback_error
        return result

    def complete(self, call: Call, cursor: int) -> Completion:
        """What could stand at `cursor`. Changes nothing that is kept."""
        with self._ledger.writing() as turn:
            row = self._context(turn.head, call)
            request = CompletionRequest(self._request(turn, row, call), cursor)
            sources = self._sources(row)
            return self._runtime.complete(self._ledger.sandbox_id, row.binding, request, sources, call.watch)

    def _context(self, head: Head | None, call: Call) -> ContextRow:
        """The context of a call: the one named, else the binding's oldest, else a new one."""
        if call.context_id is not None:
            row = contexts.find(head, call.context_id)
            validation.same_binding(call.binding, row.binding)
            return row
        binding = validation.required_binding(call.binding)
        row_or_none = contexts.oldest_of(head, binding)
        if row_or_none is not None:
            return row_or_none
        language = self._runtime.describe(binding).language
        return contexts.new(head, binding=binding, language=language, cwd=paths.ROOT, env={}, at=now_ms())

    def _request(self, turn: Turn, row: ContextRow, call: Call) -> ExecutionRequest:
        env = validation.merged_env(turn.head.env if turn.head else {}, row.env, call.env)
        return ExecutionRequest(
            context_id=row.id,
            code=call.code,
            count=row.executions + 1,
            cwd=row.cwd,
            env=env,
            manifest=turn.manifest,
            snapshot=_reference(row.snapshot),
            guest_state=row.guest_state,
            budget=budget(self._config, row.binding, call),
            stdin=call.stdin,
        )

    def _execute(self, turn: Turn, row: ContextRow, request: ExecutionRequest, watch: Watch) -> Outcome:
        return self._runtime.execute_in_context(
            self._ledger.sandbox_id, row.binding, request, self._sources(row), watch
        )

    def _sources(self, row: ContextRow) -> Sources:
        storage = self._ledger.storage
        return Sources(storage.contents, self._store.base_image, storage.records)

    def _settle(self, turn: Turn, row: ContextRow, outcome: Outcome, request: ExecutionRequest) -> Head:
        """Commit what came out, or have the runtime forget it."""
        key, proposal = self._ledger.sandbox_id, outcome.proposal
        try:
            if proposal is not None:
                self._store.add_base_image(proposal.base, proposal.image)
            head = turn.commit(self._commit(turn, row, outcome, request))
        except BaseException:
            self._runtime.abandon(key, row.binding, row.id)
            raise
        if proposal is not None:
            stored: tuple[MappedExtent, ...] = ()
            if proposal.record is not None and proposal.record.extents:
                stored = self._ledger.storage.record(proposal.record.id).extents
            self._runtime.committed(key, row.binding, row.id, proposal, stored, head.manifest)
        return head

    def _commit(self, turn: Turn, row: ContextRow, outcome: Outcome, request: ExecutionRequest) -> Commit:
        at = now_ms()
        updated = replace(row, executions=request.count, last_used=at)
        proposal = outcome.proposal
        if proposal is not None:
            updated = replace(
                updated,
                cwd=self._folder(outcome.cwd, row.cwd),
                snapshot=_snapshot_row(row, proposal, at, request.count),
                guest_state=proposal.guest_state,
                held_contents=tuple(proposal.held_contents),
            )
        return Commit(
            kind="execution",
            at=at,
            summary=summarise(request.code),
            context_id=row.id,
            contexts=(updated,),
            records=(proposal.record,) if proposal and proposal.record else (),
            files=turn.files(proposal.files if proposal else None),
            contents={**proposal.contents, **proposal.held_contents} if proposal else {},
            idle_ttl=self._ledger.new_sandbox_ttl(turn.head),
        )

    def _folder(self, reported: str | None, before: str) -> str:
        """The working directory to keep: the guest's word for it, as long as it lies in /workspace."""
        if reported is None:
            return before
        try:
            return validation.cwd(reported, self._config.quota)
        except ValidationFailedError:
            return paths.ROOT

    def _result(
        self, head: Head, row: ContextRow, outcome: Outcome, request: ExecutionRequest
    ) -> ExecutionResult:
        current = head.contexts[row.id]
        context = ResultContext(
            id=row.id,
            cwd=current.cwd,
            executions=current.executions,
            snapshot_ms=outcome.snapshot_ms if outcome.proposal else None,
            expires_at=expires_at(head) if head.idle_ttl else None,
            generation=head.generation,
        )
        return replace(
            execution_result(request.code, row.binding, outcome),
            execution_count=current.executions,
            context=context,
            rolled_back_to=None if outcome.proposal else (row.snapshot.execution if row.snapshot else 0),
        )


def _reference(snapshot: SnapshotRow | None) -> SnapshotRef | None:
    return SnapshotRef(snapshot.build, snapshot.base, snapshot.tip) if snapshot else None


def _snapshot_row(row: ContextRow, proposal: Proposal, at: int, execution: int) -> SnapshotRow:
    before = row.snapshot
    same_line = before is not None and before.base == proposal.base
    stored = before.stored_bytes if before is not None and same_line else 0
    if proposal.record is not None:
        stored += len(proposal.record.payload)
        stored += sum(extent.count for extent in proposal.record.extents) * limits.PAGE_BYTES
    return SnapshotRow(
        build=proposal.build,
        base=proposal.base,
        tip=proposal.tip,
        memory_bytes=proposal.memory_bytes,
        taken_at=at,
        stored_bytes=stored,
        execution=execution,
    )


def summarise(code: str) -> str:
    """The first line that says something, for the history."""
    line = next((line.strip() for line in code.splitlines() if line.strip()), "")
    return line if len(line) <= _SUMMARY_CHARS else line[: _SUMMARY_CHARS - 3] + "..."


def budget(config: Config, binding: str, call: Call) -> Budget:
    """What a call may use: the configured amounts, which it may only lower."""
    engine = get_engine(binding).limits
    fuel = config.fuel or engine.fuel
    memory = config.memory or engine.memory_bytes
    timeout = call.timeout if call.timeout is not None else config.timeout
    return Budget(
        fuel=validation.fuel(call.fuel, fuel) if call.fuel is not None else fuel,
        memory_bytes=validation.memory(call.memory, memory) if call.memory is not None else memory,
        deadline=time.monotonic() + validation.timeout(timeout),
    )


def execution_result(code: str, binding: str, outcome: Outcome) -> ExecutionResult:
    """The part of a result that every execution has, in a context or not."""
    engine = get_engine(binding)
    return ExecutionResult(
        code=code,
        language=engine.language,
        engine=engine.name,
        duration_ms=outcome.duration_ms,
        logs=outcome.logs,
        results=outcome.results,
        error=outcome.error,
        usage=outcome.usage,
        exit_status=outcome.exit_status,
        notices=outcome.notices,
    )


def run_stateless(runtime: LocalRuntime, config: Config, call: Call) -> ExecutionResult:
    """Fresh memory, an empty /workspace, nothing kept."""
    binding = validation.required_binding(call.binding)
    runtime.prepare(binding)
    request = ExecutionRequest(
        context_id="",
        code=call.code,
        count=1,
        cwd=paths.ROOT,
        env=validation.merged_env(call.env),
        manifest=empty_manifest(),
        snapshot=None,
        guest_state="",
        budget=budget(config, binding, call),
        stdin=call.stdin,
    )
    outcome = runtime.execute(binding, request, call.watch)
    if outcome.callback_error is not None:
        raise outcome.callback_error
    return execution_result(call.code, binding, outcome)
