"""All sandboxes under one folder, and the base images they share.

    <home>/sandboxes/<name>/state.db, extents     one sandbox (names: `names`)
    <home>/locks/<name>                           its lease
    <home>/images/<sha256>                        base images
    <home>/workshop/                              what is being made or removed

A sandbox exists exactly when its folder does: folders appear and disappear whole, by rename.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from weakref import WeakSet

from torpor.errors import (
    MissingBaseImageError,
    SandboxBusyError,
    SandboxNotFoundError,
    StorageError,
    ValidationFailedError,
)
from torpor.snapshots.model import NewRecord, StoredRecord
from torpor.stores.base import CommitKind, Head
from torpor.stores.embedded import rows
from torpor.stores.embedded.archive import replacing, write_archive
from torpor.stores.embedded.database import Database
from torpor.stores.embedded.durable import Workshop
from torpor.stores.embedded.failures import storage_errors
from torpor.stores.embedded.images import ImageFolder
from torpor.stores.embedded.importing import ArchiveReader, open_archive
from torpor.stores.embedded.lease import remove_lock
from torpor.stores.embedded.maintenance import MergeRecords
from torpor.stores.embedded.names import check_id, folder_name, id_of_folder
from torpor.stores.embedded.parcel import Parcel, first_commit, pack, unpack
from torpor.stores.embedded.sandbox import EmbeddedSandbox


def _merge(chain: Sequence[StoredRecord]) -> NewRecord:
    # Imported when it is first needed: it loads numpy, which reading and writing records does not need.
    from torpor.snapshots.records import merge

    return merge(chain)


class EmbeddedStore:
    """A `Store` in a folder. Any number of processes may use one folder at the same time."""

    def __init__(self, home: Path, *, merge: MergeRecords = _merge) -> None:
        """`merge` joins neighbouring records (`snapshots.records.merge`). Nothing is created yet."""
        self._home = home
        self._merge = merge
        self._sandboxes = home / "sandboxes"
        self._images = ImageFolder(home / "images")
        self._workshop = Workshop(home / "workshop")
        self._opened: WeakSet[EmbeddedSandbox] = WeakSet()

    def sandbox(self, sandbox_id: str) -> EmbeddedSandbox:
        sandbox = EmbeddedSandbox(
            sandbox_id, self._folder(sandbox_id), self._lock_file(sandbox_id), self._workshop, self._merge
        )
        self._opened.add(sandbox)
        return sandbox

    def list(self) -> tuple[str, ...]:
        with storage_errors("list the sandboxes", self._sandboxes):
            if not self._sandboxes.is_dir():
                return ()
            ids = map(id_of_folder, (folder.name for folder in self._sandboxes.iterdir()))
            return tuple(sorted(name for name in ids if name is not None))

    def delete(self, sandbox_id: str) -> bool:
        folder, lock = self._folder(sandbox_id), self._lock_file(sandbox_id)
        with storage_errors("delete the sandbox", folder):
            existed = self._discard(folder)
            if lock.exists():
                remove_lock(lock)
            return existed

    def fork(self, source: str, target: str, generation: int | None, at: int) -> Head:
        """See `Store.fork`. Raises SandboxNotFoundError, GenerationNotFoundError, ValidationFailedError."""
        self._require_new(target)
        origin = self.sandbox(source)
        with ExitStack() as stack:
            stack.callback(origin.close)
            database, sql = stack.enter_context(origin.reading())
            newest = rows.head_generation(sql)
            rows.check_rewindable(newest if generation is None else generation, newest)
            head = rows.read_head(sql, newest if generation is None else generation)
            parcel = pack(database, sql, replace(head, created_at=at))
            summary = f"fork of {source} at generation {head.generation}"
            return self._establish(target, parcel, "fork", at, summary)

    def export(self, sandbox_id: str, destination: Path, *, with_base_images: bool = True) -> None:
        """See `Store.export`. An existing file is replaced. Raises SandboxNotFoundError."""
        sandbox = self.sandbox(sandbox_id)
        with ExitStack() as stack:
            stack.callback(sandbox.close)
            database, sql = stack.enter_context(sandbox.reading())
            parcel = pack(database, sql, rows.read_head(sql, rows.head_generation(sql)))
            bases = {row.snapshot.base for row in parcel.head.contexts.values() if row.snapshot}
            images = {base: self.base_image(base) for base in sorted(bases)} if with_base_images else {}
            stack.enter_context(storage_errors("export the sandbox", destination))
            write_archive(stack.enter_context(replacing(destination)), parcel, images)

    def import_(self, source: Path, sandbox_id: str | None = None) -> Head:
        """See `Store.import_`. Raises ValidationFailedError for a file that is not sound in every part."""
        at = time.time_ns() // 1_000_000
        with storage_errors("import the sandbox", source), open_archive(source) as archive:
            target = check_id(archive.head.sandbox_id if sandbox_id is None else sandbox_id)
            self._require_new(target)
            origin = f"import of {archive.head.sandbox_id} at generation {archive.head.generation}"
            # The images come when all else was found sound: a refused file leaves nothing behind.
            return self._establish(
                target, archive.parcel(), "import", at, origin, lambda: self._import_images(archive)
            )

    def base_image(self, digest: str) -> Path:
        return self._images.path(digest)

    def add_base_image(self, digest: str, file: Path) -> Path:
        return self._images.add(digest, file)

    def expired(self, now_ms: int) -> tuple[str, ...]:
        """Ids of the sandboxes that were not used for their `idle_ttl` (0: never), sorted."""
        return tuple(name for name in self.list() if self._is_expired(name, now_ms))

    def sweep(self, now_ms: int) -> tuple[str, ...]:
        """Delete the expired sandboxes that nobody is using. Returns their ids."""
        return tuple(name for name in self.expired(now_ms) if self._delete_expired(name, now_ms))

    def close(self) -> None:
        for sandbox in tuple(self._opened):
            sandbox.close()

    def _folder(self, sandbox_id: str) -> Path:
        return self._sandboxes / folder_name(sandbox_id)

    def _lock_file(self, sandbox_id: str) -> Path:
        return self._home / "locks" / folder_name(sandbox_id)

    def _require_new(self, target: str) -> None:
        if self._folder(target).exists():
            raise ValidationFailedError(
                f"A sandbox {target} exists already: choose another id or delete it first",
                context={"sandbox": target},
            )

    def _establish(
        self,
        target: str,
        parcel: Parcel,
        kind: CommitKind,
        at: int,
        summary: str,
        before_publishing: Callable[[], None] = lambda: None,
    ) -> Head:
        folder = self._folder(target)
        with storage_errors(f"{kind} the sandbox", folder), self._workshop.new_folder() as aside:
            head = unpack(aside, target, parcel, first_commit(parcel, kind, at, summary))
            before_publishing()
            if not self._workshop.publish(aside, folder):
                self._require_new(target)
            return head

    def _import_images(self, archive: ArchiveReader) -> None:
        for digest in self._missing(archive.images()):
            with self._workshop.new_folder() as aside:
                file = aside / digest
                with file.open("wb") as stream:
                    archive.copy(digest, stream)
                self._images.add(digest, file)

    def _missing(self, digests: Iterable[str]) -> Iterable[str]:
        for digest in digests:
            try:
                self._images.path(digest)
            except MissingBaseImageError:
                yield digest

    def _discard(self, folder: Path) -> bool:
        if not folder.exists():
            return False
        with ExitStack() as stack:
            # Under the write lock no commit can be under way, and the next one finds the folder gone.
            with suppress(StorageError), storage_errors("open the sandbox", folder):
                database = Database(folder)
                stack.callback(database.close)
                stack.enter_context(database.writing())
            # What is too damaged to be opened can still be deleted.
            if not folder.exists():
                return False
            self._workshop.discard(folder)
        return True

    def _is_expired(self, sandbox_id: str, now_ms: int) -> bool:
        sandbox = self.sandbox(sandbox_id)
        try:
            with sandbox.reading() as (_, sql):
                idle_ttl, last_used = rows.read_idle(sql)
        except (StorageError, SandboxNotFoundError, SandboxBusyError):
            # Damaged: its owner should see that, not find it gone. Deleted or busy: not ours.
            return False
        finally:
            sandbox.close()
        return idle_ttl > 0 and last_used + idle_ttl * 1000 <= now_ms

    def _delete_expired(self, sandbox_id: str, now_ms: int) -> bool:
        sandbox = self.sandbox(sandbox_id)
        try:
            with sandbox.lease(0.0):
                # It may have been used since.
                if not self._is_expired(sandbox_id, now_ms):
                    return False
                folder = self._folder(sandbox_id)
                with storage_errors("delete the sandbox", folder):
                    deleted = self._discard(folder)
        except SandboxBusyError:
            return False
        finally:
            sandbox.close()
        self.delete(sandbox_id)
        return deleted
