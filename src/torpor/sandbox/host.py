"""Everything one process needs to serve sandboxes: settings, store, runtime. No state of its own."""

import threading
from functools import cache

from torpor.config import Config
from torpor.runtime.local import LocalRuntime
from torpor.sandbox.ledger import Ledger, now_ms
from torpor.stores.embedded import EmbeddedStore


class EmbeddedHost:
    """A store and a runtime under one configuration. Thread-safe."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.store = EmbeddedStore(config.home)
        self.runtime = LocalRuntime(config)
        self._ledgers: dict[str, Ledger] = {}
        self._lock = threading.Lock()

    def ledger(self, sandbox_id: str) -> Ledger:
        """One per sandbox and process, so that its head stays cached."""
        with self._lock:
            if sandbox_id not in self._ledgers:
                config = self.config
                self._ledgers[sandbox_id] = Ledger(
                    self.store, sandbox_id, lease=config.lease, idle_ttl=config.idle_ttl
                )
            return self._ledgers[sandbox_id]

    def sweep(self) -> tuple[str, ...]:
        """Remove the sandboxes whose idle time is over; their ids."""
        removed = self.store.sweep(now_ms())
        for sandbox_id in removed:
            self.forget(sandbox_id)
        return removed

    def forget(self, sandbox_id: str) -> None:
        """Free what this process holds of a sandbox that was removed or replaced."""
        self.runtime.forget(sandbox_id)
        with self._lock:
            ledger = self._ledgers.pop(sandbox_id, None)
        if ledger is not None:
            ledger.storage.close()

    def close(self) -> None:
        """Free everything. Committed state is not touched."""
        self.runtime.close()
        with self._lock:
            self._ledgers.clear()
        self.store.close()


@cache
def _shared(config: Config) -> EmbeddedHost:
    return EmbeddedHost(config)


def host_for(config: Config | None) -> EmbeddedHost:
    """The process's host for a configuration; that of the environment when None."""
    return _shared(config or Config.from_environment())
