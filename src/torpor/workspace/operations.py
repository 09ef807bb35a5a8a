"""The file API as pure functions from a manifest to its changes.

They read a `Manifest` and give the `Changes` of one operation (and the bytes that it needs kept), or
raise a typed file error and change nothing. Paths are as people write them: absolute under /workspace
or relative to it. Times are nanoseconds. Knows no storage and no guest: whoever calls them commits.
"""

import errno
from hashlib import sha256

from torpor.errors import FileSystemError
from torpor.limits import WorkspaceQuota
from torpor.models import FileContent, FileInfo
from torpor.workspace import filetypes, paths
from torpor.workspace.edit import Edit
from torpor.workspace.lookup import below, fail, find, require, resolve
from torpor.workspace.manifest import Changes, Entry, Manifest

_NS_PER_MS = 1_000_000


def write(
    manifest: Manifest, quota: WorkspaceQuota, path: str, data: bytes, now_ns: int
) -> tuple[Changes, dict[str, bytes]]:
    """Create or overwrite a file whose directory exists; the changes, and the content by its digest.

    Overwriting keeps the inode, so that open descriptors and hard links see the new content. Raises
    IsDirectoryError, FileNotFoundError or NotDirectoryError for the directory, FileTooLargeError and
    NoSpaceError with `limit` and `size` in their context.
    """
    operation = "file.write"
    relative = resolve(manifest, quota, path, operation=operation)
    existing = find(manifest, relative)
    if existing is not None and existing.kind == "directory":
        fail(errno.EISDIR, relative, operation)
    edit = Edit(manifest, quota, now_ns, operation)
    edit.require_bytes(relative, len(data), existing)
    digest = sha256(data).hexdigest()
    if existing is None:
        edit.create(relative, "file", size=len(data), digest=digest)
    else:
        edit.update(existing, size=len(data), digest=digest)
    return edit.changes(), {digest: data}


def mkdir(
    manifest: Manifest, quota: WorkspaceQuota, path: str, now_ns: int, *, recursive: bool = False
) -> Changes:
    """Create a directory; with `recursive` its parents too, and an existing one is no error.

    Raises FileExistsError, FileNotFoundError, NotDirectoryError, NoSpaceError. /workspace itself exists
    always, and making it is no error.
    """
    operation = "directory.create"
    edit = Edit(manifest, quota, now_ns, operation)
    wanted = paths.normalise(path, quota, operation=operation)
    parts = paths.split(wanted)
    first = 1 if recursive or not parts else len(parts)
    for depth in range(first, len(parts) + 1):
        step = paths.absolute("/".join(parts[:depth]))
        relative = resolve(edit.manifest, quota, step, operation=operation, follow=False)
        existing = find(edit.manifest, relative)
        if existing is None:
            edit.create(relative, "directory")
        elif not (recursive and _leads_to_directory(edit.manifest, quota, step)):
            fail(errno.EEXIST, relative, operation)
    return edit.changes()


def delete(
    manifest: Manifest,
    quota: WorkspaceQuota,
    path: str,
    now_ns: int,
    *,
    recursive: bool = False,
    force: bool = False,
) -> Changes:
    """Remove a file, a link (never what it points to), or with `recursive` a directory.

    Any directory needs `recursive`, an empty one too (IsDirectoryError otherwise); `force` makes a
    missing path no error. /workspace itself cannot be removed (PermissionDeniedError).
    """
    operation = "file.delete"
    if force and not _leads_somewhere(manifest, quota, path, operation, follow=False):
        return Changes(next_inode=manifest.next_inode)
    entry = require(manifest, quota, path, operation=operation, follow=False)
    _require_not_root(entry.path, operation, "removed")
    if entry.kind == "directory" and not recursive:
        fail(errno.EISDIR, entry.path, operation, "it is a directory; pass recursive to remove it")
    edit = Edit(manifest, quota, now_ns, operation)
    edit.remove(entry.path)
    return edit.changes()


def move(manifest: Manifest, quota: WorkspaceQuota, source: str, target: str, now_ns: int) -> Changes:
    """Rename an entry, as POSIX rename does: a file or an empty directory at `target` is replaced.

    Raises FileNotFoundError (no source, or no directory for the target), IsDirectoryError (file over
    directory), NotDirectoryError (directory over file), PermissionDeniedError (/workspace itself), and
    FileSystemError with ENOTEMPTY, or EINVAL for a directory into its own subtree.
    """
    operation = "file.move"
    # POSIX looks at the way to both before it looks at either.
    resolve(manifest, quota, source, operation=operation, follow=False)
    to = resolve(manifest, quota, target, operation=operation, follow=False)
    entry = require(manifest, quota, source, operation=operation, follow=False)
    _require_not_root(entry.path, operation, "moved")
    _require_not_root(to, operation, "replaced")
    if paths.is_inside(to, entry.path):
        fail(errno.EINVAL, entry.path, operation, f"it cannot be moved into itself ({paths.absolute(to)})")
    if paths.is_inside(entry.path, to):
        fail(errno.ENOTEMPTY, to, operation)
    replaced = find(manifest, to)
    edit = Edit(manifest, quota, now_ns, operation)
    if replaced is None:
        edit.rename(entry.path, to)
    elif replaced.inode != entry.inode:  # two names of one file: POSIX does nothing
        _require_replaceable(manifest, entry, replaced, operation)
        edit.remove(to)
        edit.rename(entry.path, to)
    return edit.changes()


