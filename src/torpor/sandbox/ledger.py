"""The sandbox's side of storage: one writer at a time, the head it starts from, its commit.

Every change of a sandbox goes through `writing`; every reader takes `head`.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from torpor.errors import ConflictError, SandboxNotFoundError, StorageError
from torpor.stores.base import Commit, Conflict, Head, SandboxStore, Store
from torpor.workspace.manifest import Changes, Entry, Manifest

_log = logging.getLogger(__name__)
_MS = 1000
_ROOT = 1


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def empty_manifest() -> Manifest:
    return Manifest({"": Entry("", "directory", _ROOT, time.time_ns())}, _ROOT + 1)


@dataclass(frozen=True, slots=True)
class Turn:
    """The right to write, for the length of one operation. `head` None: the sandbox does not exist yet."""

    head: Head | None
    manifest: Manifest
    commit: Callable[[Commit], Head]

    def require_head(self, sandbox_id: str) -> Head:
        if self.head is None:
            raise not_found(sandbox_id)
        return self.head

    def files(self, changes: Changes | None) -> Changes | None:
        """The changes to commit: with /workspace itself when the sandbox is only now created."""
        if self.head is not None:
            return changes or None
        changes = changes or Changes(next_inode=self.manifest.next_inode)
        root = self.manifest.entries[""]
        known = any(entry.path == "" for entry in changes.upserts)
        upserts = changes.upserts if known else (root, *changes.upserts)
        return Changes(upserts, changes.deleted, changes.next_inode)


def not_found(sandbox_id: str) -> SandboxNotFoundError:
    return SandboxNotFoundError(
        f"There is no sandbox {sandbox_id!r}; running code or writing a file in it creates it",
        context={"sandboxId": sandbox_id},
    )


def is_expired(head: Head, at_ms: int) -> bool:
    """Whether the sandbox has not been used for its idle time to live."""
    return head.idle_ttl > 0 and at_ms >= expires_at(head)


def expires_at(head: Head) -> int:
    """Unix milliseconds; meaningless when the sandbox never expires."""
    return head.last_used + int(head.idle_ttl * _MS)


class Ledger:
    """One sandbox's line of generations."""

    def __init__(self, store: Store, sandbox_id: str, *, lease: float, idle_ttl: float) -> None:
        self._store = store
        self.sandbox_id = sandbox_id
        self._lease = lease
        self._idle_ttl = idle_ttl
        self.storage: SandboxStore = store.sandbox(sandbox_id)

    def head(self) -> Head | None:
        """The current generation; None when there is no sandbox, or none any more."""
        head = self.storage.head()
        return None if head is None or is_expired(head, now_ms()) else head

    def require_head(self) -> Head:
        """Raises SandboxNotFoundError."""
        head = self.head()
        if head is None:
            raise not_found(self.sandbox_id)
        return head

    @contextmanager
    def writing(self) -> Iterator[Turn]:
        """Be the only writer. Raises SandboxBusyError when another does not finish in time."""
        with self.storage.lease(self._lease):
            head = self.storage.head()
            if head is not None and is_expired(head, now_ms()):
                self._store.delete(self.sandbox_id)
                head = None
            yield Turn(head, head.manifest if head else empty_manifest(), self._committer(head))

    def _committer(self, head: Head | None) -> Callable[[Commit], Head]:
        expected = head.generation if head else 0

        def commit(change: Commit) -> Head:
            nonlocal expected
            outcome = self.storage.commit(expected, change)
            if isinstance(outcome, Conflict):
                raise conflict(outcome)
            expected = outcome.generation
            self._maintain()
            return outcome

        return commit

    def _maintain(self) -> None:
        """Tidy up when it is due. What was committed stands whether or not this succeeds."""
        if not self.storage.needs_maintenance:
            return
        try:
            self.storage.maintain()
        except StorageError as error:
            _log.warning("sandbox %s: old generations could not be tidied up: %s", self.sandbox_id, error)

    def new_sandbox_ttl(self, head: Head | None) -> float | None:
        """The idle time to live that a commit must set: given once, when the sandbox is created."""
        return self._idle_ttl if head is None else None


def conflict(outcome: Conflict) -> ConflictError:
    return ConflictError(
        f"Another writer committed generation {outcome.actual} first; this change (based on generation "
        f"{outcome.expected}) was not applied. Try again.",
        context={"expected": outcome.expected, "actual": outcome.actual},
    )
