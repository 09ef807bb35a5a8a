"""The public face of a sandbox: names and defaults; every method hands over to a part that does it.

`torpor.aio` has the same names for asyncio.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from torpor.config import Config
from torpor.errors import SandboxNotFoundError, StorageError, ValidationFailedError
from torpor.interpreter.model import Watch
from torpor.interpreter.output import OutputCallbacks
from torpor.interpreter.protocol import Completion
from torpor.limits import COMPLETION_SECONDS
from torpor.models import (
    CodeContext,
    ContextInfo,
    ExecutionError,
    ExecutionResult,
    FileContent,
    FileInfo,
    HistoryEntry,
    OutputChunk,
    OutputMessage,
    Result,
    SandboxInfo,
    WorkspaceUsage,
)
from torpor.sandbox import contexts, validation
from torpor.sandbox.filing import Files
from torpor.sandbox.host import EmbeddedHost, host_for
from torpor.sandbox.ledger import conflict, expires_at, now_ms
from torpor.sandbox.running import Call, Runner, run_stateless
from torpor.stores.base import Commit, Conflict, ContextRow, Head
from torpor.wasm.interrupt import Interruption

_CANCEL_POLL_SECONDS = 0.05


class Sandbox:
    """One sandbox: a /workspace, environment variables and code contexts that all survive.

    Making the object does nothing; the first execution or file creates the sandbox. Safe to use from
    several threads and processes: changes wait for one another.
    """

    def __init__(self, sandbox_id: str, host: EmbeddedHost) -> None:
        self.id = validation.sandbox_id(sandbox_id)
        self._host = host
        self._files = Files(lambda: host.ledger(self.id), host.config.quota)
        self.interpreter = SandboxInterpreter(self.id, host)

    # Files ----------------------------------------------------------------------------------------

    def write_file(self, path: str, data: str | bytes) -> None:
        """Create or replace a file; text is stored as UTF-8. Its directory must exist.

        Raises FileSystemError (its subclasses say what is wrong), ValidationFailedError.
        """
        if not isinstance(data, (str, bytes)):
            raise ValidationFailedError("data must be text or bytes")
        self._files.write(path, data.encode() if isinstance(data, str) else data)

    def read_file(self, path: str) -> FileContent:
        """A file's bytes and what they look like. Raises FileNotFoundError, IsDirectoryError."""
        return self._files.read(path)

    def mkdir(self, path: str, recursive: bool = False) -> None:
        """Create a directory, with `recursive` also its parents."""
        self._files.make_directory(path, recursive=recursive)

    def list_files(
        self, path: str = "/workspace", recursive: bool = False, include_hidden: bool = False
    ) -> tuple[FileInfo, ...]:
        """What a directory holds, sorted by name. Hidden: any name on the way begins with a dot."""
        return self._files.list(path, recursive=recursive, include_hidden=include_hidden)

    def move_file(self, source: str, target: str) -> None:
        """Rename a file or directory; a file at `target` is replaced."""
        self._files.move(source, target)

    def delete_file(self, path: str, recursive: bool = False, force: bool = False) -> None:
        """Remove a file, or with `recursive` a directory; `force` ignores a missing one."""
        self._files.delete(path, recursive=recursive, force=force)

    def exists(self, path: str) -> bool:
        return self._files.exists(path)

    # The whole sandbox ----------------------------------------------------------------------------

    def set_env_vars(self, env_vars: Mapping[str, str | None]) -> None:
        """Set variables for all later executions; None unsets one."""
        changes = validation.env_changes(env_vars)
        ledger = self._host.ledger(self.id)
        with ledger.writing() as turn:
            merged = validation.merged_env(turn.head.env if turn.head else {}, changes)
            turn.commit(
                Commit(
                    kind="env",
                    at=now_ms(),
                    summary="set " + ", ".join(sorted(changes)),
                    env=merged,
                    files=turn.files(None),
                    idle_ttl=ledger.new_sandbox_ttl(turn.head),
                )
            )

    def get_info(self) -> SandboxInfo:
        """Raises SandboxNotFoundError when nothing was ever done in it, or it expired."""
        ledger = self._host.ledger(self.id)
        return self._info(ledger.require_head(), ledger.storage.stored_bytes())

    def history(self) -> tuple[HistoryEntry, ...]:
        """Generations, newest first. Raises SandboxNotFoundError."""
        ledger = self._host.ledger(self.id)
        ledger.require_head()
        return ledger.storage.history()

    def rewind(self, generation: int) -> SandboxInfo:
        """Make variables, files and environment those of a generation; a new generation itself, so a
        rewind can be rewound. Raises GenerationNotFoundError, SandboxNotFoundError."""
        ledger = self._host.ledger(self.id)
        with ledger.writing() as turn:
            head = turn.require_head(self.id)
            outcome = ledger.storage.rewind(head.generation, generation, now_ms())
            if isinstance(outcome, Conflict):
                raise conflict(outcome)
        return self._info(outcome, ledger.storage.stored_bytes())

    def fork(self, new_id: str, at: int | None = None) -> "Sandbox":
        """A copy as of generation `at` (None: now) that goes its own way from here.

        Raises SandboxNotFoundError, GenerationNotFoundError, ValidationFailedError when it exists.
        """
        copy = Sandbox(new_id, self._host)
        self._host.ledger(self.id).require_head()
        self._host.store.fork(self.id, copy.id, at, now_ms())
        return copy

    def destroy(self) -> bool:
        """Remove the sandbox with all it holds; False when there was none. The id is free again."""
        ledger = self._host.ledger(self.id)
        with ledger.storage.lease(self._host.config.lease):
            existed = self._host.store.delete(self.id)
        self._host.forget(self.id)
        return existed

    def export(self, path: Path | str, with_base_images: bool = True) -> None:
        """Write the sandbox as one file (`torpor.import_sandbox`). Without base images the file is small
        and can only be read where the same images are already."""
        self._host.ledger(self.id).require_head()
        self._host.store.export(self.id, Path(path), with_base_images=with_base_images)

    def _info(self, head: Head, stored_bytes: int) -> SandboxInfo:
        entries = [entry for path, entry in head.manifest.entries.items() if path]
        return SandboxInfo(
            id=self.id,
            generation=head.generation,
            created_at=head.created_at,
            last_used=head.last_used,
            env_vars=head.env,
            contexts=tuple(self._context_info(row) for row in contexts.ordered(head)),
            workspace=WorkspaceUsage(len(entries), sum(entry.size for entry in entries)),
            stored_bytes=stored_bytes,
            expires_at=expires_at(head) if head.idle_ttl else None,
        )

    def _context_info(self, row: ContextRow) -> ContextInfo:
        runtime = self._host.runtime
        if not runtime.offers(row.binding):
            return contexts.info(row, "not installed", None)
        return contexts.info(row, runtime.describe(row.binding).engine, runtime.host(row.binding).build)


