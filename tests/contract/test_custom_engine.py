"""An engine that nobody foresaw: a counter in a hundred lines of Wasm, served like any language.

Its "code" is one letter. The counter lives in its linear memory and goes up at the start of each turn:
    c   answers with the counter
    l   loops, asking whether to stop, and says that it was stopped
    w   waits as long as it may, then says that it was stopped
    d   loops and asks nobody
    f   says that it was stopped, unasked
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import wasmtime

import torpor
from tests.contract.sandbox_kit import new_id
from torpor import engines
from torpor.config import Config
from torpor.engines import Engine, EngineLimits, Guest
from torpor.limits import MIB
from torpor.sandbox.host import host_for
from torpor.sandbox.sandbox import Sandbox

BINDING = "COUNTER"
#: In units of 1,000 instructions: some milliseconds, and more than any test waits for.
FUEL, PLENTY = 1_000, 10**9
RESULT = '{"type":"result","data":{"text/plain":"0"},"isValue":true}\\n'
DONE = '{"type":"done","cwd":"/workspace","exitStatus":null}\\n'
STOPPED = '{"type":"done","cwd":"/workspace","exitStatus":null,"stopped":true}\\n'
#: Where the first letter of the code stands in a request, and the digit in a result.
LETTER = len('{"op": "execute", "code": "')
DIGIT = RESULT.index("0")


def quoted(text: str) -> str:
    return text.replace('"', '\\"')


WAT = f"""
(module
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32)))
  (import "torpor" "should_stop" (func $should_stop (result i32)))
  (import "torpor" "time_left" (func $time_left (result i64)))
  (memory (export "memory") 1)
  ;; 0: descriptor, 4: count, 8: iovec, 16: the counter
  (data (i32.const 64) "torpor")
  (data (i32.const 128) "{quoted(RESULT)}")
  (data (i32.const 256) "{quoted(DONE)}")
  (data (i32.const 384) "{quoted(STOPPED)}")
  (func $device
    (drop (call $open (i32.const 3) (i32.const 0) (i32.const 64) (i32.const 6) (i32.const 0)
      (i64.const 66) (i64.const 0) (i32.const 0) (i32.const 0))))
  (func $vector (param $at i32) (param $length i32)
    (i32.store (i32.const 8) (local.get $at)) (i32.store (i32.const 12) (local.get $length)))
  (func $say (param $at i32) (param $length i32)
    (call $vector (local.get $at) (local.get $length))
    (drop (call $write (i32.load (i32.const 0)) (i32.const 8) (i32.const 1) (i32.const 4))))
  (func $letter (result i32)
    (call $vector (i32.const 1024) (i32.const 4096))
    (drop (call $read (i32.load (i32.const 0)) (i32.const 8) (i32.const 1) (i32.const 4)))
    (i32.load8_u (i32.const {1024 + LETTER})))
  (func $is (param $letter i32) (param $wanted i32) (result i32)
    (i32.eq (local.get $letter) (local.get $wanted)))
  (func (export "turn") (local $letter i32)
    (call $device)
    (local.set $letter (call $letter))
    (i32.store (i32.const 16) (i32.add (i32.load (i32.const 16)) (i32.const 1)))
    (if (call $is (local.get $letter) (i32.const {ord("d")})) (then (loop br 0)))
    (if (call $is (local.get $letter) (i32.const {ord("l")})) (then
      (loop (br_if 0 (i32.eqz (call $should_stop))))))
    (if (call $is (local.get $letter) (i32.const {ord("w")})) (then
      (loop (br_if 0 (i64.gt_s (call $time_left) (i64.const 0))))
      (drop (call $should_stop))))
    (if (call $is (local.get $letter) (i32.const {ord("c")}))
      (then
        (i32.store8 (i32.const {128 + DIGIT}) (i32.add (i32.const 48) (i32.load (i32.const 16))))
        (call $say (i32.const 128) (i32.const {len(RESULT) - 1}))
        (call $say (i32.const 256) (i32.const {len(DONE) - 1})))
      (else (call $say (i32.const 384) (i32.const {len(STOPPED) - 1}))))
    (drop (call $close (i32.load (i32.const 0))))))
