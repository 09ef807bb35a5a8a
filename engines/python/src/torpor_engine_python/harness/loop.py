"""An event loop for a machine without threads and sockets.

The usual loop is woken through a pair of sockets, which do not exist here. Nothing outside can wake
this one, so it waits by sleeping until its next timer, and says so when it would wait for ever.
"""

import asyncio
import asyncio.base_events
import asyncio.unix_events
import time
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any

_sleep = time.sleep


class SleepingSelector:
    """What the base loop asks for events. There are none; it gives the time to pass."""

    complaint: RuntimeError | None = None

    def select(self, timeout: float | None) -> list[Any]:
        if timeout is None:
            self.complaint = RuntimeError(
                "This would wait for ever: every task waits for another, and no timer is left to wake one"
            )
            raise self.complaint
        if timeout > 0:
            _sleep(timeout)
        return []


class SleepingLoop(asyncio.base_events.BaseEventLoop):
    """asyncio's loop over timers and callbacks. Functions for an executor run at once, in place."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = SleepingSelector()

    def _process_events(self, event_list: list[Any]) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """No other thread exists that would need to wake this one."""

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:  # type: ignore[override]
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - it belongs to whoever awaits the future
            future.set_exception(error)
        return future

    def _make_socket_transport(self, *_: Any, **__: Any) -> Any:
        raise OSError("there is no network in the sandbox")


def install() -> None:
    """Make it the loop of `asyncio.run`, `new_event_loop`, `Runner` and the loop classes."""
    policy: Any = asyncio.unix_events.__dict__["_UnixDefaultEventLoopPolicy"]
    policy._loop_factory = SleepingLoop  # noqa: SLF001 - the only place it can be told
    for module in (asyncio, asyncio.unix_events):
        for name in ("SelectorEventLoop", "EventLoop"):
            setattr(module, name, SleepingLoop)


class Background:
    """The context's own loop: it runs top-level `await`s, and tasks left on it go on at the next one."""

    def __init__(self) -> None:
        self.loop: Any = SleepingLoop()

    def prepare(self) -> None:
        """A user may have closed the loop, and `asyncio.run` leaves none behind."""
        if self.loop.is_closed():
            self.loop = SleepingLoop()
        set_event_loop(self.loop)

    def run(self, main: Coroutine[Any, Any, Any], context: Context) -> Any:
        task = self.loop.create_task(main, context=context)
        try:
            return self.loop.run_until_complete(task)
        except BaseException as error:
            if not task.done():
                if error is self.loop._selector.complaint:  # noqa: SLF001 - of our own loop
                    point_out(main, error)
                self.abandon(task)
            raise

    def abandon(self, task: Any) -> None:
        """End the main task of an execution that failed; otherwise it would go on in the next one."""
        task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        task.cancel()
        try:
            self.loop.call_soon(self.loop.call_soon, self.loop.stop)
            self.loop.run_forever()
        except BaseException:  # noqa: BLE001 - what it does while it is cancelled concerns nobody
            pass


def point_out(main: Coroutine[Any, Any, Any], error: BaseException) -> None:
    """Raise the error where the code waits, so that its traceback says where that is."""
    try:  # noqa: SIM105 - contextlib can be taken apart by the user
        main.throw(error.with_traceback(None))
    except BaseException:  # noqa: BLE001 - it is raised again by the caller
        pass


set_event_loop = asyncio.set_event_loop
