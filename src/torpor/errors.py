"""Everything that Torpor raises.

    SandboxError                     base: code, message, context, operation, http_status
      ValidationFailedError                bad input; nothing was changed
      ContextNotFoundError
      SandboxNotFoundError
      FileSystemError                a file operation failed; errno inside
        FileNotFoundError
        FileExistsError
        PermissionDeniedError
        FileTooLargeError
        NoSpaceError                 bytes, entries or disk
        IsDirectoryError, NotDirectoryError
      SandboxBusyError               another process holds the sandbox
      ConflictError                  another writer committed first
      GenerationNotFoundError        no longer (or never) in the history
      StorageError                   the store failed or is damaged
        CorruptSnapshotError
        MissingBaseImageError
      EngineError                    an engine is missing, broken or answered nonsense
        EngineNotInstalledError

A failure of the user's code is data (`ExecutionResult.error`), never an exception.
"""

import errno as _errno
from collections.abc import Mapping
from typing import ClassVar


class SandboxError(Exception):
    """Base of the tree. `code` is stable and travels on the wire; `context` says what it was about."""

    code: ClassVar[str] = "INTERNAL_ERROR"
    http_status: ClassVar[int] = 500

    def __init__(
        self, message: str, *, operation: str | None = None, context: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.operation = operation
        self.context: dict[str, object] = dict(context or {})


class ValidationFailedError(SandboxError):
    """The input breaks a rule, which the message names. Nothing was changed."""

    code = "VALIDATION_FAILED"
    http_status = 400


class ContextNotFoundError(SandboxError):
    code = "CONTEXT_NOT_FOUND"
    http_status = 404


class SandboxNotFoundError(SandboxError):
    code = "SANDBOX_NOT_FOUND"
    http_status = 404


class FileSystemError(SandboxError):
    """A file operation failed. `errno` is the POSIX name, such as "ENOTEMPTY"."""

    code = "FILESYSTEM_ERROR"
    http_status = 400

    def __init__(
        self,
        message: str,
        *,
        errno: int,
        path: str,
        operation: str | None = None,
        context: Mapping[str, object] | None = None,
    ) -> None:
        name = _errno.errorcode.get(errno, str(errno))
        super().__init__(
            message, operation=operation, context={"path": path, "errno": name, **(context or {})}
        )
        self.errno = name
        self.path = path


class FileNotFoundError(FileSystemError):  # noqa: A001 - the contract's name
    code = "FILE_NOT_FOUND"
    http_status = 404


class FileExistsError(FileSystemError):  # noqa: A001 - the contract's name
    code = "FILE_EXISTS"
    http_status = 409


class PermissionDeniedError(FileSystemError):
    code = "PERMISSION_DENIED"
    http_status = 403


class IsDirectoryError(FileSystemError):
    code = "IS_DIRECTORY"


class NotDirectoryError(FileSystemError):
    code = "NOT_DIRECTORY"


class FileTooLargeError(FileSystemError):
    code = "FILE_TOO_LARGE"
    http_status = 413


class NoSpaceError(FileSystemError):
    code = "NO_SPACE"
    http_status = 413


class SandboxBusyError(SandboxError):
    """Another process or thread is executing in the sandbox and did not finish in time."""

    code = "SANDBOX_BUSY"
    http_status = 409


class ConflictError(SandboxError):
    """Another writer committed first; this change was not applied."""

    code = "CONFLICT"
    http_status = 409


class GenerationNotFoundError(SandboxError):
    code = "GENERATION_NOT_FOUND"
    http_status = 404


class StorageError(SandboxError):
    """The store cannot be read or written, or what it holds is damaged. What was committed stays."""

    code = "STORAGE_ERROR"
    http_status = 503


class CorruptSnapshotError(StorageError):
    code = "SNAPSHOT_CORRUPT"


class MissingBaseImageError(StorageError):
    code = "BASE_IMAGE_MISSING"


class EngineError(SandboxError):
    """An engine failed in a way that is not the user's code's doing."""

    code = "ENGINE_ERROR"
    http_status = 502


class EngineNotInstalledError(EngineError):
    code = "ENGINE_NOT_INSTALLED"
    http_status = 400


_BY_ERRNO: dict[int, type[FileSystemError]] = {
    _errno.ENOENT: FileNotFoundError,
    _errno.EEXIST: FileExistsError,
    _errno.EACCES: PermissionDeniedError,
    _errno.EPERM: PermissionDeniedError,
    _errno.EROFS: PermissionDeniedError,
    _errno.EISDIR: IsDirectoryError,
    _errno.ENOTDIR: NotDirectoryError,
    _errno.EFBIG: FileTooLargeError,
    _errno.ENOSPC: NoSpaceError,
    _errno.EDQUOT: NoSpaceError,
}


def file_error(
    errno: int,
    path: str,
    message: str,
    *,
    operation: str | None = None,
    context: Mapping[str, object] | None = None,
) -> FileSystemError:
    """The typed error for a POSIX errno: ENOENT gives a FileNotFoundError, and so on."""
    kind = _BY_ERRNO.get(errno, FileSystemError)
    return kind(message, errno=errno, path=path, operation=operation, context=context)