class SandboxInterpreter:
    """`sandbox.interpreter`: code contexts and executions."""

    def __init__(self, sandbox_id: str, host: EmbeddedHost) -> None:
        self._id = sandbox_id
        self._host = host

    def create_code_context(
        self, binding: str, cwd: str = "/workspace", env_vars: Mapping[str, str] | None = None
    ) -> CodeContext:
        """A new durable REPL. Raises EngineNotInstalledError, ValidationFailedError (also at the cap)."""
        language = self._host.runtime.describe(validation.binding(binding)).language
        directory = validation.cwd(cwd, self._host.config.quota)
        env = validation.env_vars(env_vars or {})
        ledger, at = self._host.ledger(self._id), now_ms()
        with ledger.writing() as turn:
            row = contexts.new(turn.head, binding=binding, language=language, cwd=directory, env=env, at=at)
            turn.commit(
                Commit(
                    kind="context",
                    at=at,
                    summary=f"create a {binding} context",
                    context_id=row.id,
                    contexts=(row,),
                    files=turn.files(None),
                    idle_ttl=ledger.new_sandbox_ttl(turn.head),
                )
            )
        return contexts.view(row)

    def list_code_contexts(self) -> tuple[CodeContext, ...]:
        """Oldest first."""
        head = self._host.ledger(self._id).head()
        return tuple(contexts.view(row) for row in contexts.ordered(head)) if head else ()

    def delete_code_context(self, context_id: str) -> None:
        """Forget a context's variables; files stay. Raises ContextNotFoundError."""
        with self._host.ledger(self._id).writing() as turn:
            row = contexts.find(turn.head, context_id)
            summary = f"delete a {row.binding} context"
            turn.commit(Commit("context", now_ms(), summary, context_id=row.id, removed_contexts=(row.id,)))
        self._host.runtime.forget(self._id, context_id)

    def run_code(
        self,
        code: str,
        context: CodeContext | str | None = None,
        binding: str | None = None,
        env_vars: Mapping[str, str | None] | None = None,
        timeout: float | None = None,
        fuel: int | None = None,
        memory: int | None = None,
        stdin: str | bytes | None = None,
        on_stdout: Callable[[OutputMessage], object] | None = None,
        on_stderr: Callable[[OutputMessage], object] | None = None,
        on_result: Callable[[Result], object] | None = None,
        on_error: Callable[[ExecutionError], object] | None = None,
        on_output: Callable[[OutputChunk], object] | None = None,
        cancel: threading.Event | None = None,
    ) -> ExecutionResult:
        """Run code in `context`, or in the default context of `binding`, which is made if need be.

        `timeout` is seconds; `fuel` (units of 1,000 instructions) and `memory` (bytes) may only lower what
        is configured. `on_stdout` and `on_stderr` get whole lines and `on_output` every chunk as it is
        written; `on_result` and `on_error` are called after the commit. Setting `cancel` stops the code.

        A failure of the code is `result.error`. Raises ValidationFailedError, ContextNotFoundError,
        EngineNotInstalledError, SandboxBusyError, StorageError.
        """
        callbacks = OutputCallbacks(on_output, on_stdout, on_stderr)
        call = _call(code, env_vars, timeout, fuel, memory, stdin, callbacks)
        call = replace(call, context_id=_context_id(context), binding=binding)
        with _cancelling(cancel, call.watch.interruption):
            result = self._runner().run(call)
        _notify(result, on_result, on_error)
        return result

    def complete(
        self, code: str, cursor: int, context: CodeContext | str | None = None, binding: str | None = None
    ) -> Completion:
        """What could stand at position `cursor` of `code`. Nothing is executed or kept."""
        call = Call(code, _context_id(context), binding, timeout=COMPLETION_SECONDS)
        return self._runner().complete(call, cursor)

    def _runner(self) -> Runner:
        host = self._host
        return Runner(host.store, host.ledger(self._id), host.runtime, host.config)


