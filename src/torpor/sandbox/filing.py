"""The file API of a sandbox: pure operations on the manifest, each one commit."""

import time
from collections.abc import Callable, Mapping

from torpor.limits import WorkspaceQuota
from torpor.models import FileContent, FileInfo
from torpor.sandbox.ledger import Ledger, empty_manifest, now_ms
from torpor.stores.base import Commit
from torpor.workspace import operations
from torpor.workspace.manifest import Changes, Manifest

_Operation = Callable[[Manifest], tuple[Changes, Mapping[str, bytes]]]


class Files:
    """Reads take the committed state and need no lease; a sandbox that does not exist is empty."""

    def __init__(self, ledger: Callable[[], Ledger], quota: WorkspaceQuota) -> None:
        """`ledger` is asked each time: destroying the sandbox ends one, and the id begins anew."""
        self._ledger = ledger
        self._quota = quota

    def write(self, path: str, data: bytes) -> None:
        def operation(manifest: Manifest) -> tuple[Changes, Mapping[str, bytes]]:
            return operations.write(manifest, self._quota, path, data, time.time_ns())

        self._change(f"write {path}", operation)

    def read(self, path: str) -> FileContent:
        entry = operations.read(self._manifest(), self._quota, path)
        digest = entry.digest or ""
        return operations.file_content(entry, self._ledger().storage.contents([digest])[digest])

    def make_directory(self, path: str, *, recursive: bool) -> None:
        def operation(manifest: Manifest) -> tuple[Changes, Mapping[str, bytes]]:
            return operations.mkdir(manifest, self._quota, path, time.time_ns(), recursive=recursive), {}

        self._change(f"mkdir {path}", operation)

    def move(self, source: str, target: str) -> None:
        def operation(manifest: Manifest) -> tuple[Changes, Mapping[str, bytes]]:
            return operations.move(manifest, self._quota, source, target, time.time_ns()), {}

        self._change(f"move {source} to {target}", operation)

    def delete(self, path: str, *, recursive: bool, force: bool) -> None:
        def operation(manifest: Manifest) -> tuple[Changes, Mapping[str, bytes]]:
            now = time.time_ns()
            changes = operations.delete(manifest, self._quota, path, now, recursive=recursive, force=force)
            return changes, {}

        self._change(f"delete {path}", operation)

    def list(self, path: str, *, recursive: bool, include_hidden: bool) -> tuple[FileInfo, ...]:
        return operations.list_files(
            self._manifest(), self._quota, path, recursive=recursive, include_hidden=include_hidden
        )

    def exists(self, path: str) -> bool:
        return operations.exists(self._manifest(), self._quota, path)

    def _manifest(self) -> Manifest:
        head = self._ledger().head()
        return head.manifest if head else empty_manifest()

    def _change(self, summary: str, operation: _Operation) -> None:
        ledger = self._ledger()
        with ledger.writing() as turn:
            changes, contents = operation(turn.manifest)
            if changes or turn.head is None:
                turn.commit(
                    Commit(
                        kind="files",
                        at=now_ms(),
                        summary=summary,
                        files=turn.files(changes),
                        contents=contents,
                        idle_ttl=ledger.new_sandbox_ttl(turn.head),
                    )
                )
