"""The configured wasmtime engine of this process, and modules compiled ahead of time.

A compiled module is cached under a name made of the Wasm's digest, the wasmtime release and our
settings; whatever does not match is compiled anew, never guessed. Two processes that start at
once compile once: the second waits for the first one's file.
"""

import hashlib
import os
import platform
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import wasmtime

from torpor import limits
from torpor.atomic import write_atomically
from torpor.errors import EngineError
from torpor.filelock import exclusive_lock
from torpor.wasm import binding
from torpor.wasm.interrupt import Watchdog

#: Proposals no engine of ours needs. Less surface, and a module that needs one says so at once.
_PROPOSALS_OFF = (
    "wasm_threads", "shared_memory", "wasm_tail_call", "wasm_relaxed_simd", "wasm_multi_memory",
    "wasm_memory64", "wasm_function_references", "wasm_gc", "wasm_wide_arithmetic",
    "wasm_custom_page_sizes", "wasm_stack_switching", "wasm_component_model",
)  # fmt: skip
#: Part of the cache key: change it when a setting below changes what the compiler emits.
_SETTINGS = "fuel+epoch/1"
#: 4 GiB of address space for each memory, so that it never moves: a mapped image would be lost.
_MEMORY_RESERVATION = 4 * limits.GIB

#: A compiled module. Other packages pass it on without knowing what it is.
Module = wasmtime.Module
Progress = Callable[[float], None]
"""Called about once a second with the seconds spent compiling so far."""


class WasmEngine:
    """One configured wasmtime engine. Thread-safe."""

    def __init__(self) -> None:
        config = wasmtime.Config()
        config.consume_fuel = True
        config.epoch_interruption = True
        # The async stack size bounds max_wasm_stack even though nothing here is async.
        binding.set_async_stack_size(config, limits.WASM_STACK_BYTES)
        config.max_wasm_stack = limits.WASM_STACK_BYTES
        config.memory_reservation = _MEMORY_RESERVATION
        config.memory_may_move = False
        for proposal in _PROPOSALS_OFF:
            setattr(config, proposal, False)
        # The on-demand allocator is the default and must stay: with the pooling allocator the next
        # instance saw the data of the one before.
        self.wasmtime = wasmtime.Engine(config)
        self.watchdog = Watchdog(self.wasmtime.increment_epoch)

    def compile(self, wasm: bytes) -> wasmtime.Module:
        """Compile without a cache (small modules). Raises EngineError when it is not valid Wasm."""
        try:
            return wasmtime.Module(self.wasmtime, wasm)
        except wasmtime.WasmtimeError as error:
            raise EngineError(f"not a WebAssembly module that Torpor can run: {error}") from None


@cache
def wasm_engine() -> WasmEngine:
    """The process's engine. It holds settings and code, no state of any guest."""
    return WasmEngine()


def _renew_watchdog() -> None:
    """In a forked child: the watchdog's thread did not come along, and no deadline would ever pass."""
    if wasm_engine.cache_info().currsize:
        engine = wasm_engine()
        engine.watchdog = Watchdog(engine.wasmtime.increment_epoch)


os.register_at_fork(after_in_child=_renew_watchdog)


class ModuleCache:
    """Compiled modules in a folder that may be deleted at any time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "modules"
        self._loaded: dict[str, wasmtime.Module] = {}
        self._lock = threading.Lock()

    def path(self, digest: str) -> Path:
        """Where the compiled module of the Wasm with this SHA-256 lies, compiled or not."""
        key = "\n".join((digest, binding.version(), _SETTINGS, platform.machine(), platform.system()))
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.cwasm"

    def obtain(self, wasm: Path, digest: str, progress: Progress | None = None) -> wasmtime.Module:
        """The module of the file `wasm` whose SHA-256 is `digest`, compiling it if need be.

        Compiling the largest engine takes about a minute, once; `progress` is called meanwhile.
        Raises EngineError when the file is not what its digest says or does not compile.
        """
        with self._lock:
            if digest not in self._loaded:
                self._loaded[digest] = self._load(wasm, digest, progress)
            return self._loaded[digest]

    def _load(self, wasm: Path, digest: str, progress: Progress | None) -> wasmtime.Module:
        path = self.path(digest)
        module = self._deserialize(path)
        if module is not None:
            return module
        path.parent.mkdir(parents=True, exist_ok=True)
        with exclusive_lock(path.with_suffix(".lock")):
            module = self._deserialize(path)
            if module is None:
                self._compile(wasm, digest, path, progress)
                module = self._deserialize(path)
        if module is None:
            raise EngineError(f"the compiled module {path} cannot be read back; delete it and try again")
        return module

    def _deserialize(self, path: Path) -> wasmtime.Module | None:
        """The cached module; None when there is none or it was made for another CPU or release."""
        if not path.exists():
            return None
        try:
            return wasmtime.Module.deserialize_file(wasm_engine().wasmtime, str(path))
        except wasmtime.WasmtimeError:
            return None

    def _compile(self, wasm: Path, digest: str, path: Path, progress: Progress | None) -> None:
        data = wasm.read_bytes()
        if hashlib.sha256(data).hexdigest() != digest:
            raise EngineError(f"{wasm} is not the file its engine declares; reinstall the engine package")
        with _ticking(progress):
            serialized = wasm_engine().compile(data).serialize()
        write_atomically(path, serialized)


@contextmanager
def _ticking(progress: Progress | None) -> Iterator[None]:
    """Call `progress` about once a second from another thread: the compiler reports nothing."""
    if progress is None:
        yield
        return
    done = threading.Event()
    began = time.monotonic()

    def tick() -> None:
        while not done.wait(1.0):
            progress(time.monotonic() - began)

    progress(0.0)
    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
