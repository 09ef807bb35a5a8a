"""Turns an exception into an error frame: a traceback of the user's frames only, and the line.

Nothing an exception does may hurt: its `__str__` may raise, its chain may be a cycle, its messages
may be huge.
"""

from typing import Any

from torpor_engine_python.harness.frames import frame
from torpor_engine_python.harness.natives import CELL_FILES, HARNESS_FILES, traceback, type_name


def error_frame(error: BaseException, cell: str, limits: dict[str, int]) -> str:
    """`cell` is the file name of the code that was submitted."""
    name = type_name(type(error))
    try:
        told = traceback.TracebackException(type(error), error, error.__traceback__, compact=True)
        remove_harness(told, outermost=True)
        lines, line = "".join(told.format()).rstrip("\n").split("\n"), line_number(told, cell)
        message = message_of(error)
    except Exception:  # noqa: BLE001 - an error that cannot be told in full is still told
        message = message_of(error)
        lines, line = [f"{name}: {message}"], None
    return frame(
        "error",
        name=name,
        message=cap(message, limits["messageChars"]),
        traceback=[cap(one, limits["messageChars"]) for one in cap_lines(lines, limits["tracebackLines"])],
        lineNumber=line,
    )


def message_of(error: BaseException) -> str:
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        return str.__str__(text) if isinstance(text, str) else repr(text)
    except BaseException:  # noqa: BLE001 - `__str__` is user code
        return f"<the message of this {type_name(type(error))} cannot be told>"


def remove_harness(told: Any, *, outermost: bool = False, seen: set[int] | None = None) -> None:
    """Drop our own frames from the exception and from those it was raised from or while handling.

    Above the user's first frame stand only ours and the event loop's, so there all of it goes.
    """
    seen = set() if seen is None else seen
    if told is None or id(told) in seen:
        return
    seen.add(id(told))
    frames = list(told.stack)
    if outermost:
        frames = frames[first_of_user(frames) :]
    told.stack[:] = [one for one in frames if not one.filename.startswith(HARNESS_FILES)]
    for other in (told.__cause__, told.__context__, *(told.exceptions or ())):
        remove_harness(other, seen=seen)


def first_of_user(frames: list[Any]) -> int:
    cells = (i for i, one in enumerate(frames) if one.filename.startswith(CELL_FILES))
    ours = [i for i, one in enumerate(frames) if one.filename.startswith(HARNESS_FILES)]
    return next(cells, ours[-1] + 1 if ours else 0)


def line_number(told: Any, cell: str) -> int | None:
    """Where in the submitted code: of a syntax error its place, else of the innermost frame there."""
    if getattr(told, "filename", None) == cell and told.lineno is not None:
        return int(told.lineno)
    lines = [one.lineno for one in told.stack if one.filename == cell]
    return lines[-1] if lines else None


def cap(text: str, chars: int) -> str:
    return text if len(text) <= chars else f"{text[:chars]}... [{len(text):,} characters in all]"


def cap_lines(lines: list[str], most: int) -> list[str]:
    """The first and the last lines; what is told last says most."""
    if len(lines) <= most:
        return lines
    head = most // 3
    tail = most - head - 1
    return [*lines[:head], f"  ... {len(lines) - head - tail} lines left out ...", *lines[-tail:]]
