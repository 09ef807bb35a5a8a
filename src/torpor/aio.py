"""Torpor for asyncio: the names of `import torpor`, with coroutines.

    from torpor import aio

    sandbox = aio.get_sandbox("user-42")
    result = await sandbox.interpreter.run_code("x + 2", binding="PYTHON")

A shell without logic: each method runs the embedded one on a thread. Callbacks are called on the
event loop, in order; whatever they return that can be awaited is awaited before the next one and
before the result. Cancelling a task cancels the execution and waits for it to stop.
"""

import asyncio
import inspect
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import torpor
from torpor.config import Config
from torpor.interpreter.protocol import Completion
from torpor.limits import MAX_ASYNC_CALLS
from torpor.models import (
    CodeContext,
    ExecutionError,
    ExecutionResult,
    FileContent,
    FileInfo,
    HistoryEntry,
    OutputChunk,
    OutputMessage,
    Result,
    SandboxInfo,
)
from torpor.sandbox import sandbox as blocking
from torpor.sandbox.machine import Check, EngineDescription, EngineProgress

T = TypeVar("T")
A = TypeVar("A")


@cache
def _threads() -> ThreadPoolExecutor:
    """Not asyncio's own pool: calls that wait for a busy sandbox would starve everybody else's."""
    return ThreadPoolExecutor(MAX_ASYNC_CALLS, thread_name_prefix="torpor-aio")


# A forked child has none of them, and a job given to one would wait for ever.
os.register_at_fork(after_in_child=_threads.cache_clear)


