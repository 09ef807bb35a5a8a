"""The data that users see: results, contexts, sandboxes, files, history.

Frozen data without behaviour beyond derived views. Times are Unix milliseconds, durations
milliseconds, sizes bytes. Names on the wire are the camelCase of these (see `wire`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Stream = Literal["stdout", "stderr"]


@dataclass(frozen=True, slots=True)
class OutputMessage:
    """One line of output as callbacks receive it. `str()` gives the text, so `on_stdout=print` works."""

    text: str
    timestamp: int

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class OutputChunk:
    """What one write of the guest produced. `at` is milliseconds since the execution began."""

    stream: Stream
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Logs:
    """Output by lines, as the contract has it, and by chunks in their true order."""

    stdout: tuple[str, ...] = ()
    stderr: tuple[str, ...] = ()
    chunks: tuple[OutputChunk, ...] = ()
    #: Bytes written in all, when more than the limit was written and the rest was cut.
    truncated_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One value as a MIME bundle: `{"text/plain": "...", "image/png": "<base64>", ...}`.

    `is_value` marks the value of the last expression; the others were displayed.
    """

    data: Mapping[str, Json]
    is_value: bool = False
    #: MIME type -> its true size in bytes, for representations that were cut or left out.
    truncated: Mapping[str, int] = field(default_factory=dict)

    def _text(self, mime: str) -> str | None:
        value = self.data.get(mime)
        return value if isinstance(value, str) else None

    @property
    def text(self) -> str | None:
        return self._text("text/plain")

    @property
    def json(self) -> Json:
        return self.data.get("application/json")

    @property
    def html(self) -> str | None:
        return self._text("text/html")

    @property
    def markdown(self) -> str | None:
        return self._text("text/markdown")

    @property
    def latex(self) -> str | None:
        return self._text("text/latex")

    @property
    def svg(self) -> str | None:
        return self._text("image/svg+xml")

    @property
    def png(self) -> str | None:
        """A PNG image in base64."""
        return self._text("image/png")

    def formats(self) -> tuple[str, ...]:
        """The MIME types present, falsy values included."""
        return tuple(self.data)


@dataclass(frozen=True, slots=True)
class ExecutionError:
    """Why an execution failed. `name` is the language's own class name, or "ExecutionLimitError"."""

    name: str
    message: str
    traceback: tuple[str, ...] = ()
    line_number: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Fuel in units of 1,000 Wasm instructions; memory is the size of the guest's linear memory."""

    fuel_consumed: int
    fuel_limit: int
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class ResultContext:
    """The context after an execution. `snapshot_ms` is there when a snapshot was written."""

    id: str
    cwd: str
    executions: int
    snapshot_ms: float | None = None
    expires_at: int | None = None
    generation: int | None = None


@dataclass(frozen=True, slots=True)
class ExecutionResult:
    """What one execution gave. A failure of the code is `error`, never an exception."""

    code: str
    language: str
    engine: str
    duration_ms: float
    logs: Logs = field(default_factory=Logs)
    results: tuple[Result, ...] = ()
    error: ExecutionError | None = None
    usage: Usage | None = None
    #: The exit status when the code ended itself (`sys.exit(3)`).
    exit_status: int | None = None
    execution_count: int | None = None
    context: ResultContext | None = None
    #: After a limit: the execution number whose state stands again (0: the fresh context).
    rolled_back_to: int | None = None
    #: What the user should know although nothing failed, such as a discarded snapshot.
    notices: tuple[str, ...] = ()

    @property
    def text(self) -> str | None:
        """The text of the value of the last expression."""
        return next((r.text for r in self.results if r.is_value), None)


@dataclass(frozen=True, slots=True)
class CodeContext:
    id: str
    binding: str
    language: str
    cwd: str
    created_at: int
    last_used: int


@dataclass(frozen=True, slots=True)
class SnapshotInfo:
    """A stored snapshot. `pages` are Wasm pages of 64 KiB; `stored_bytes` is what it takes on disk
    besides the base image, which all contexts share."""

    build: str
    pages: int
    bytes: int
    stored_bytes: int
    taken_at: int
    stale: bool = False


@dataclass(frozen=True, slots=True)
class ContextInfo:
    id: str
    binding: str
    language: str
    engine: str
    cwd: str
    created_at: int
    last_used: int
    executions: int
    snapshot: SnapshotInfo | None


@dataclass(frozen=True, slots=True)
class WorkspaceUsage:
    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class SandboxInfo:
    id: str
    generation: int
    created_at: int
    last_used: int
    env_vars: Mapping[str, str]
    contexts: tuple[ContextInfo, ...]
    workspace: WorkspaceUsage
    stored_bytes: int
    expires_at: int | None = None
    #: Why the sandbox cannot be read; the other fields then say nothing.
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class FileInfo:
    """An entry of /workspace. `type` is "file", "directory" or "symlink"."""

    name: str
    absolute_path: str
    relative_path: str
    type: str
    size: int
    modified_at: int
    target: str | None = None


@dataclass(frozen=True, slots=True)
class FileContent:
    path: str
    content: bytes
    mime_type: str
    is_binary: bool
    size: int
    modified_at: int


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One generation. `stored_bytes` is what its commit added; `rewindable` whether it can be reached."""

    generation: int
    kind: str
    summary: str
    at: int
    context_id: str | None
    executions: int | None
    stored_bytes: int
    rewindable: bool
