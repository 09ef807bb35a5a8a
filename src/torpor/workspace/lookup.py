"""Looking things up in a manifest: entries, links, what a directory holds. Reads only.

Every function takes paths as people write them, unless it says "relative". Errors are the typed
file errors of `errors`, with the operation's name in them.
"""

import errno
from typing import NoReturn

from torpor.errors import file_error
from torpor.limits import WorkspaceQuota
from torpor.workspace import paths
from torpor.workspace.manifest import Entry, Manifest

_ROOT_INODE = 1
_MESSAGES = {
    errno.ENOENT: "there is no such file or directory",
    errno.EEXIST: "it exists already",
    errno.EISDIR: "it is a directory",
    errno.ENOTDIR: "it is not a directory",
    errno.ENOTEMPTY: "the directory is not empty",
}


def fail(number: int, relative: str, operation: str, detail: str | None = None) -> NoReturn:
    """Raise the typed error of an errno about an entry; `detail` replaces the usual words."""
    shown = paths.absolute(relative)
    words = detail or _MESSAGES[number]
    raise file_error(number, shown, f"{shown}: {words}", operation=operation)


def find(manifest: Manifest, relative: str) -> Entry | None:
    """The entry at a relative path, links not followed. The root is always there."""
    entry = manifest.entries.get(relative)
    if entry is None and not relative:
        return Entry("", "directory", _ROOT_INODE, 0)
    return entry


def resolve(
    manifest: Manifest,
    quota: WorkspaceQuota,
    path: str,
    *,
    operation: str = "file.stat",
    follow: bool = True,
) -> str:
    """The relative path that `path` leads to after following links, the last one only if `follow`.

    The last part need not exist; all before it must be directories (ENOENT, ENOTDIR). Links may point
    anywhere inside /workspace; one that leaves it is EACCES, too many in a row are ELOOP.
    """
    pending = paths.normalise(path, quota, operation=operation).split("/")[::-1]
    at, hops = "", 0
    while pending:
        part = pending.pop()
        if part in ("", ".."):
            at = _up(at, path, operation) if part else at
            continue
        here = paths.join(at, part)
        entry = find(manifest, here)
        if entry is not None and entry.kind == "symlink" and (follow or pending):
            hops += 1
            if hops > quota.symlink_hops:
                _fail_loop(path, quota, operation)
            at = _enter_link(entry, at, pending, operation)
            continue
        if pending:
            _require_directory(entry, here, operation)
        at = here
    paths.require_lengths(at, quota, operation=operation)
    return at


def require(
    manifest: Manifest, quota: WorkspaceQuota, path: str, *, operation: str, follow: bool = True
) -> Entry:
    """The entry that `path` leads to. Raises FileNotFoundError when there is none."""
    relative = resolve(manifest, quota, path, operation=operation, follow=follow)
    entry = find(manifest, relative)
    if entry is None:
        fail(errno.ENOENT, relative, operation)
    return entry


def below(manifest: Manifest, relative: str) -> list[str]:
    """The relative paths of everything below a directory, in the order of a tree walk."""
    return paths.sorted_by_parts(p for p in manifest.entries if paths.is_inside(p, relative))


def _up(at: str, path: str, operation: str) -> str:
    if not at:
        raise paths.outside(path, operation)
    return paths.parent(at)


def _enter_link(link: Entry, at: str, pending: list[str], operation: str) -> str:
    """Queue the parts of a link's target; the directory that they start from."""
    target = link.target or ""
    if not target.startswith("/"):
        pending.extend(reversed(paths.split(target)))
        return at
    parts = paths.link_parts(target)
    if parts is None:
        raise paths.outside(target, operation)
    pending.extend(reversed(parts))
    return ""


def _require_directory(entry: Entry | None, relative: str, operation: str) -> None:
    if entry is None:
        fail(errno.ENOENT, relative, operation)
    if entry.kind != "directory":
        fail(errno.ENOTDIR, relative, operation)


def _fail_loop(path: str, quota: WorkspaceQuota, operation: str) -> NoReturn:
    raise file_error(
        errno.ELOOP,
        path,
        f"{path}: more than {quota.symlink_hops} links follow one another",
        operation=operation,
        context={"limit": quota.symlink_hops},
    )
