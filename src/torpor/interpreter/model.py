"""What goes into one execution and what comes out: data between the sandbox and an interpreter."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from torpor.interpreter.output import OutputCallbacks
from torpor.models import ExecutionError, Logs, Result, Usage
from torpor.snapshots.model import NewRecord, StoredRecord
from torpor.wasm.interrupt import Interruption
from torpor.workspace.manifest import Changes, Manifest


@dataclass(frozen=True, slots=True)
class SnapshotRef:
    """A context's committed memory. `tip` None: the base image itself."""

    build: str
    base: str
    tip: str | None


@dataclass(frozen=True, slots=True)
class Budget:
    """Fuel in units of 1,000 instructions, memory in bytes, the deadline as time.monotonic()."""

    fuel: int
    memory_bytes: int
    deadline: float | None = None


@dataclass(frozen=True, slots=True)
class ExecutionRequest:
    """One execution in a context. `snapshot` None: a fresh context. `count`: its number, from 1."""

    context_id: str
    code: str
    count: int
    cwd: str
    env: Mapping[str, str]
    manifest: Manifest
    snapshot: SnapshotRef | None
    guest_state: str
    budget: Budget
    stdin: bytes = b""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where an interpreter pulls what it lacks. Each is called at most once in an execution."""

    get_files: Callable[[Sequence[str]], Mapping[str, bytes]]
    get_image: Callable[[str], Path]
    get_records: Callable[[str | None], Sequence[StoredRecord]]


@dataclass(frozen=True, slots=True)
class Proposal:
    """The state after an execution, waiting to be committed.

    `record` is None when memory did not change. `image` is where the base image lies, for a store
    that does not have it yet.
    """

    build: str
    base: str
    image: Path
    tip: str | None
    record: NewRecord | None
    memory_bytes: int
    guest_state: str
    held_contents: Mapping[str, bytes]
    files: Changes
    contents: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one execution gave. Without a `proposal` memory and files stay as they were."""

    duration_ms: float
    logs: Logs
    usage: Usage | None
    results: tuple[Result, ...] = ()
    error: ExecutionError | None = None
    exit_status: int | None = None
    cwd: str | None = None
    proposal: Proposal | None = None
    #: Milliseconds it took to find the changes and make the record.
    snapshot_ms: float = 0.0
    notices: tuple[str, ...] = ()
    #: What one of the caller's own callbacks raised; to be raised again after the commit.
    callback_error: Exception | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """The caller's hold on a running execution: where output goes and how to stop it."""

    callbacks: OutputCallbacks = field(default_factory=OutputCallbacks)
    interruption: Interruption = field(default_factory=Interruption)


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """A question about what could be typed; it changes nothing that is kept."""

    execution: ExecutionRequest
    cursor: int
