"""The seam to wasmtime: the one module that uses its private names.

wasmtime-py's public host functions cost 18 us a call and keep a raised exception in a module
global, where one guest's failure can surface in another. The raw trampolines here cost about
3 us and keep it on the instance. The release is pinned exactly because of this module.
"""

import ctypes
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib import metadata
from typing import Any, Protocol

import wasmtime
from wasmtime import _bindings as raw
from wasmtime import _ffi as ffi
from wasmtime._extern import wrap_extern

from torpor.wasm.errors import InstantiationError

_VALUE_TYPES = {
    "i": wasmtime.ValType.i32,
    "I": wasmtime.ValType.i64,
    "f": wasmtime.ValType.f32,
    "F": wasmtime.ValType.f64,
}
#: The member of a raw value and its bits. A float is read through the integer of its size.
_FIELDS = {
    "i": ("i32", 0xFFFF_FFFF),
    "I": ("i64", 0xFFFF_FFFF_FFFF_FFFF),
    "f": ("i32", 0xFFFF_FFFF),
    "F": ("i64", 0xFFFF_FFFF_FFFF_FFFF),
}
_LETTERS = {"i32": "i", "i64": "I", "f32": "f", "f64": "F"}
_DEFINE = raw._wasmtime_linker_define_func_unchecked
_SET_CALLBACK = raw._wasmtime_store_epoch_deadline_callback
_CONTINUE = 0  # WASMTIME_UPDATE_DEADLINE_CONTINUE
_NO_FINALIZER = _DEFINE.argtypes[8]()


def version() -> str:
    """The wasmtime release in use; part of every compile cache key."""
    return metadata.version("wasmtime")


def set_async_stack_size(config: wasmtime.Config, size: int) -> None:
    """Must precede `max_wasm_stack`, which may not exceed it (default 2 MiB)."""
    ffi.wasmtime_config_async_stack_size_set(config.ptr(), size)


@cache
def _function_type(params: str, result: str) -> wasmtime.FuncType:
    return wasmtime.FuncType([_VALUE_TYPES[p]() for p in params], [_VALUE_TYPES[r]() for r in result])


class Callee(Protocol):
    """The instance on whose behalf host functions run. `functions` are in the order of the imports."""

    functions: Sequence[Callable[..., int | None]]

    def fail(self, error: BaseException) -> None:
        """A host function raised `error`; the guest then traps."""


class _Running(threading.local):
    """Whose Wasm this thread runs: trampolines are shared by all instances of a module."""

    callee: Callee | None = None


_running = _Running()


@contextmanager
def on_behalf_of(callee: Callee) -> Iterator[None]:
    """Within the block, imports that Wasm calls on this thread are those of `callee`."""
    before, _running.callee = _running.callee, callee
    try:
        yield
    finally:
        _running.callee = before


@cache
def _trampoline_factory(params: str, result: str) -> Callable[..., Callable[..., int]]:
    """A maker of C callbacks for one signature.

    Generated source instead of a loop over the values: the loop doubled the cost of a call.
    """
    arguments = ", ".join(f"values[{n}].{_FIELDS[p][0]} & {_FIELDS[p][1]}" for n, p in enumerate(params))
    assign = f"values[0].{_FIELDS[result][0]} = " if result else ""
    source = (
        "def make(running, position, trap):\n"
        "    def callback(env, caller, values, count):\n"
        "        callee = running.callee\n"
        "        try:\n"
        f"            {assign}callee.functions[position]({arguments})\n"
        "        except BaseException as error:\n"
        "            callee.fail(error)\n"
        "            return trap()\n"
        "        return 0\n"
        "    return callback\n"
    )
    namespace: dict[str, Any] = {}
    exec(source, namespace)  # noqa: S102 - the source is made of the fixed letters above
    return namespace["make"]  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Import:
    """What a module imports: (module, name), and its signature in the letters of `HostFunction`."""

    key: tuple[str, str]
    params: str
    result: str


class LinkedModule:
    """A module with trampolines for its imports, made once: defining one takes some 25 us, and a guest
    has thirty or forty. Keep it as long as any of its instances lives."""

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module) -> None:
        """Raises InstantiationError when something other than functions over numbers is imported."""
        linker = wasmtime.Linker(engine)
        # Some modules import one function twice.
        found = {(one.module, one.name or ""): one for one in module.imports}
        self.imports = tuple(_import(key, one) for key, one in found.items())
        self._kept = [_define(linker, position, one) for position, one in enumerate(self.imports)]
        self._ready = linker.instantiate_pre(module)

    def instantiate(self, store: wasmtime.Store) -> wasmtime.Instance:
        """Within `on_behalf_of`: the module may call imports while it is instantiated."""
        return self._ready.instantiate(store)


