"""Listings: a table for people, JSON for programs."""

import json
import sys
import time
from collections.abc import Sequence
from typing import Any

from torpor.cli.options import Format
from torpor.cli.terminal import printable
from torpor.wire import to_wire

#: Wide enough that nothing wraps where no terminal sets a width.
_UNBOUNDED = 10_000


def show(items: Any, output: Format, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print `items` as JSON, or the `rows` they were turned into as a table."""
    if output is Format.JSON:
        show_json(items)
    else:
        _show_table(columns, rows)


def show_json(value: Any) -> None:
    """One document on one line."""
    print(json.dumps(to_wire(value), ensure_ascii=False))


def moment(milliseconds: int | None) -> str:
    """A time in the reader's zone; "-" for none."""
    if milliseconds is None:
        return "-"
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(milliseconds / 1000))


def _show_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[number], int) for row in rows)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(str(cell))) for cell in row))
    Console(width=None if sys.stdout.isatty() else _UNBOUNDED).print(table)
