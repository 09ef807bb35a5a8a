"""Turns an exception into an error frame: a traceback of the user's frames only, and the line.

Nothing an exception does may hurt: its `__str__` may raise, its chain may be a cycle, its messages
may be huge.
"""

from collections.abc import Iterable
from typing import Any

from torpor_engine_python.harness.frames import frame
from torpor_engine_python.harness.natives import CELL_FILES, HARNESS_FILES, linecache, traceback, type_name

#: Frames of one exception that are told: from the outermost on, and up to the innermost.
OUTER_FRAMES, INNER_FRAMES = 30, 60
#: Of equal frames in a row, as in a recursion, so many are told.
EQUAL_FRAMES = 3


_StackSummary: Any = traceback.StackSummary


class Stack(_StackSummary):  # type: ignore[misc]
    """A stack that is short before it is formatted; formatting a frame costs a parse of its line."""

    def format(self, **options: Any) -> list[str]:
        told: list[str] = []
        runs = equal_runs(self)
        left_out = runs[OUTER_FRAMES:-INNER_FRAMES] if len(runs) > OUTER_FRAMES + INNER_FRAMES else []
        for index, run in enumerate(runs):
            if left_out and OUTER_FRAMES <= index < len(runs) - INNER_FRAMES:
                if index == OUTER_FRAMES:
                    told.append(f"  ... {sum(map(len, left_out))} frames left out ...\n")
                continue
            told += [self.format_frame_summary(one, **options) for one in run[:EQUAL_FRAMES]]
            more = len(run) - EQUAL_FRAMES
            if more > 0:
                told.append(f"  [Previous line repeated {more} more time{'s' if more > 1 else ''}]\n")
        return told


def equal_runs(frames: Iterable[Any]) -> list[list[Any]]:
    """Frames grouped where the same line of the same function follows itself."""
    runs: list[list[Any]] = []
    last = None
    for one in frames:
        place = (one.filename, one.lineno, one.name)
        if place == last:
            runs[-1].append(one)
        else:
            runs.append([one])
        last = place
    return runs


def error_frame(error: BaseException, cell: str, limits: dict[str, int]) -> str:
    """`cell` is the file name of the code that was submitted."""
    name = type_name(type(error))
    try:
        # Source lines are looked up when they are formatted: of a deep recursion that is a handful.
        told = traceback.TracebackException(
            type(error), error, error.__traceback__, compact=True, lookup_lines=False
        )
        remove_harness(told, outermost=True)
        lines, line = "".join(told.format()).rstrip("\n").split("\n"), line_number(told, cell)
        message = message_of(error)
    except Exception:  # noqa: BLE001 - an error that cannot be told in full is still told
        message = message_of(error)
        lines, line = plain_traceback(error, cell)
        lines.append(f"{name}: {message}")
    return frame(
        "error",
        name=name,
        message=cap(message, limits["messageChars"]),
        traceback=[cap(one, limits["messageChars"]) for one in cap_lines(lines, limits["tracebackLines"])],
        lineNumber=line,
    )


def plain_traceback(error: BaseException, cell: str) -> tuple[list[str], int | None]:
    """A traceback without the library's help, which the user may have taken apart."""
    lines, line, step = ["Traceback (most recent call last):"], None, error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if not code.co_filename.startswith(HARNESS_FILES):
            lines.append(f'  File "{code.co_filename}", line {step.tb_lineno}, in {code.co_name}')
            source = linecache.cache.get(code.co_filename)
            if source is not None and step.tb_lineno <= len(source[2]):
                lines.append(f"    {source[2][step.tb_lineno - 1].strip()}")
        if code.co_filename == cell:
            line = step.tb_lineno
        step = step.tb_next
    return lines, line


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
    told.stack = Stack(one for one in frames if not one.filename.startswith(HARNESS_FILES))
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
    """The beginning of a text and a marker, together within `chars`."""
    if len(text) <= chars:
        return text
    marker = f"... [{len(text):,} characters in all]"
    return text[: max(0, chars - len(marker))] + marker


def cap_lines(lines: list[str], most: int) -> list[str]:
    """The first and the last lines; what is told last says most."""
    if len(lines) <= most:
        return lines
    head = most // 3
    tail = most - head - 1
    return [*lines[:head], f"  ... {len(lines) - head - tail} lines left out ...", *lines[-tail:]]
