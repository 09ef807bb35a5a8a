"""The registry of a sandbox's code contexts: choosing, making and describing them. Data to data."""

import uuid
from collections.abc import Mapping

from torpor.errors import ContextNotFoundError, ValidationFailedError
from torpor.limits import MAX_CONTEXTS_PER_SANDBOX, WASM_PAGE_BYTES
from torpor.models import CodeContext, ContextInfo, SnapshotInfo
from torpor.stores.base import ContextRow, Head, SnapshotRow


def find(head: Head | None, context_id: str) -> ContextRow:
    """Raises ContextNotFoundError."""
    row = head.contexts.get(context_id) if head else None
    if row is None:
        raise ContextNotFoundError(
            f"There is no code context {context_id!r} in this sandbox", context={"contextId": context_id}
        )
    return row


def oldest_of(head: Head | None, binding: str) -> ContextRow | None:
    """The default context of a binding: the oldest one, explicitly created or not."""
    rows = [row for row in head.contexts.values() if row.binding == binding] if head else []
    return min(rows, key=lambda row: (row.created_at, row.id), default=None)


def ordered(head: Head) -> list[ContextRow]:
    """Oldest first."""
    return sorted(head.contexts.values(), key=lambda row: (row.created_at, row.id))


def new(
    head: Head | None, *, binding: str, language: str, cwd: str, env: Mapping[str, str], at: int
) -> ContextRow:
    """A context to be committed. Raises ValidationFailedError at the cap."""
    if head is not None and len(head.contexts) >= MAX_CONTEXTS_PER_SANDBOX:
        raise ValidationFailedError(
            f"Cannot create more than {MAX_CONTEXTS_PER_SANDBOX} code contexts in a sandbox; delete one first"
        )
    return ContextRow(
        id=str(uuid.uuid4()),
        binding=binding,
        language=language,
        cwd=cwd,
        env=dict(env),
        created_at=at,
        last_used=at,
    )


def view(row: ContextRow) -> CodeContext:
    return CodeContext(row.id, row.binding, row.language, row.cwd, row.created_at, row.last_used)


def info(row: ContextRow, engine: str, build: str | None) -> ContextInfo:
    """`build` is the installed engine's build id: a snapshot of another one will not be restored."""
    snapshot = row.snapshot if row.snapshot and row.snapshot.build == build else None
    return ContextInfo(
        id=row.id,
        binding=row.binding,
        language=row.language,
        engine=engine,
        cwd=row.cwd,
        created_at=row.created_at,
        last_used=row.last_used,
        executions=row.executions,
        snapshot=_snapshot_info(snapshot) if snapshot else None,
    )


def _snapshot_info(snapshot: SnapshotRow) -> SnapshotInfo:
    return SnapshotInfo(
        build=snapshot.build,
        pages=snapshot.memory_bytes // WASM_PAGE_BYTES,
        bytes=snapshot.memory_bytes,
        stored_bytes=snapshot.stored_bytes,
        taken_at=snapshot.taken_at,
        stale=snapshot.stale,
    )
