"""From the paths that people write to the manifest's relative form, and back.

The manifest's form has no leading slash, no "." or ".." and no empty part; "" is /workspace itself.
Purely lexical: knows no manifest and follows no link (`operations.resolve` does).
"""

import errno
from collections.abc import Iterable

from torpor.errors import FileSystemError, ValidationFailedError, file_error
from torpor.limits import WorkspaceQuota

ROOT = "/workspace"
_ROOT_NAME = ROOT[1:]


def normalise(path: str, quota: WorkspaceQuota, *, operation: str | None = None) -> str:
    """The manifest's form of a path that is absolute under /workspace or relative to it.

    "." and empty parts are dropped and ".." is resolved lexically. Raises ValidationFailedError for an
    empty path, PermissionDeniedError for one outside /workspace, FileSystemError with EINVAL for one
    that no file system could hold and with ENAMETOOLONG for one beyond the quota's lengths.
    """
    _require_storable(path, operation)
    parts = [_ROOT_NAME] if not path.startswith("/") else []
    for part in split(path):
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            raise outside(path, operation)
    if parts[:1] != [_ROOT_NAME]:
        raise outside(path, operation)
    relative = "/".join(parts[1:])
    require_lengths(relative, quota, operation=operation)
    return relative


def split(path: str) -> list[str]:
    """The parts of a path, ".." included, without "." and empty ones."""
    return [part for part in path.split("/") if part not in ("", ".")]


def link_parts(target: str) -> list[str] | None:
    """The parts of an absolute link target below /workspace; None when it points elsewhere."""
    parts = split(target)
    return parts[1:] if parts[:1] == [_ROOT_NAME] else None


def absolute(relative: str) -> str:
    """The absolute path that people see: "" gives "/workspace"."""
    return f"{ROOT}/{relative}" if relative else ROOT


def parent(relative: str) -> str:
    """The directory that holds an entry; the root is its own parent."""
    return relative.rpartition("/")[0]


def name(relative: str) -> str:
    """The last part of a path; "" for the root."""
    return relative.rpartition("/")[2]


def join(directory: str, part: str) -> str:
    """The path of an entry in a directory, both in the manifest's form."""
    return f"{directory}/{part}" if directory else part


def is_inside(path: str, directory: str) -> bool:
    """Whether `path` lies below `directory` (and is not `directory` itself)."""
    return path != directory and (not directory or path.startswith(directory + "/"))


def require_lengths(relative: str, quota: WorkspaceQuota, *, operation: str | None = None) -> None:
    """Raises FileSystemError with ENAMETOOLONG when a name or the whole path is longer than the quota's."""
    longest = max(map(_byte_length, relative.split("/")))
    if longest > quota.name_bytes:
        raise _too_long("A name in the path", longest, quota.name_bytes, relative, operation)
    whole = _byte_length(absolute(relative))
    if whole > quota.path_bytes:
        raise _too_long("The path", whole, quota.path_bytes, relative, operation)


def sorted_by_parts(entries: Iterable[str]) -> list[str]:
    """Paths in the order of a tree walk: a directory, then what it holds, each level by name."""
    return sorted(entries, key=lambda path: path.split("/"))


def outside(path: str, operation: str | None = None) -> FileSystemError:
    """The error for a path or link that leaves /workspace."""
    return file_error(
        errno.EACCES,
        path,
        f"{path!r} is outside {ROOT}; only paths under it can be used",
        operation=operation,
    )


def _require_storable(path: str, operation: str | None) -> None:
    if not isinstance(path, str) or not path:
        raise ValidationFailedError("path is required: a string that is not empty", operation=operation)
    try:
        path.encode()
    except UnicodeEncodeError:
        reason = "text that is not valid Unicode"
    else:
        if "\0" not in path:
            return
        reason = "a NUL byte"
    raise file_error(errno.EINVAL, path, f"The path {path!r} contains {reason}", operation=operation)


def _byte_length(text: str) -> int:
    return len(text.encode())


def _too_long(what: str, size: int, limit: int, relative: str, operation: str | None) -> FileSystemError:
    shown = absolute(relative)
    shown = shown if len(shown) <= limit else shown[:limit] + "..."
    return file_error(
        errno.ENAMETOOLONG,
        shown,
        f"{what} has {size} bytes; at most {limit} are allowed",
        operation=operation,
        context={"limit": limit, "size": size},
    )