def list_files(
    manifest: Manifest,
    quota: WorkspaceQuota,
    path: str = paths.ROOT,
    *,
    recursive: bool = False,
    include_hidden: bool = False,
) -> tuple[FileInfo, ...]:
    """What a directory holds, sorted by name; with `recursive` a walk, each directory before its content.

    An entry is hidden when any part of its path below the listed directory begins with a dot. Links
    are listed, not followed. Raises FileNotFoundError, NotDirectoryError.
    """
    operation = "directory.list"
    directory = require(manifest, quota, path, operation=operation)
    if directory.kind != "directory":
        fail(errno.ENOTDIR, directory.path, operation)
    shown = []
    for inner in below(manifest, directory.path):
        parts = inner[len(directory.path) :].lstrip("/").split("/")
        hidden = any(part.startswith(".") for part in parts)
        if (recursive or len(parts) == 1) and (include_hidden or not hidden):
            shown.append(_info(manifest.entries[inner], "/".join(parts)))
    return tuple(shown)


def exists(manifest: Manifest, quota: WorkspaceQuota, path: str) -> bool:
    """Whether `path` leads to an entry. A path out of /workspace is still a PermissionDeniedError."""
    return _leads_somewhere(manifest, quota, path, "file.stat", follow=True)


def stat(manifest: Manifest, quota: WorkspaceQuota, path: str, *, follow: bool = True) -> FileInfo:
    """An entry as listings show it; of a link itself when not `follow`. Raises FileNotFoundError."""
    entry = require(manifest, quota, path, operation="file.stat", follow=follow)
    return _info(entry, entry.path)


def read(manifest: Manifest, quota: WorkspaceQuota, path: str) -> Entry:
    """The file whose content a read of `path` gives: its bytes are those of `digest`.

    Raises FileNotFoundError, IsDirectoryError.
    """
    operation = "file.read"
    entry = require(manifest, quota, path, operation=operation)
    if entry.kind == "directory":
        fail(errno.EISDIR, entry.path, operation)
    return entry


def file_content(entry: Entry, data: bytes) -> FileContent:
    """What reading the file gives, once its bytes are there."""
    binary = filetypes.is_binary(data)
    return FileContent(
        path=paths.absolute(entry.path),
        content=data,
        mime_type=filetypes.mime_type(entry.path, binary=binary),
        is_binary=binary,
        size=len(data),
        modified_at=entry.mtime // _NS_PER_MS,
    )


def _info(entry: Entry, relative: str) -> FileInfo:
    return FileInfo(
        name=paths.name(entry.path),
        absolute_path=paths.absolute(entry.path),
        relative_path=relative,
        type=entry.kind,
        size=entry.size,
        modified_at=entry.mtime // _NS_PER_MS,
        target=entry.target,
    )


def _leads_somewhere(
    manifest: Manifest, quota: WorkspaceQuota, path: str, operation: str, *, follow: bool
) -> bool:
    try:
        require(manifest, quota, path, operation=operation, follow=follow)
    except FileSystemError as error:
        if error.errno in ("ENOENT", "ENOTDIR", "ELOOP"):
            return False
        raise
    return True


def _leads_to_directory(manifest: Manifest, quota: WorkspaceQuota, path: str) -> bool:
    entry = find(manifest, resolve(manifest, quota, path, operation="directory.create"))
    return entry is not None and entry.kind == "directory"


def _require_not_root(relative: str, operation: str, verb: str) -> None:
    if not relative:
        fail(errno.EACCES, relative, operation, f"it cannot be {verb}")


def _require_replaceable(manifest: Manifest, entry: Entry, replaced: Entry, operation: str) -> None:
    """The rules of POSIX rename for a target that exists."""
    if entry.kind != "directory" and replaced.kind == "directory":
        fail(errno.EISDIR, replaced.path, operation)
    if entry.kind == "directory" and replaced.kind != "directory":
        fail(errno.ENOTDIR, replaced.path, operation)
    if below(manifest, replaced.path):
        fail(errno.ENOTEMPTY, replaced.path, operation)
