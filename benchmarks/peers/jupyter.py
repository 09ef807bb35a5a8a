"""ipykernel through jupyter-client: one process per session, not durable."""

import importlib
from typing import Any

from benchmarks import programs
from benchmarks.peers.protocol import proportional_bytes, serve, stopwatch

_TIMEOUT = 60.0


class Kernel:
    """A kernel and a client connected to it."""

    def __init__(self) -> None:
        manager_module = importlib.import_module("jupyter_client.manager")
        self._manager: Any
        self._client: Any
        self._manager, self._client = manager_module.start_new_kernel(startup_timeout=_TIMEOUT)

    def run(self, code: str) -> None:
        reply = self._client.execute_interactive(code, timeout=_TIMEOUT, output_hook=lambda _: None)
        if reply["content"]["status"] != "ok":
            raise RuntimeError(str(reply["content"]))

    def proportional_bytes(self) -> int:
        return proportional_bytes(self._manager.provisioner.process.pid)

    def close(self) -> None:
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)


class Jupyter:
    """`first_result` starts a kernel of its own each time; the others use one that stays."""

    def __init__(self) -> None:
        self._kept = self._open()

    def _open(self) -> Kernel:
        kernel = Kernel()
        kernel.run(programs.FIRST_RESULT)
        return kernel

    def first_result(self) -> float:
        opened: list[Kernel] = []
        took = stopwatch(lambda: opened.append(self._open()))
        opened[0].close()
        return took

    def step(self) -> float:
        return stopwatch(lambda: self._kept.run(programs.STEP))

    def frame(self) -> float:
        return stopwatch(lambda: self._kept.run(programs.FRAME))

    def idle_bytes(self) -> float:
        kernel = self._open()
        try:
            return float(kernel.proportional_bytes())
        finally:
            kernel.close()

    def close(self) -> None:
        self._kept.close()


if __name__ == "__main__":
    peer = Jupyter()
    try:
        serve(
            {
                "first_result": peer.first_result,
                "step": peer.step,
                "frame": peer.frame,
                "idle_bytes": peer.idle_bytes,
            }
        )
    finally:
        peer.close()
