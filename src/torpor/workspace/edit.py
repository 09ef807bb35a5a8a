"""One operation's changes to a manifest: new, changed, renamed and removed entries, within the quota.

The caller has resolved and checked all paths (they are relative ones here); this keeps inodes, hard
links and the directories' times right, and refuses what breaks the quota. Knows no storage.
"""

import errno
from dataclasses import replace

from torpor.errors import FileSystemError, file_error
from torpor.limits import WorkspaceQuota
from torpor.workspace import paths
from torpor.workspace.lookup import below, find
from torpor.workspace.manifest import Changes, Entry, Kind, Manifest


class Edit:
    """A manifest being changed by one operation, within the quota."""

    def __init__(self, manifest: Manifest, quota: WorkspaceQuota, now_ns: int, operation: str) -> None:
        self._old = manifest
        self._quota = quota
        self._now = now_ns
        self._operation = operation
        self._entries = dict(manifest.entries)
        self._next_inode = manifest.next_inode
        #: Paths that may differ from the old manifest: it can have thousands that do not.
        self._touched: set[str] = set()

    @property
    def manifest(self) -> Manifest:
        return Manifest(self._entries, self._next_inode)

    def changes(self) -> Changes:
        old, new = self._old.entries, self._entries
        upserts = [new[path] for path in sorted(self._touched) if path in new and new[path] != old.get(path)]
        deleted = [path for path in sorted(self._touched) if path in old and path not in new]
        return Changes(tuple(upserts), tuple(deleted), self._next_inode)

    def create(self, path: str, kind: Kind, *, size: int = 0, digest: str | None = None) -> None:
        self._require_entries(path)
        self._put(Entry(path, kind, self._next_inode, self._now, size, digest))
        self._next_inode += 1
        self.touch(paths.parent(path))

    def update(self, entry: Entry, *, size: int, digest: str) -> None:
        """New content under every name of the file: hard links share it."""
        for other in [e for e in self._entries.values() if e.inode == entry.inode]:
            self._put(replace(other, size=size, digest=digest, mtime=self._now))

    def remove(self, path: str) -> None:
        for gone in [path, *below(self.manifest, path)]:
            self._take(gone)
        self.touch(paths.parent(path))

    def rename(self, source: str, target: str) -> None:
        moved = [source, *below(self.manifest, source)]
        for path in moved:
            new = target + path[len(source) :]
            paths.require_lengths(new, self._quota, operation=self._operation)
            self._put(replace(self._take(path), path=new))
        self.touch(paths.parent(source))
        self.touch(paths.parent(target))

    def touch(self, directory: str) -> None:
        entry = find(self.manifest, directory)
        assert entry is not None
        self._put(replace(entry, mtime=self._now))

    def require_bytes(self, path: str, size: int, replaced: Entry | None) -> None:
        """Raises FileTooLargeError or NoSpaceError when `size` bytes at `path` break the quota."""
        quota = self._quota
        if size > quota.file_bytes:
            words = f"a file may have at most {quota.file_bytes} bytes, not {size}"
            raise self._over(errno.EFBIG, path, words, size, quota.file_bytes, "TORPOR_FILE_BYTES")
        sizes = {e.inode: e.size for e in self._entries.values() if e.kind == "file"}
        total = sum(sizes.values()) - (replaced.size if replaced else 0) + size
        if total > quota.total_bytes:
            words = f"all files together may have at most {quota.total_bytes} bytes, not {total}"
            raise self._over(errno.ENOSPC, path, words, total, quota.total_bytes, "TORPOR_WORKSPACE_BYTES")

    def _put(self, entry: Entry) -> None:
        self._entries[entry.path] = entry
        self._touched.add(entry.path)

    def _take(self, path: str) -> Entry:
        self._touched.add(path)
        return self._entries.pop(path)

    def _require_entries(self, path: str) -> None:
        count = sum(1 for known in self._entries if known) + 1
        limit = self._quota.entries
        if count > limit:
            words = f"the workspace may have at most {limit} files, links and directories"
            raise self._over(errno.ENOSPC, path, words, count, limit, "TORPOR_WORKSPACE_ENTRIES")

    def _over(
        self, number: int, path: str, words: str, size: int, limit: int, setting: str
    ) -> FileSystemError:
        shown = paths.absolute(path)
        return file_error(
            number,
            shown,
            f"{shown}: {words} ({setting} raises the limit)",
            operation=self._operation,
            context={"limit": limit, "size": size},
        )
