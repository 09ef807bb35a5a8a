"""Listings: a table for people, JSON for programs."""

import json
import time
from collections.abc import Sequence
from typing import Any, Literal

from torpor.cli import terminal
from torpor.cli.options import Format
from torpor.cli.terminal import printable
from torpor.wire import to_wire


def show(items: Any, output: Format, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print `items` as JSON, or the `rows` they were turned into as a table."""
    if output is Format.JSON:
        show_json(items)
    else:
        _show_table(columns, rows)


def show_json(value: Any) -> None:
    """One document on one line, in UTF-8 whatever the locale says."""
    text = json.dumps(to_wire(value), ensure_ascii=False)
    # A lone surrogate of a guest is no UTF-8; the replacement happens to be its escape in JSON.
    terminal.write_bytes(f"{text}\n".encode("utf-8", "backslashreplace"))


def moment(milliseconds: int | None) -> str:
    """A time in the reader's zone; "-" for none."""
    if milliseconds is None:
        return "-"
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(milliseconds / 1000))


def _show_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    cells = [[printable(str(cell)) for cell in row] for row in rows]
    numeric = [bool(rows) and all(isinstance(row[n], int) for row in rows) for n in range(len(columns))]
    if terminal.is_terminal("stdout"):
        _show_rich(columns, cells, numeric)
    else:
        _show_plain(columns, cells, numeric)


def _show_plain(columns: Sequence[str], cells: list[list[str]], numeric: list[bool]) -> None:
    """Aligned text for pipes: nothing wraps, no line ends in blanks."""
    lines = [list(columns), *cells]
    widths = [max(len(line[n]) for line in lines) for n in range(len(columns))]
    for line in lines:
        padded = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        )
        print("  ".join(padded).rstrip())


def _show_rich(columns: Sequence[str], cells: list[list[str]], numeric: list[bool]) -> None:
    """The same for people: only the last column, the longest, may wrap."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column, right in zip(columns, numeric, strict=True):
        is_last = column == columns[-1]
        justify: Literal["left", "right"] = "right" if right else "left"
        table.add_column(column, justify=justify, no_wrap=not is_last, overflow="fold")
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)