"""


class CounterDriver:
    """Nothing to boot, one call a turn."""

    def boot(self, guest: Guest) -> None:
        pass

    def turn(self, guest: Guest) -> bool:
        guest.call("turn")
        return True


class Entry:
    """What an installed package's entry point is to Torpor."""

    value = "tests:ENGINE"

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def load(self) -> Engine:
        return self._engine


def counter_engine(folder: Path) -> Engine:
    wasm = folder / "counter.wasm"
    wasm.write_bytes(wasmtime.wat2wasm(WAT))
    return Engine(
        binding=BINDING,
        language="counting",
        name="Counter 1",
        version="1",
        wasm=wasm,
        wasm_digest=hashlib.sha256(wasm.read_bytes()).hexdigest(),
        harness=(),
        driver=CounterDriver(),
        limits=EngineLimits(PLENTY, MIB, MIB, boot_fuel=FUEL, reserve_fuel=FUEL),
        preopens=("/dev", "/workspace"),
    )


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """On a machine where the counter is installed."""
    monkeypatch.setattr(engines, "_entries", lambda: {BINDING: Entry(counter_engine(tmp_path))})
    engines.get_engine.cache_clear()
    sandbox = torpor.get_sandbox(new_id(), Config(home=tmp_path / "home", cache=tmp_path / "cache"))
    yield sandbox
    host_for(sandbox._host.config).close()
    engines.get_engine.cache_clear()


def test_it_counts_and_goes_on_counting_after_sleep(sandbox: Sandbox) -> None:
    counted = []
    for _ in range(4):
        counted.append(sandbox.interpreter.run_code("c", binding=BINDING).text)
        sandbox._host.runtime.forget(sandbox.id)
    assert counted == ["1", "2", "3", "4"]


def test_forks_and_rewinds_are_the_cores(sandbox: Sandbox) -> None:
    run = sandbox.interpreter.run_code
    run("c", binding=BINDING)
    before = sandbox.get_info().generation
    run("c", binding=BINDING)
    fork = sandbox.fork("counter-fork")
    sandbox.rewind(before)
    assert run("c", binding=BINDING).text == "2"
    assert fork.interpreter.run_code("c", binding=BINDING).text == "3"


@pytest.mark.parametrize(
    ("letter", "options", "said"),
    [
        ("l", {"fuel": FUEL}, "fuel"),
        ("l", {"timeout": 0.1}, "timed out"),
        ("w", {"timeout": 0.1}, "timed"),
    ],
)
def test_stopped_softly_it_keeps_what_it_did(
    sandbox: Sandbox, letter: str, options: dict[str, float], said: str
) -> None:
    sandbox.interpreter.run_code("c", binding=BINDING)
    stopped = sandbox.interpreter.run_code(letter, binding=BINDING, **options)  # type: ignore[arg-type]
    assert stopped.error is not None
    assert stopped.error.name == "ExecutionLimitError"
    assert said in stopped.error.message
    assert stopped.rolled_back_to is None
    assert sandbox.interpreter.run_code("c", binding=BINDING).text == "3"


@pytest.mark.parametrize(("letter", "name"), [("d", "ExecutionLimitError"), ("f", "EngineError")])
def test_one_that_does_not_stop_or_pretends_to_is_rolled_back(
    sandbox: Sandbox, letter: str, name: str
) -> None:
    sandbox.interpreter.run_code("c", binding=BINDING)
    broken = sandbox.interpreter.run_code(letter, binding=BINDING, fuel=FUEL)
    assert broken.error is not None
    assert broken.error.name == name
    assert broken.rolled_back_to == 1
    assert sandbox.interpreter.run_code("c", binding=BINDING).text == "2"


def test_it_is_listed_and_described(sandbox: Sandbox) -> None:
    sandbox.interpreter.run_code("c", binding=BINDING)
    [context] = sandbox.get_info().contexts
    assert (context.binding, context.language, context.engine) == (BINDING, "counting", "Counter 1")
    [described] = torpor.describe_engines(sandbox._host.config)
    assert (described.binding, described.compiled) == (BINDING, True)
