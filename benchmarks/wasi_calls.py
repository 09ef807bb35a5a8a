"""What a system call costs in a guest, seen from Python code and from bare Wasm."""

from functools import partial

import wasmtime

from benchmarks.contestants import NATIVE
from benchmarks.lab import BINDING, Lab, run
from benchmarks.results import Series, Table
from benchmarks.timing import Measure, interleaved, stopwatch
from torpor.sandbox.sandbox import Sandbox
from torpor.wasi.devices import NullDevice
from torpor.wasi.host import Streams
from torpor.wasi.preview1 import Preview1
from torpor.wasm.instance import Instance, InstanceLimits
from torpor.wasm.interrupt import Interruption
from torpor.wasm.runtime import wasm_engine
from torpor.wasm.threads import guest_threads

_ENOUGH = 15
_GUEST = "Torpor"
#: (title, unit, code that leaves the number in `value`). The folder is made and removed each time.
_FOLDER = """
import os, shutil, tempfile, time
folder = tempfile.mkdtemp(dir='.')
clock = time.perf_counter
"""
_END = "\nshutil.rmtree(folder)\nvalue"
_CALLS = {
    ("os.write of 16 bytes to a file", "us"): """
file = os.open(folder + '/f', os.O_WRONLY | os.O_CREAT)
began = clock()
for _ in range(2000): os.write(file, b'sixteen bytes ok')
value = (clock() - began) / 2000 * 1e6
os.close(file)""",
    ("os.open and os.close of a file", "us"): """
open(folder + '/f', 'w').close()
began = clock()
for _ in range(1000): os.close(os.open(folder + '/f', os.O_RDONLY))
value = (clock() - began) / 1000 * 1e6""",
    ("os.stat", "us"): """
open(folder + '/f', 'w').close()
began = clock()
for _ in range(2000): os.stat(folder + '/f')
value = (clock() - began) / 2000 * 1e6""",
    ("10,000 reads of small files", "ms"): """
for i in range(100):
    with open(f'{folder}/{i}', 'w') as file: file.write('x' * 100)
began = clock()
for _ in range(100):
    for i in range(100):
        with open(f'{folder}/{i}', 'rb') as file: file.read()
value = (clock() - began) * 1e3""",
    ("20 x os.listdir of 1,000 names", "ms"): """
for i in range(1000): open(f'{folder}/{i}', 'w').close()
began = clock()
for _ in range(20): os.listdir(folder)
value = (clock() - began) * 1e3""",
}
_IMPORTS = ("json", "re", "decimal", "xml.dom.minidom", "sqlite3")
_LOOPS = 100_000
#: Writes one byte from address 16 to standard output, `_LOOPS` times.
_WRITER = f"""(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "go") (local $left i32)
    (i32.store (i32.const 0) (i32.const 16)) (i32.store (i32.const 4) (i32.const 1))
    (local.set $left (i32.const {_LOOPS}))
    (loop $again
      (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
      (br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))"""


def wasi(lab: Lab) -> list[Table]:
    lab.say("measuring system calls")
    return [*_calls(lab), _imports(lab), _bare(lab)]


def in_guest(sandbox: Sandbox, code: str) -> float:
    """The number that the code gives as its value."""
    return float(run(sandbox, code).text or "nan")


def _calls(lab: Lab) -> list[Table]:
    sandbox = lab.sandbox()
    tables = []
    with lab.peers(NATIVE) as peers:
        for (title, unit), body in _CALLS.items():
            code = _FOLDER + body + _END
            contestants: dict[str, Measure] = {_GUEST: partial(in_guest, sandbox, code)}
            contestants |= {p.peer.name: p.measure(code) for p in peers if lab.works(p, code)}
            found = interleaved(contestants, lab.at_least(_ENOUGH))
            series = tuple(Series(name, values) for name, values in found.items())
            tables.append(Table(title, unit, series, baseline=NATIVE.name))
    return tables


def _imports(lab: Lab) -> Table:
    """In a new context each time; what the engine imported before its image was taken costs nothing."""
    sandbox = lab.sandbox()
    run(sandbox, "0")

    def first_import(name: str) -> float:
        context = sandbox.interpreter.create_code_context(BINDING).id
        took = stopwatch(lambda: run(sandbox, f"import {name}", context))
        sandbox.interpreter.delete_code_context(context)
        return took

    found = interleaved(
        {f"import {name}": partial(first_import, name) for name in _IMPORTS}, lab.at_least(_ENOUGH)
    )
    series = tuple(Series(name, values) for name, values in found.items())
    note = "The first execution of a new context, its restore and its commit included."
    return Table("An import in a new context", "ms", series, note=note)


def _bare(lab: Lab) -> Table:
    module = wasm_engine().compile(bytes(wasmtime.wat2wasm(_WRITER)))
    nothing = NullDevice()
    wasi = Preview1(args=(), env={}, preopens=[], streams=Streams(nothing, nothing, nothing))
    instance = Instance(module, wasi.imports(), InstanceLimits(1 << 20))
    wasi.bind(instance.memory)

    def work() -> None:
        with instance.metered(10**12, Interruption()):
            instance.call("go")

    def measure() -> float:
        return stopwatch(lambda: guest_threads.run(work)) / _LOOPS * 1000

    found = interleaved({"fd_write of 1 byte": measure}, lab.at_least(_ENOUGH))
    instance.close()
    series = tuple(Series(name, values) for name, values in found.items())
    return Table("A host call from bare Wasm", "us", series, note="Standard output that discards.")