def _import(key: tuple[str, str], imported: wasmtime.ImportType) -> Import:
    kind = imported.type
    if isinstance(kind, wasmtime.FuncType) and len(kind.results) <= 1:
        params, results = (
            [_LETTERS.get(str(t), "?") for t in types] for types in (kind.params, kind.results)
        )
        if "?" not in (*params, *results):
            return Import(key, "".join(params), "".join(results))
    raise InstantiationError(f"the import {key[0]}.{key[1]} is not a function over numbers")


def _define(linker: wasmtime.Linker, position: int, imported: Import) -> object:
    """Define one import. The returned object must live as long as any instance of the linker."""
    make = _trampoline_factory(imported.params, imported.result)
    trap = partial(new_trap, "a host function failed")
    callback = ffi.wasmtime_func_unchecked_callback_t(make(_running, position, trap))
    module_name, function_name = (part.encode() for part in imported.key)
    error = ffi.wasmtime_linker_define_func_unchecked(
        linker.ptr(), module_name, len(module_name), function_name, len(function_name),
        _function_type(imported.params, imported.result).ptr(), callback, None, _NO_FINALIZER,
    )  # fmt: skip
    if error:
        raise wasmtime.WasmtimeError._from_ptr(error)
    return callback


def find_export(store: wasmtime.Store, instance: wasmtime.Instance, name: str) -> object | None:
    """One export by its name. wasmtime-py would wrap all that there are, some hundred for an interpreter,
    each time an instance is made."""
    item = ffi.wasmtime_extern_t()
    data = name.encode()
    found = ffi.wasmtime_instance_export_get(
        store._context(), ctypes.byref(instance._instance), data, len(data), ctypes.byref(item)
    )
    return wrap_extern(item) if found else None


def new_trap(message: str) -> int:
    """The address of a trap that the caller hands over to wasmtime."""
    data = message.encode()
    pointer = ffi.wasmtime_trap_new(ctypes.create_string_buffer(data), len(data))
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def on_epoch(store: wasmtime.Store, should_stop: Callable[[], bool]) -> object:
    """Call `should_stop` on the guest's thread whenever the engine's epoch advances; True traps.

    The returned object must live as long as the store. `should_stop` must not raise.
    """

    def callback(_context: Any, _data: Any, delta: Any, kind: Any) -> int:
        if should_stop():
            message = b"interrupted"
            error = ffi.wasmtime_error_new(ctypes.create_string_buffer(message + b"\0"))
            return ctypes.cast(error, ctypes.c_void_p).value or 0
        delta[0] = 1
        kind[0] = _CONTINUE
        return 0

    kept = _SET_CALLBACK.argtypes[1](callback)
    ffi.wasmtime_store_epoch_deadline_callback(store.ptr(), kept, None, _SET_CALLBACK.argtypes[3]())
    store.set_epoch_deadline(1)
    return kept


class RawFunction:
    """An exported function over integers, called without wasmtime-py's conversions (0.2 ms a call)."""

    def __init__(self, store: wasmtime.Store, function: wasmtime.Func) -> None:
        self._store = store
        self._function = function._func
        kind = function.type(store)
        self._params = [self._kind(p) for p in kind.params]
        self._results = [self._kind(r) for r in kind.results]
        self._arguments = (ffi.wasmtime_val_t * len(self._params))()
        self._values = (ffi.wasmtime_val_t * len(self._results))()

    @staticmethod
    def _kind(value_type: wasmtime.ValType) -> str:
        return str(value_type)

    def __call__(self, *arguments: int) -> int | None:
        """Raises wasmtime.Trap or wasmtime.WasmtimeError when the guest does not return."""
        if len(arguments) != len(self._params):
            raise TypeError(f"expected {len(self._params)} arguments, got {len(arguments)}")
        for slot, kind, value in zip(self._arguments, self._params, arguments, strict=True):
            slot.kind = ffi.WASMTIME_I32.value if kind == "i32" else ffi.WASMTIME_I64.value
            setattr(slot.of, kind, value)
        trap = ctypes.POINTER(ffi.wasm_trap_t)()
        error = ffi.wasmtime_func_call(
            self._store._context(), ctypes.byref(self._function), self._arguments, len(self._params),
            self._values, len(self._results), ctypes.byref(trap),
        )  # fmt: skip
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            raise wasmtime.Trap._from_ptr(trap)
        if not self._results:
            return None
        return int(getattr(self._values[0].of, self._results[0]))


def memory_address(store: wasmtime.Store, memory: wasmtime.Memory) -> int:
    return ctypes.addressof(memory.data_ptr(store).contents)
