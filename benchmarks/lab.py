"""What every benchmark gets: a home of its own, the machine's cache, engines that are ready, and peers."""

import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import torpor
from benchmarks.contestants import Peer, PeerFailedError, PeerProcess
from torpor.config import Config
from torpor.models import ExecutionResult
from torpor.sandbox.host import EmbeddedHost, host_for
from torpor.sandbox.sandbox import Sandbox

BINDING = "PYTHON"
_KB = 1000.0


@dataclass(slots=True)
class Lab:
    """`repeat`: values per series. `skipped` collects what could not be measured, and why."""

    config: Config
    repeat: int
    skipped: list[str] = field(default_factory=list)

    @property
    def peer_cache(self) -> Path:
        return self.config.cache / "benchmarks"

    def at_least(self, enough: int) -> int:
        """`enough` values for what is quick, or more when more are asked for."""
        return max(self.repeat, enough)

    def at_most(self, bearable: int) -> int:
        """No more than `bearable` values of what is slow."""
        return min(self.repeat, bearable)

    def say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def skip(self, reason: str) -> None:
        self.skipped.append(reason)
        self.say(f"NOT MEASURED: {reason}")

    @contextmanager
    def peers(self, *chosen: Peer) -> Iterator[list[PeerProcess]]:
        """Those of the chosen peers that can be had, running; the others are skipped aloud."""
        running = [found for peer in chosen if (found := self._start(peer)) is not None]
        try:
            yield running
        finally:
            for process in running:
                process.close()

    def _start(self, peer: Peer) -> PeerProcess | None:
        try:
            return PeerProcess(peer, self.peer_cache)
        except PeerFailedError as error:
            self.skip(str(error))
            return None

    def works(self, process: PeerProcess, operation: str) -> bool:
        """Whether a peer can do an operation; otherwise it is skipped aloud. Also its first warm-up."""
        try:
            process.ask(operation)
        except PeerFailedError as error:
            self.skip(f"{error} ({operation})")
            return False
        return True

    def sandbox(self) -> Sandbox:
        """A new one."""
        return torpor.get_sandbox(f"bench-{uuid.uuid4().hex[:12]}", self.config)

    @property
    def host(self) -> EmbeddedHost:
        return host_for(self.config)


def make_lab(home: Path, repeat: int) -> Lab:
    """A lab whose engines are compiled; sandboxes go to `home`."""
    config = replace(Config.from_environment(), home=home)
    lab = Lab(config, repeat)
    torpor.compile_engines(config=config, progress=lambda binding, _, text: lab.say(f"{binding}: {text}"))
    return lab


def run(sandbox: Sandbox, code: str, context: str | None = None, binding: str = BINDING) -> ExecutionResult:
    """Run code that must not fail: in a context, or in the sandbox's own one."""
    result = sandbox.interpreter.run_code(code, context=context, binding=binding)
    if result.error is not None:
        raise RuntimeError(f"{result.error.name}: {result.error.message}")
    return result


def stored_kb(sandbox: Sandbox, count: int) -> tuple[float, ...]:
    """What each of the last `count` executions added to storage, in kilobytes."""
    executions = [entry for entry in sandbox.history() if entry.kind == "execution"]
    return tuple(entry.stored_bytes / _KB for entry in executions[:count])
