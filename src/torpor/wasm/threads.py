"""Threads that guests run on.

A guest may use `WASM_STACK_BYTES` of its thread's stack; with deep recursion on a thread of the
default size the host crashed, so guests run only on threads made here.
"""

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TypeVar

from torpor.limits import GUEST_THREAD_STACK_BYTES

T = TypeVar("T")
_Job = tuple["Future[object]", Callable[[], object]]


class GuestThreads:
    """A pool that grows to the number of guests running at once; idle threads are reused."""

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._idle: list[SimpleQueue[_Job]] = []
        self._lock = threading.Lock()
        #: The stack size is a setting of the whole process.
        self._size_lock = threading.Lock()

    def forget(self) -> None:
        """In a forked child, where none of the threads exists: a job given to one would wait for ever."""
        self._reset()

    def run(self, function: Callable[[], T], on_interrupt: Callable[[], None] | None = None) -> T:
        """Run `function` on a guest thread and return or raise what it does.

        Ctrl-C while waiting calls `on_interrupt`, which must make `function` end soon, and waits on:
        a guest left running behind our back could still change what was never committed.
        """
        with self._lock:
            inbox = self._idle.pop() if self._idle else None
        if inbox is None:
            inbox = self._start()
        future: Future[T] = Future()
        inbox.put((future, function))  # type: ignore[arg-type]
        while True:
            try:
                return future.result()
            except KeyboardInterrupt:
                if on_interrupt is None or future.done():
                    raise
                on_interrupt()

    def _start(self) -> "SimpleQueue[_Job]":
        inbox: SimpleQueue[_Job] = SimpleQueue()
        thread = threading.Thread(target=self._serve, args=(inbox,), name="torpor-guest", daemon=True)
        with self._size_lock:
            before = threading.stack_size(GUEST_THREAD_STACK_BYTES)
            try:
                thread.start()
            finally:
                threading.stack_size(before)
        return inbox

    def _serve(self, inbox: "SimpleQueue[_Job]") -> None:
        while True:
            future, function = inbox.get()
            try:
                result, error = function(), None
            except BaseException as raised:  # noqa: BLE001 - handed to the caller's thread
                result, error = None, raised
            with self._lock:
                self._idle.append(inbox)
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
            del future, function, result, error


#: The process's guest threads: they hold no state of any guest.
guest_threads = GuestThreads()
os.register_at_fork(after_in_child=guest_threads.forget)
