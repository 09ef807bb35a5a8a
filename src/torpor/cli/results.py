"""How an execution is shown: output as it happens, values, errors, and rich results as files.

Standard output gets what the code wrote and the text of its results; everything about them goes to
standard error.
"""

import base64
import binascii
import json
from collections.abc import Iterator
from pathlib import Path

from torpor.cli import terminal
from torpor.models import ExecutionError, ExecutionResult, Json, OutputChunk, Result

#: Representations that a terminal shows, or that repeat what the text says.
_SHOWN = frozenset({"text/plain", "application/json", "text/html", "text/markdown", "text/latex"})
#: File endings where the standard table has none.
_ENDINGS = {"text/latex": ".tex", "text/markdown": ".md", "application/json": ".json"}


def write_chunk(chunk: OutputChunk) -> None:
    """Guest output, as it is written."""
    terminal.write_raw(chunk.stream, chunk.text)


def show(result: ExecutionResult, *, mention_rich: bool = True) -> None:
    """What is left to show once the output has been streamed."""
    for one in result.results:
        if one.text is not None:
            terminal.write_raw("stdout", one.text + "\n")
    if mention_rich:
        _mention_rich(result)
    if result.error is not None and result.exit_status is None:
        for line in error_lines(result.error):
            terminal.write_raw("stderr", line + "\n")
    for notice in _notices(result):
        terminal.say(f"torpor: {notice}")


def error_lines(error: ExecutionError) -> list[str]:
    """The traceback, ending in the error's own words even when the traceback leaves them out."""
    lines = [line for text in error.traceback for line in text.rstrip("\n").split("\n")]
    summary = f"{error.name}: {error.message}" if error.message else error.name
    said = "\n".join(lines)
    if error.name not in said or error.message not in said:
        lines.extend(summary.split("\n"))
    return lines


def save_results(result: ExecutionResult, folder: Path) -> None:
    """Write every representation but plain text to `folder` as result-<number>.<ending>."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(result.results, 1):
        for mime, data in _representations(one):
            file = folder / f"result-{number}{_ending(mime)}"
            file.write_bytes(data)
            terminal.say(f"[{mime} {human_size(len(data))}] {file}")


def human_size(size: int) -> str:
    """ "12 KB", "1.5 MB": in units of 1,000."""
    amount, unit = float(size), "B"
    for larger in ("KB", "MB", "GB", "TB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{amount:.1f} {unit}" if amount < 10 and unit != "B" else f"{amount:.0f} {unit}"


def _mention_rich(result: ExecutionResult) -> None:
    mentions = []
    for one in result.results:
        for mime, data in _representations(one):
            if mime not in _SHOWN or one.text is None:
                mentions.append(f"{mime} {human_size(len(data))}")
    if mentions:
        terminal.say(f"[{', '.join(mentions)}] (--save DIR writes them to files)")


def _notices(result: ExecutionResult) -> Iterator[str]:
    yield from result.notices
    for one in result.results:
        for mime, size in one.truncated.items():
            yield f"a result's {mime} was cut; it has {human_size(size)}"
    if result.rolled_back_to is not None:
        yield (
            f"rolled back: the state after execution {result.rolled_back_to} stands again"
            if result.rolled_back_to
            else "rolled back: the context is as it was before its first execution"
        )


def _representations(result: Result) -> Iterator[tuple[str, bytes]]:
    for mime, value in result.data.items():
        if mime != "text/plain":
            yield mime, _bytes_of(mime, value)


def _bytes_of(mime: str, value: Json) -> bytes:
    """A representation as it belongs into a file: text as UTF-8, JSON as a document, else from base64."""
    if mime == "application/json" or not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    if mime.startswith("text/") or mime.endswith(("+xml", "+json")):
        return terminal.encode(value)
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return terminal.encode(value)


def _ending(mime: str) -> str:
    import mimetypes

    return _ENDINGS.get(mime) or mimetypes.guess_extension(mime) or ".bin"
