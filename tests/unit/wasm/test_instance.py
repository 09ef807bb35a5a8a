"""Guests are metered, bounded and stoppable, and one guest's failure is its own."""

import threading
import time
from collections.abc import Callable

import pytest
import wasmtime

from torpor.errors import EngineError
from torpor.limits import WASM_PAGE_BYTES
from torpor.wasm.errors import (
    GuestTrap,
    InstantiationError,
    Interrupted,
    OutOfFuel,
    StackExhausted,
)
from torpor.wasm.imports import HostFunction
from torpor.wasm.instance import Instance, InstanceLimits
from torpor.wasm.interrupt import Interruption
from torpor.wasm.runtime import wasm_engine
from torpor.wasm.threads import guest_threads

WAT = """
(module
  (import "host" "f" (func $f (param i32 i64) (result i32)))
  (memory (export "memory") 1)
  (func (export "spin") (loop br 0))
  (func $deep (export "deep") call $deep)
  (func (export "count") (param i32) (loop
    (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (br_if 0 (local.get 0))))
  (func (export "ask") (param i32 i64) (result i32) (call $f (local.get 0) (local.get 1)))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "load") (param i32) (result i32) (i32.load (local.get 0))))
"""
PLENTY = 10**12


@pytest.fixture(scope="module")
def module() -> wasmtime.Module:
    return wasm_engine().compile(wasmtime.wat2wasm(WAT))


def make(module: wasmtime.Module, host: Callable[[int, int], int] = lambda a, b: 0) -> Instance:
    imports = {("host", "f"): HostFunction("iI", "i", host)}
    return Instance(module, imports, InstanceLimits(16 * WASM_PAGE_BYTES))


def call(
    instance: Instance,
    export: str,
    *arguments: int,
    fuel: int = PLENTY,
    interruption: Interruption | None = None,
) -> int | None:
    def run() -> int | None:
        with instance.metered(fuel, interruption or Interruption()):
            return instance.call(export, *arguments)

    return guest_threads.run(run)


def test_host_functions_get_unsigned_values(module: wasmtime.Module) -> None:
    seen: list[tuple[int, int]] = []
    instance = make(module, lambda a, b: seen.append((a, b)) or 0)  # type: ignore[func-returns-value]
    call(instance, "ask", -1, -2)
    assert seen == [(0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFE)]


def test_what_a_host_function_raises_comes_out_unchanged(module: wasmtime.Module) -> None:
    mine = KeyError("mine")

    def host(a: int, b: int) -> int:
        raise mine

    with pytest.raises(KeyError) as caught:
        call(make(module, host), "ask", 1, 2)
    assert caught.value is mine


def test_guests_that_fail_at_the_same_time_keep_their_own_errors(module: wasmtime.Module) -> None:
    barrier = threading.Barrier(2, timeout=30)
    caught: dict[int, str] = {}

    def run(number: int) -> None:
        def host(a: int, b: int) -> int:
            barrier.wait()
            raise ValueError(str(number))

        try:
            call(make(module, host), "ask", 0, 0)
        except ValueError as error:
            caught[number] = str(error)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert caught == {0: "0", 1: "1"}


def test_fuel_runs_out(module: wasmtime.Module) -> None:
    with pytest.raises(OutOfFuel):
        call(make(module), "spin", fuel=100_000)


def test_fuel_is_counted(module: wasmtime.Module) -> None:
    instance = make(module)
    call(instance, "count", 1000, fuel=PLENTY)
    first = PLENTY - instance.fuel_left()
    call(instance, "count", 2000, fuel=PLENTY)
    second = PLENTY - instance.fuel_left()
    assert 1.9 < second / first < 2.1


def test_a_deadline_stops_a_spinning_guest(module: wasmtime.Module) -> None:
    with pytest.raises(Interrupted, match="deadline"):
        call(make(module), "spin", interruption=Interruption(time.monotonic() + 0.05))


def test_cancelling_stops_only_the_guest_concerned(module: wasmtime.Module) -> None:
    interruption = Interruption()
    other_done: list[int | None] = []
    other = threading.Thread(
        target=lambda: other_done.append(call(make(module, lambda a, b: 7), "ask", 0, 0)),
    )
    threading.Timer(0.05, interruption.stop, ["cancelled"]).start()
    other.start()
    with pytest.raises(Interrupted, match="cancelled"):
        call(make(module), "spin", interruption=interruption)
    other.join()
    assert other_done == [7]


def test_unbounded_recursion_is_a_trap_and_the_host_lives(module: wasmtime.Module) -> None:
    with pytest.raises(StackExhausted):
        call(make(module), "deep")
    assert call(make(module, lambda a, b: 3), "ask", 0, 0) == 3


def test_memory_cannot_outgrow_its_cap(module: wasmtime.Module) -> None:
    instance = make(module)
    assert call(instance, "grow", 15) == 1
    assert call(instance, "grow", 1) == -1
    assert instance.memory.size == 16 * WASM_PAGE_BYTES


def test_reading_beyond_the_memory_traps(module: wasmtime.Module) -> None:
    with pytest.raises(GuestTrap, match=r"^[^\n]*wasm trap: [^\n]*$"):
        call(make(module), "load", WASM_PAGE_BYTES)


def test_the_host_refuses_addresses_beyond_the_memory(module: wasmtime.Module) -> None:
    instance = make(module)
    for address, length in [(WASM_PAGE_BYTES, 1), (WASM_PAGE_BYTES - 1, 2), (-1, 1)]:
        with pytest.raises(EngineError):
            instance.read(address, length)
    with pytest.raises(EngineError):
        instance.write(WASM_PAGE_BYTES - 1, b"xy")


def test_floats_reach_the_host_as_their_bits() -> None:
    wat = """
    (module
      (import "host" "f" (func $f (param f64 f32) (result f64)))
      (memory (export "memory") 1)
      (func (export "ask") (result i64) (i64.reinterpret_f64 (call $f (f64.const 1.5) (f32.const -2)))))
    """
    seen: list[tuple[int, int]] = []

    def host(double: int, single: int) -> int:
        seen.append((double, single))
        return double

    module = wasm_engine().compile(wasmtime.wat2wasm(wat))
    instance = Instance(module, {("host", "f"): host}, InstanceLimits(WASM_PAGE_BYTES))
    assert call(instance, "ask") == 0x3FF8_0000_0000_0000
    assert seen == [(0x3FF8_0000_0000_0000, 0xC000_0000)]


def test_a_missing_import_is_named(module: wasmtime.Module) -> None:
    with pytest.raises(InstantiationError, match=r"host\.f"):
        Instance(module, {}, InstanceLimits(WASM_PAGE_BYTES))


def test_a_module_over_the_memory_cap_is_refused(module: wasmtime.Module) -> None:
    imports = {("host", "f"): HostFunction("iI", "i", lambda a, b: 0)}
    with pytest.raises(InstantiationError):
        Instance(module, imports, InstanceLimits(0))


def test_closing_twice_is_harmless(module: wasmtime.Module) -> None:
    instance = make(module)
    instance.close()
    instance.close()
