"""The runtime of this process: interpreters by key, and how many contexts stay live.

Each (sandbox, binding) pair has one Interpreter. Live contexts are kept for the next call up to a
number; beyond it the one not used for longest is dropped, which costs nothing but a restore.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from torpor.config import Config
from torpor.engines import get_engine, installed_bindings
from torpor.interpreter.engine_host import EngineHost
from torpor.interpreter.interpreter import Interpreter
from torpor.interpreter.model import (
    CompletionRequest,
    ExecutionRequest,
    Outcome,
    Proposal,
    Sources,
    Watch,
)
from torpor.interpreter.protocol import Completion
from torpor.interpreter.stateless import execute_stateless
from torpor.snapshots.model import MappedExtent
from torpor.wasm.runtime import Progress
from torpor.workspace.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Description:
    """What a runtime says of itself."""

    binding: str
    language: str
    engine: str
    contexts: bool = True


class _Slot:
    """An interpreter and the lock under which it runs one execution at a time."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.lock = threading.RLock()


class LocalRuntime:
    """All interpreters of this process. Thread-safe; executions of one key wait for each other."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._lock = threading.Lock()
        self._hosts: dict[str, EngineHost] = {}
        self._slots: dict[tuple[str, str], _Slot] = {}
        #: (key, binding, context id), the one used last at the end.
        self._recent: OrderedDict[tuple[str, str, str], None] = OrderedDict()

    def describe(self, binding: str) -> Description:
        """Raises EngineNotInstalledError."""
        engine = get_engine(binding)
        return Description(binding, engine.language, engine.name)

    def offers(self, binding: str) -> bool:
        """Whether the engine is installed: a sandbox may have contexts of one that no longer is."""
        return binding in installed_bindings()

    def host(self, binding: str) -> EngineHost:
        """The compiled engine of a binding and its base image, shared by all its interpreters."""
        engine = get_engine(binding)
        with self._lock:
            if binding not in self._hosts:
                self._hosts[binding] = EngineHost(engine, self._config)
            return self._hosts[binding]

    def prepare(self, binding: str, progress: Progress | None = None) -> None:
        """Compile the engine and make its base image, if they are not there."""
        self.host(binding).prepare(progress)

    def execute_in_context(
        self, key: str, binding: str, request: ExecutionRequest, sources: Sources, watch: Watch
    ) -> Outcome:
        """Run code in a context; then say `committed` or `abandon`. Raises EngineError, StorageError."""
        with self._running(key, binding, request.context_id) as interpreter:
            return interpreter.execute(request, sources, watch)

    def complete(
        self, key: str, binding: str, request: CompletionRequest, sources: Sources, watch: Watch
    ) -> Completion:
        with self._running(key, binding, request.execution.context_id) as interpreter:
            return interpreter.complete(request, sources, watch)

    def execute(self, binding: str, request: ExecutionRequest, watch: Watch) -> Outcome:
        """Run code in fresh memory with an empty /workspace; nothing is kept."""
        return execute_stateless(self.host(binding), request, watch)

    def committed(
        self,
        key: str,
        binding: str,
        context_id: str,
        proposal: Proposal,
        stored: tuple[MappedExtent, ...],
        manifest: Manifest,
    ) -> None:
        """What the interpreter proposed is durable: its live instance is current."""
        with self._slot(key, binding).lock:
            self._slot(key, binding).interpreter.committed(context_id, proposal, stored, manifest)

    def abandon(self, key: str, binding: str, context_id: str) -> None:
        """What the interpreter proposed was not committed: its live instance is discarded."""
        slot = self._slots.get((key, binding))
        if slot is not None:
            with slot.lock:
                slot.interpreter.discard(context_id)

    def forget(self, key: str, context_id: str | None = None) -> None:
        """Free what is live of a context, or of all contexts of the key. State is not lost."""
        with self._lock:
            slots = [slot for (k, _), slot in self._slots.items() if k == key]
            for used in [one for one in self._recent if one[0] == key and context_id in (None, one[2])]:
                del self._recent[used]
        for slot in slots:
            with slot.lock:
                if context_id is None:
                    slot.interpreter.close()
                else:
                    slot.interpreter.discard(context_id)

    def close(self) -> None:
        """Free everything. The runtime can be used again."""
        with self._lock:
            slots, self._slots = list(self._slots.values()), {}
            hosts, self._hosts = list(self._hosts.values()), {}
            self._recent.clear()
        for slot in slots:
            with slot.lock:
                slot.interpreter.close()
        for host in hosts:
            host.close()

    @contextmanager
    def _running(self, key: str, binding: str, context_id: str) -> Iterator[Interpreter]:
        slot = self._slot(key, binding)
        with slot.lock:
            yield slot.interpreter
        self._used(key, binding, context_id)

    def _slot(self, key: str, binding: str) -> _Slot:
        host = self.host(binding)
        with self._lock:
            slot = self._slots.get((key, binding))
            if slot is None:
                slot = self._slots[key, binding] = _Slot(Interpreter(host))
            return slot

    def _used(self, key: str, binding: str, context_id: str) -> None:
        """Note the use and evict what is too old, unless it is running this moment."""
        with self._lock:
            self._recent[key, binding, context_id] = None
            self._recent.move_to_end((key, binding, context_id))
            excess = len(self._recent) - max(self._config.resident, 1)
            victims = list(self._recent)[: max(excess, 0)]
            slots = {(k, b): self._slots.get((k, b)) for k, b, _ in victims}
        for k, b, context in victims:
            slot = slots[k, b]
            if slot is not None and slot.lock.acquire(blocking=False):
                try:
                    slot.interpreter.discard(context)
                    if slot.interpreter.idle:
                        slot.interpreter.close()  # its files too: a sandbox that sleeps costs nothing
                finally:
                    slot.lock.release()
                with self._lock:
                    self._recent.pop((k, b, context), None)
