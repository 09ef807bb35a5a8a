"""Torpor: a durable code interpreter.

    import torpor

    sandbox = torpor.get_sandbox("user-42")
    sandbox.interpreter.run_code("x = 40", binding="PYTHON")
    sandbox.interpreter.run_code("x + 2", binding="PYTHON").text   # "42", in any process, any time later

What needs an engine is loaded when it is first used, so that `import torpor` costs little.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from torpor.config import Config
from torpor.errors import (
    ConflictError,
    ContextNotFoundError,
    CorruptSnapshotError,
    EngineError,
    EngineNotInstalledError,
    FileExistsError,
    FileNotFoundError,
    FileSystemError,
    FileTooLargeError,
    GenerationNotFoundError,
    IsDirectoryError,
    MissingBaseImageError,
    NoSpaceError,
    NotDirectoryError,
    PermissionDeniedError,
    SandboxBusyError,
    SandboxError,
    SandboxNotFoundError,
    StorageError,
    ValidationFailedError,
)
from torpor.models import (
    CodeContext,
    ContextInfo,
    ExecutionError,
    ExecutionResult,
    FileContent,
    FileInfo,
    HistoryEntry,
    Logs,
    OutputChunk,
    OutputMessage,
    Result,
    SandboxInfo,
    SnapshotInfo,
    Usage,
)

if TYPE_CHECKING:
    from torpor.api import (
        Check,
        EngineDescription,
        Sandbox,
        compile_engines,
        describe_engines,
        doctor,
        get_sandbox,
        import_sandbox,
        list_sandboxes,
        run_code,
    )

__all__ = [
    "Check",
    "CodeContext",
    "Config",
    "ConflictError",
    "ContextInfo",
    "ContextNotFoundError",
    "CorruptSnapshotError",
    "EngineDescription",
    "EngineError",
    "EngineNotInstalledError",
    "ExecutionError",
    "ExecutionResult",
    "FileContent",
    "FileExistsError",
    "FileInfo",
    "FileNotFoundError",
    "FileSystemError",
    "FileTooLargeError",
    "GenerationNotFoundError",
    "HistoryEntry",
    "IsDirectoryError",
    "Logs",
    "MissingBaseImageError",
    "NoSpaceError",
    "NotDirectoryError",
    "OutputChunk",
    "OutputMessage",
    "PermissionDeniedError",
    "Result",
    "Sandbox",
    "SandboxBusyError",
    "SandboxError",
    "SandboxInfo",
    "SandboxNotFoundError",
    "SnapshotInfo",
    "StorageError",
    "Usage",
    "ValidationFailedError",
    "compile_engines",
    "describe_engines",
    "doctor",
    "get_sandbox",
    "import_sandbox",
    "list_sandboxes",
    "run_code",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("torpor.api"), name)
    raise AttributeError(f"module 'torpor' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