async def _on_thread(function: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(_threads(), function)


class _Callbacks:
    """Brings callbacks from the guest's thread to the loop, one after the other. After one has raised
    the others are not called, as in the blocking interface."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._pending: list[asyncio.Future[None]] = []
        #: Fair: a callback that awaits keeps its place, and the next one waits for it.
        self._turn = asyncio.Lock()
        self._error: Exception | None = None

    def wrap(self, callback: Callable[[A], object] | None) -> Callable[[A], None] | None:
        if callback is None:
            return None

        async def deliver(argument: A) -> None:
            async with self._turn:
                if self._error is not None:
                    return
                try:
                    answer = callback(argument)
                    if inspect.isawaitable(answer):
                        await answer
                except Exception as error:  # noqa: BLE001 - raised by finish
                    self._error = error

        def call(argument: A) -> None:
            future = asyncio.run_coroutine_threadsafe(deliver(argument), self._loop)
            self._pending.append(asyncio.wrap_future(future, loop=self._loop))

        return call

    async def finish(self) -> None:
        """Raises what a callback raised."""
        for future in self._pending:
            await future
        if self._error is not None:
            raise self._error


async def _run(function: Callable[[], ExecutionResult], cancel: threading.Event) -> ExecutionResult:
    """The execution on a thread. When this task is cancelled, it is stopped first."""
    running = asyncio.ensure_future(_on_thread(function))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        cancel.set()
        await asyncio.wait([running])
        raise


class Sandbox:
    """See `torpor.Sandbox`."""

    def __init__(self, sandbox: blocking.Sandbox) -> None:
        self._sandbox = sandbox
        self.id = sandbox.id
        self.interpreter = SandboxInterpreter(sandbox.interpreter)

    async def write_file(self, path: str, data: str | bytes) -> None:
        await _on_thread(partial(self._sandbox.write_file, path, data))

    async def read_file(self, path: str) -> FileContent:
        return await _on_thread(partial(self._sandbox.read_file, path))

    async def mkdir(self, path: str, recursive: bool = False) -> None:
        await _on_thread(partial(self._sandbox.mkdir, path, recursive))

    async def list_files(
        self, path: str = "/workspace", recursive: bool = False, include_hidden: bool = False
    ) -> tuple[FileInfo, ...]:
        return await _on_thread(partial(self._sandbox.list_files, path, recursive, include_hidden))

    async def move_file(self, source: str, target: str) -> None:
        await _on_thread(partial(self._sandbox.move_file, source, target))

    async def delete_file(self, path: str, recursive: bool = False, force: bool = False) -> None:
        await _on_thread(partial(self._sandbox.delete_file, path, recursive, force))

    async def exists(self, path: str) -> bool:
        return await _on_thread(partial(self._sandbox.exists, path))

    async def set_env_vars(self, env_vars: Mapping[str, str | None]) -> None:
        await _on_thread(partial(self._sandbox.set_env_vars, env_vars))

    async def get_info(self) -> SandboxInfo:
        return await _on_thread(self._sandbox.get_info)

    async def history(self) -> tuple[HistoryEntry, ...]:
        return await _on_thread(self._sandbox.history)

    async def rewind(self, generation: int) -> SandboxInfo:
        return await _on_thread(partial(self._sandbox.rewind, generation))

    async def fork(self, new_id: str, at: int | None = None) -> "Sandbox":
        return Sandbox(await _on_thread(partial(self._sandbox.fork, new_id, at)))

    async def destroy(self) -> bool:
        return await _on_thread(self._sandbox.destroy)

    async def export(self, path: Path | str, with_base_images: bool = True) -> None:
        await _on_thread(partial(self._sandbox.export, path, with_base_images))


class SandboxInterpreter:
    """See `torpor.Sandbox.interpreter`."""

    def __init__(self, interpreter: blocking.SandboxInterpreter) -> None:
        self._interpreter = interpreter

    async def create_code_context(
        self, binding: str, cwd: str = "/workspace", env_vars: Mapping[str, str] | None = None
    ) -> CodeContext:
        return await _on_thread(partial(self._interpreter.create_code_context, binding, cwd, env_vars))

    async def list_code_contexts(self) -> tuple[CodeContext, ...]:
        return await _on_thread(self._interpreter.list_code_contexts)

    async def delete_code_context(self, context_id: str) -> None:
        await _on_thread(partial(self._interpreter.delete_code_context, context_id))

    async def run_code(
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
        callbacks, stop = _Callbacks(), cancel or threading.Event()
        call = partial(
            self._interpreter.run_code, code, context, binding, env_vars, timeout, fuel, memory, stdin,
            callbacks.wrap(on_stdout), callbacks.wrap(on_stderr), callbacks.wrap(on_result),
            callbacks.wrap(on_error), callbacks.wrap(on_output), stop,
        )  # fmt: skip
        result = await _run(call, stop)
        await callbacks.finish()
        return result

    async def complete(
        self, code: str, cursor: int, context: CodeContext | str | None = None, binding: str | None = None
    ) -> Completion:
        return await _on_thread(partial(self._interpreter.complete, code, cursor, context, binding))


def get_sandbox(sandbox_id: str, config: Config | None = None) -> Sandbox:
    """No I/O, and so no coroutine."""
    return Sandbox(torpor.get_sandbox(sandbox_id, config))


async def list_sandboxes(config: Config | None = None) -> tuple[SandboxInfo, ...]:
    return await _on_thread(partial(torpor.list_sandboxes, config))


async def import_sandbox(
    path: Path | str, sandbox_id: str | None = None, config: Config | None = None
) -> Sandbox:
    return Sandbox(await _on_thread(partial(torpor.import_sandbox, path, sandbox_id, config)))


async def run_code(
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
    callbacks, stop = _Callbacks(), cancel or threading.Event()
    call = partial(
        torpor.run_code, binding, code, env_vars, timeout, fuel, memory, stdin,
        callbacks.wrap(on_stdout), callbacks.wrap(on_stderr), callbacks.wrap(on_output), stop, config,
    )  # fmt: skip
    result = await _run(call, stop)
    await callbacks.finish()
    return result


async def describe_engines(config: Config | None = None) -> tuple[EngineDescription, ...]:
    return await _on_thread(partial(torpor.describe_engines, config))


async def compile_engines(
    bindings: Iterable[str] | None = None,
    progress: EngineProgress | None = None,
    config: Config | None = None,
) -> tuple[str, ...]:
    return await _on_thread(partial(torpor.compile_engines, bindings, progress, config))


async def doctor(config: Config | None = None) -> tuple[Check, ...]:
    return await _on_thread(partial(torpor.doctor, config))
