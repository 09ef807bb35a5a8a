"""A live guest: one store, one instance, one memory. The single owner of all three."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import wasmtime

from torpor import limits
from torpor.errors import EngineError
from torpor.wasm import binding
from torpor.wasm.errors import (
    GuestTrap,
    InstantiationError,
    Interrupted,
    OutOfFuel,
    StackExhausted,
)
from torpor.wasm.imports import HostFunction, Imports
from torpor.wasm.interrupt import Interruption
from torpor.wasm.memory import LinearMemory
from torpor.wasm.runtime import wasm_engine


@dataclass(frozen=True, slots=True)
class InstanceLimits:
    """`memory_bytes` caps the linear memory: a guest's attempt to grow beyond it just fails."""

    memory_bytes: int


class Instance:
    """Instantiated code. `call` must run on a guest thread (wasm.threads); one call at a time.

    After any GuestTrap the instance is in no defined state and must be closed.
    """

    def __init__(self, module: wasmtime.Module, imports: Imports, instance_limits: InstanceLimits) -> None:
        """Raises InstantiationError when an import is missing or the memory exceeds its cap."""
        engine = wasm_engine()
        self._watchdog = engine.watchdog
        self._store = wasmtime.Store(engine.wasmtime)
        self._limits = instance_limits
        self._cap_memory(instance_limits.memory_bytes)
        self._interruption: Interruption | None = None
        self._host_error: BaseException | None = None
        self._functions: dict[str, binding.RawFunction] = {}
        self._kept: list[object] = [binding.on_epoch(self._store, self._should_stop)]
        self._closed = False
        self._instance = self._instantiate(module, imports)
        memory = self._export("memory")
        if not isinstance(memory, wasmtime.Memory):
            raise InstantiationError("the module exports no memory named 'memory'")
        self.memory = LinearMemory(self._store, memory)

    def _instantiate(self, module: wasmtime.Module, imports: Imports) -> wasmtime.Instance:
        linked = _linked(module)
        self.functions: Sequence[Callable[..., int | None]] = [
            _function(imported, imports) for imported in linked.imports
        ]
        self._kept.append(linked)
        self._store.set_fuel(limits.FUEL_UNIT * limits.FUEL_UNIT)
        try:
            with binding.on_behalf_of(self):
                return linked.instantiate(self._store)
        except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
            raise InstantiationError(f"the module cannot be instantiated: {error}") from None

    def _export(self, name: str) -> object | None:
        return None if self._closed else binding.find_export(self._store, self._instance, name)

    def has_export(self, name: str) -> bool:
        return self._export(name) is not None

    def call(self, export: str, *arguments: int) -> int | None:
        """Call an export; its value is signed. Raises what a host function raised, or a GuestTrap."""
        function = self._functions.get(export)
        if function is None:
            function = self._functions[export] = self._lookup(export)
        self._host_error = None
        try:
            with binding.on_behalf_of(self):
                return function(*arguments)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            raise self._translate(error) from None

    def _lookup(self, export: str) -> binding.RawFunction:
        function = self._export(export)
        if not isinstance(function, wasmtime.Func):
            raise EngineError(f"the module exports no function {export!r}")
        return binding.RawFunction(self._store, function)

    def _translate(self, error: Exception) -> BaseException:
        if self._host_error is not None:
            raised, self._host_error = self._host_error, None
            return raised
        if self._interruption is not None and self._interruption.reason is not None:
            return Interrupted(self._interruption.reason)
        code = getattr(error, "trap_code", None)
        if code is wasmtime.TrapCode.OUT_OF_FUEL:
            return OutOfFuel("out of fuel")
        if code is wasmtime.TrapCode.STACK_OVERFLOW:
            return StackExhausted("the call stack is exhausted")
        return GuestTrap(_cause(str(error)))

    def fail(self, error: BaseException) -> None:
        """A host function raised `error`: `call` will raise it again."""
        self._host_error = error

    def _should_stop(self) -> bool:
        return self._interruption is not None and self._interruption.should_stop()

    @contextmanager
    def metered(self, fuel: int, interruption: Interruption) -> Iterator[None]:
        """Give the calls inside `fuel` instructions and let `interruption` stop them."""
        self._store.set_fuel(fuel)
        self._interruption = interruption
        self._watchdog.watch(interruption)
        try:
            yield
        finally:
            self._watchdog.unwatch(interruption)
            self._interruption = None

    def _cap_memory(self, size: int) -> None:
        self._store.set_limits(
            memory_size=size, table_elements=limits.MAX_TABLE_ELEMENTS, instances=1, memories=1
        )

    @contextmanager
    def memory_held(self) -> Iterator[None]:
        """Within the block the memory cannot grow."""
        self._cap_memory(self.memory.size)
        try:
            yield
        finally:
            self._cap_memory(self._limits.memory_bytes)

    def fuel_left(self) -> int:
        return self._store.get_fuel()

    def read(self, address: int, length: int) -> bytes:
        """Raises EngineError beyond the memory's end."""
        self._check(address, length)
        return bytes(self.memory.view[address : address + length])

    def write(self, address: int, data: bytes) -> None:
        """Raises EngineError beyond the memory's end."""
        self._check(address, len(data))
        self.memory.view[address : address + len(data)] = data

    def _check(self, address: int, length: int) -> None:
        if not 0 <= address <= address + length <= self.memory.size:
            raise EngineError(f"the guest gave the address range {address}+{length} outside its memory")

    def close(self) -> None:
        """Free the store and its memory. Idempotent; views of the memory must no longer be used."""
        if not self._closed:
            self._closed = True
            self._functions.clear()
            self._store.close()
            self._kept.clear()


@lru_cache(maxsize=32)
def _linked(module: wasmtime.Module) -> binding.LinkedModule:
    return binding.LinkedModule(wasm_engine().wasmtime, module)


def _function(imported: binding.Import, imports: Imports) -> Callable[..., int | None]:
    """What serves an import. Raises InstantiationError when nothing does."""
    name = ".".join(imported.key)
    if imported.key not in imports:
        raise InstantiationError(f"the module imports {name}, which Torpor does not offer")
    function = imports[imported.key]
    if not isinstance(function, HostFunction):
        return function
    if (function.params, function.result) != (imported.params, imported.result):
        raise InstantiationError(f"the module imports {name} with another signature than Torpor offers")
    return function.call


def _cause(message: str) -> str:
    """The last line of wasmtime's message: before it stands a backtrace of the guest's machine code."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return lines[-1] if lines else "unknown trap"
