"""Runs one piece of code as a cell of a REPL: the last expression is the value, `await` is allowed.

Knows nothing of the device: it gives back what happened as frames.
"""

import __future__

import ast
import contextvars
import linecache
from collections.abc import Coroutine
from typing import Any

from torpor_engine_python.harness import natives
from torpor_engine_python.harness.bundles import bundle_of
from torpor_engine_python.harness.display import results
from torpor_engine_python.harness.errors import error_frame
from torpor_engine_python.harness.figures import figures
from torpor_engine_python.harness.streams import complain, flush_all
from torpor_engine_python.harness.world import World

AWAIT, ONLY_AST = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, ast.PyCF_ONLY_AST
FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
COROUTINE = 0x80  # inspect.CO_COROUTINE
#: Sources kept for tracebacks, in characters; the oldest cells lose their lines first.
SOURCES_KEPT = 4_000_000

_Expr, _Expression, _Module = ast.Expr, ast.Expression, ast.Module
_public_sources = linecache.cache


class Interpreter:
    """A context's REPL: its namespace, its `from __future__` flags, its context variables."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.flags = 0
        self.context = contextvars.copy_context()
        self.sources: dict[str, int] = {}
        self.source_size = 0

    def execute(self, code: str, count: int, limits: dict[str, int]) -> tuple[list[str], int | None]:
        """Frames that are still to be written (an error's), and the exit status if the code ended itself."""
        cell = f"<cell {count}>"
        self.remember_source(cell, code)
        failure: BaseException | None = None
        try:
            self.run(code, cell)
        except BaseException as error:  # noqa: BLE001 - whatever user code raises is its result
            failure = error
        try:
            self.context.run(figures.show_open)
        except BaseException as error:  # noqa: BLE001
            failure = failure or error
        figures.close_fonts()
        self.world.leave()
        results.finish()
        flush_all()
        if failure is None:
            return [], None
        return told(failure, cell, limits)

    def run(self, code: str, cell: str) -> None:
        body, last = self.compile(code, cell)
        if any(part is not None and part.co_flags & COROUTINE for part in (body, last)):
            value = self.world.background.run(self.steps(body, last), self.context)
        else:
            value = self.context.run(self.step, body, last)
        if last is not None:
            self.context.run(self.show_value, value)

    def compile(self, code: str, cell: str) -> tuple[Any, Any]:
        """Code for the statements and, when the last of them is an expression, for that."""
        tree = compile(code, cell, "exec", ONLY_AST | AWAIT | self.flags, dont_inherit=True)
        body: list[Any] = tree.body
        tail = body.pop() if body and type(body[-1]) is _Expr else None
        statements = compile(tree, cell, "exec", AWAIT | self.flags, dont_inherit=True)
        self.flags |= statements.co_flags & FUTURES
        if tail is None:
            return statements, None
        expression = _Expression(tail.value)
        return (statements if body else None), compile(
            expression, cell, "eval", AWAIT | self.flags, dont_inherit=True
        )

    def step(self, body: Any, last: Any) -> object:
        names = self.world.main.__dict__
        if body is not None:
            exec(body, names)  # noqa: S102
        return eval(last, names) if last is not None else None  # noqa: S307

    async def steps(self, body: Any, last: Any) -> object:
        value: object = None
        for part in (body, last):
            if part is not None:
                value = eval(part, self.world.main.__dict__)  # noqa: S307
                if part.co_flags & COROUTINE:
                    assert isinstance(value, Coroutine)
                    value = await value
        return value

    def show_value(self, value: object) -> None:
        if value is None:
            return
        bundle = bundle_of(value)
        self.world.keep_last(value)
        results.show(bundle, is_value=True)
        if figures.is_figure(value):
            figures.forget(value)

    def remember_source(self, cell: str, code: str) -> None:
        """For our tracebacks and for the user's own (`inspect`, `warnings`, `traceback`)."""
        # Python ends lines at these only; `splitlines` knows more.
        lines = [f"{line}\n" for line in code.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
        entry = (len(code), None, lines, cell)
        natives.linecache.cache[cell] = _public_sources[cell] = entry
        self.source_size += len(code) - self.sources.pop(cell, 0)
        self.sources[cell] = len(code)
        while self.source_size > SOURCES_KEPT and len(self.sources) > 1:
            oldest = next(iter(self.sources))
            self.source_size -= self.sources.pop(oldest)
            natives.linecache.cache.pop(oldest, None)
            _public_sources.pop(oldest, None)


def told(failure: BaseException, cell: str, limits: dict[str, int]) -> tuple[list[str], int | None]:
    if not isinstance(failure, SystemExit):
        return [error_frame(failure, cell, limits)], None
    status = exit_status(failure)
    return ([error_frame(failure, cell, limits)] if status else []), status


def exit_status(failure: SystemExit) -> int:
    """As a process would end: nothing is 0, a number its last byte, anything else 1 and a message."""
    code = failure.code
    if code is None:
        return 0
    if isinstance(code, int):
        return int(code) & 0xFF
    try:
        complain(str(code))
    except Exception:  # noqa: BLE001 - `__str__` is user code
        complain(f"<{natives.type_name(type(code))} object>")
    return 1
