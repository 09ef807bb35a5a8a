"""What storage must do, and the data it keeps.

A store holds sandboxes and base images. A sandbox is a line of *generations*; every change is one
commit that replaces the head by compare-and-swap, atomically and durably: after `commit` returned
a head, no crash loses it, and no reader ever sees a part of it. Implementations pass the
conformance suite in tests/contract/test_stores.py.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from torpor.models import HistoryEntry
from torpor.snapshots.model import Extent, MappedExtent, NewRecord, StoredRecord
from torpor.workspace.manifest import Changes, Manifest

__all__ = [
    "Commit",
    "Conflict",
    "ContextRow",
    "Extent",
    "Head",
    "MappedExtent",
    "NewRecord",
    "SandboxStore",
    "SnapshotRow",
    "Store",
    "StoredRecord",
]

CommitKind = Literal["create", "execution", "files", "context", "env", "rewind", "fork", "import"]


@dataclass(frozen=True, slots=True)
class SnapshotRow:
    """Where a context's memory is: the base image and the newest of its chain of records.

    `build` is the engine's build id, `base` the SHA-256 of the base image, `tip` the id of the
    newest record (None: the base image itself), `memory_bytes` the linear memory's size.
    """

    build: str
    base: str
    tip: str | None
    memory_bytes: int
    taken_at: int
    stored_bytes: int = 0
    stale: bool = False
    #: The context's execution number whose state this is.
    execution: int = 0


@dataclass(frozen=True, slots=True)
class ContextRow:
    """One code context. `guest_state` is the JSON of what lies outside
    its memory: open descriptors and the monotonic clock (wasi.state)."""

    id: str
    binding: str
    language: str
    cwd: str
    env: Mapping[str, str]
    created_at: int
    last_used: int
    executions: int = 0
    snapshot: SnapshotRow | None = None
    guest_state: str = "{}"
    #: Digests of contents that only this context's descriptors still need (unlinked files).
    held_contents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """The current generation of a sandbox, whole except for files' contents and memory."""

    sandbox_id: str
    generation: int
    created_at: int
    last_used: int
    env: Mapping[str, str]
    contexts: Mapping[str, ContextRow]
    manifest: Manifest
    #: Seconds without use after which the sandbox may be removed; 0 = never.
    idle_ttl: float = 0.0


@dataclass(frozen=True, slots=True)
class Commit:
    """One change of a sandbox. Everything in it becomes true together, or nothing does.

    `contexts` are upserts. `contents` has the bytes of every digest that the upserted entries or
    held contents name and the store may lack; `env` replaces the whole map when given.
    """

    kind: CommitKind
    at: int
    summary: str = ""
    context_id: str | None = None
    contexts: tuple[ContextRow, ...] = ()
    removed_contexts: tuple[str, ...] = ()
    records: tuple[NewRecord, ...] = ()
    files: Changes | None = None
    contents: Mapping[str, bytes] = field(default_factory=dict)
    env: Mapping[str, str] | None = None
    idle_ttl: float | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """The commit was not applied: the head is another generation than the one expected."""

    expected: int
    actual: int


class SandboxStore(Protocol):
    """One sandbox's storage. Methods raise StorageError (or a subclass) for damage and full disks."""

    @property
    def sandbox_id(self) -> str: ...

    def lease(self, timeout: float) -> AbstractContextManager[None]:
        """The right to be the only writer, between threads and processes, freed by a crash.

        Raises SandboxBusyError after `timeout` seconds. Readers need none.
        """

    def head(self) -> Head | None:
        """The current generation; None when the sandbox does not exist (yet)."""

    def at(self, generation: int) -> Head:
        """A generation that can be rewound to, as it was (but for `idle_ttl`, which is the current one).

        Raises GenerationNotFoundError.
        """

    def commit(self, expected: int, commit: Commit) -> Head | Conflict:
        """Generation `expected` -> `expected + 1`. `expected` 0 creates the sandbox.

        Raises StorageError for a commit that names contents or records which neither it nor the store
        has, and for a full disk; nothing is changed then.
        """

    def rewind(self, expected: int, generation: int, at: int) -> Head | Conflict:
        """A new generation whose state is that of `generation`, one of the last REWINDABLE_GENERATIONS.

        The generations between stay in the history, so a rewind can itself be rewound. How long the
        sandbox may idle is not part of the state. Raises GenerationNotFoundError.
        """

    def history(self) -> tuple[HistoryEntry, ...]:
        """Generations, newest first, at most HISTORY_GENERATIONS."""

    def contents(self, digests: Sequence[str]) -> Mapping[str, bytes]:
        """The bytes of each digest. Raises StorageError when one is missing or damaged."""

    def records(self, tip: str | None) -> tuple[StoredRecord, ...]:
        """The chain from the base image to `tip`, oldest first. Raises CorruptSnapshotError.

        Extents may stay mapped for as long as `tip` is the context's newest record: their bytes do not
        change then. A mapping for an older tip must not be read any more, for its space is used again
        EXTENT_GRACE_GENERATIONS after no record names it.
        """

    def record(self, record_id: str) -> StoredRecord:
        """One record of the newest chain. Raises CorruptSnapshotError."""

    @property
    def needs_maintenance(self) -> bool:
        """Whether enough was committed since the last `maintain` to call it again. Cheap."""

    def maintain(self) -> None:
        """Forget what no rewindable generation needs and merge long chains. State never changes.

        Call it with the lease held, after a commit. Raises CorruptSnapshotError when a record that it
        must merge is damaged; what was committed stands even then.
        """

    def stored_bytes(self) -> int:
        """What the sandbox takes on disk, shared base images left out."""

    def release(self) -> None:
        """Give back descriptors and memory unless the lease is held; the next operation takes them anew."""

    def close(self) -> None: ...


class Store(Protocol):
    """All sandboxes, and the base images they share."""

    def sandbox(self, sandbox_id: str) -> SandboxStore:
        """The storage of one sandbox; nothing is created before its first commit."""

    def list(self) -> tuple[str, ...]:
        """Ids of the existing sandboxes, sorted."""

    def delete(self, sandbox_id: str) -> bool:
        """Remove a sandbox whole, whoever uses it: their next commit meets a Conflict. False when there
        was none."""

    def fork(self, source: str, target: str, generation: int | None, at: int) -> Head:
        """Copy a sandbox as of `generation` (None: its head) to the new id `target`, which starts a
        history of its own. Raises ValidationFailedError when `target` exists."""

    def export(self, sandbox_id: str, destination: Path, *, with_base_images: bool = True) -> None:
        """Write the sandbox as one file: its current generation, not its history."""

    def import_(self, source: Path, sandbox_id: str | None = None) -> Head:
        """Read an exported file, under its own id or another; checks everything before it is visible."""

    def base_image(self, digest: str) -> Path:
        """The file of a base image. Raises MissingBaseImageError."""

    def add_base_image(self, digest: str, file: Path) -> Path:
        """Keep a base image (verified against its digest) so that snapshots can rely on it.

        Comes before the first commit that names it. `file` may become a hard link of the kept one: it
        may be deleted, but not written to any more.
        """

    def expired(self, now_ms: int) -> tuple[str, ...]:
        """Ids of the sandboxes whose last commit is `idle_ttl` seconds old or older (0: never), sorted."""

    def sweep(self, now_ms: int) -> tuple[str, ...]:
        """Delete the expired sandboxes whose lease is free. Returns their ids."""

    def close(self) -> None: ...
