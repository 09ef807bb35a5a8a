"""Everything one process needs to serve sandboxes: settings, store, runtime. No state of its own."""

import ctypes
import os
import threading
from functools import cache
from weakref import WeakSet

from torpor.config import Config
from torpor.limits import MAX_OPEN_SANDBOXES
from torpor.runtime.local import LocalRuntime
from torpor.sandbox.ledger import Ledger, now_ms
from torpor.stores.embedded import EmbeddedStore

_hosts: "WeakSet[EmbeddedHost]" = WeakSet()


class EmbeddedHost:
    """A store and a runtime under one configuration. Thread-safe; usable in forked children too."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._open()
        _hosts.add(self)

    def _open(self) -> None:
        self.store = EmbeddedStore(self.config.home)
        self.runtime = LocalRuntime(self.config)
        #: By sandbox id, the one used last at the end.
        self._ledgers: dict[str, Ledger] = {}
        self._lock = threading.Lock()

    def renew(self) -> None:
        """In a forked child: begin anew from what is committed.

        What is live belongs to the parent: database connections may not even be closed here (SQLite, "How
        To Corrupt An SQLite Database File", 2.6), and dirty pages would be looked up in the parent.
        """
        for left_behind in (self.store, self.runtime, self._ledgers):
            # Never freed, not even at exit.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(left_behind))
        self._open()

    def ledger(self, sandbox_id: str) -> Ledger:
        """The process's own for the sandbox, so that its head stays cached while it is in use."""
        config = self.config
        with self._lock:
            ledger = self._ledgers.pop(sandbox_id, None) or Ledger(
                self.store, sandbox_id, lease=config.lease, idle_ttl=config.idle_ttl
            )
            self._ledgers[sandbox_id] = ledger
            excess = list(self._ledgers)[:-MAX_OPEN_SANDBOXES]
            idle = [self._ledgers.pop(key) for key in excess]
        for old in idle:
            old.storage.release()
        return ledger

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
            # Not closed: another thread may be waiting for it, and will find the sandbox gone or new.
            ledger.storage.release()

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


def _renew_all() -> None:
    for host in tuple(_hosts):
        host.renew()


os.register_at_fork(after_in_child=_renew_all)