def _context_id(context: CodeContext | str | None) -> str | None:
    return context.id if isinstance(context, CodeContext) else context


def _call(
    code: str,
    env_vars: Mapping[str, str | None] | None,
    timeout: float | None,
    fuel: int | None,
    memory: int | None,
    stdin: str | bytes | None,
    callbacks: OutputCallbacks,
) -> Call:
    """What was asked for, checked; where it shall run is still open."""
    return Call(
        code=validation.code(code),
        env=validation.env_changes(env_vars or {}),
        timeout=timeout,
        fuel=fuel,
        memory=memory,
        stdin=validation.stdin(stdin),
        watch=Watch(callbacks, Interruption()),
    )


@contextmanager
def _cancelling(cancel: threading.Event | None, interruption: Interruption) -> Iterator[None]:
    """Within the block, setting `cancel` stops the execution."""
    if cancel is None:
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            if cancel.wait(_CANCEL_POLL_SECONDS):
                interruption.stop("cancelled")
                return

    thread = threading.Thread(target=watch, name="torpor-cancel", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()


def _notify(
    result: ExecutionResult,
    on_result: Callable[[Result], object] | None,
    on_error: Callable[[ExecutionError], object] | None,
) -> None:
    if on_result is not None:
        for item in result.results:
            on_result(item)
    if on_error is not None and result.error is not None:
        on_error(result.error)


def get_sandbox(sandbox_id: str, config: Config | None = None) -> Sandbox:
    """The sandbox of an id, in this process. Does no I/O; raises ValidationFailedError for a bad id."""
    return Sandbox(sandbox_id, host_for(config))


def list_sandboxes(config: Config | None = None) -> tuple[SandboxInfo, ...]:
    """The existing sandboxes by id; those whose idle time is over are removed first.

    One that cannot be read is listed with its `problem`.
    """
    host = host_for(config)
    host.sweep()
    infos = (_info_or_problem(sandbox_id, host) for sandbox_id in host.store.list())
    return tuple(info for info in infos if info is not None)


def _info_or_problem(sandbox_id: str, host: EmbeddedHost) -> SandboxInfo | None:
    """None when the sandbox was removed in the meantime."""
    try:
        return Sandbox(sandbox_id, host).get_info()
    except SandboxNotFoundError:
        return None
    except StorageError as error:
        return SandboxInfo(sandbox_id, 0, 0, 0, {}, (), WorkspaceUsage(0, 0), 0, problem=error.message)


def import_sandbox(path: Path | str, sandbox_id: str | None = None, config: Config | None = None) -> Sandbox:
    """Read a file that `Sandbox.export` wrote, under its own id or another that is free."""
    host = host_for(config)
    chosen = validation.sandbox_id(sandbox_id) if sandbox_id is not None else None
    return Sandbox(host.store.import_(Path(path), chosen).sandbox_id, host)


def run_code(
    binding: str,
    code: str,
    env_vars: Mapping[str, str | None] | None = None,
    timeout: float | None = None,
    fuel: int | None = None,
    memory: int | None = None,
    stdin: str | bytes | None = None,
    on_stdout: Callable[[OutputMessage], object] | None = None,
    on_stderr: Callable[[OutputMessage], object] | None = None,
    on_output: Callable[[OutputChunk], object] | None = None,
    cancel: threading.Event | None = None,
    config: Config | None = None,
) -> ExecutionResult:
    """Run code without a sandbox: fresh memory, no files, nothing kept. Parameters as in
    `SandboxInterpreter.run_code`."""
    host = host_for(config)
    callbacks = OutputCallbacks(on_output, on_stdout, on_stderr)
    call = _call(code, env_vars, timeout, fuel, memory, stdin, callbacks)
    call = replace(call, binding=validation.binding(binding))
    with _cancelling(cancel, call.watch.interruption):
        return run_stateless(host.runtime, host.config, call)
