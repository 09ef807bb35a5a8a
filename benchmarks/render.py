"""A report as text for the terminal, Markdown for the documentation, JSON for programs. Pure."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from benchmarks.results import Machine, Report, Series, Table

_HEADER = ("", "median", "min", "max", "n", "ratio", "target")
_THOUSAND = 1000
_GIB = 1024**3


def number(value: float) -> str:
    """Three significant digits, whole from a hundred on."""
    if value == 0:
        return "0"
    if abs(value) >= _THOUSAND:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 1 else f"{value:.2g}"


def table_text(table: Table) -> str:
    rows = [_HEADER, *(_cells(table, series) for series in table.series)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADER))]
    lines = [f"{table.title} ({table.unit})"]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join([*lines, f"  {table.note}"] if table.note else lines)


def _cells(table: Table, series: Series) -> tuple[str, ...]:
    ratio = table.ratio(series)
    shown = (series.median, series.low, series.high)
    return (
        series.label,
        *(number(value) for value in shown),
        str(series.count),
        "" if ratio is None else f"{number(ratio)}x",
        _target(series),
    )


def _target(series: Series) -> str:
    if series.target is None:
        return ""
    return f"<= {number(series.target)}: {'met' if series.met else 'MISSED'}"


def machine_lines(machine: Machine) -> tuple[str, ...]:
    before, after = (" ".join(str(v) for v in load) for load in (machine.load_before, machine.load_after))
    hardware = [f"{machine.cpu}, {machine.cores} cores", f"{machine.memory_bytes / _GIB:.0f} GiB"]
    return (
        f"{', '.join(hardware)}{f', {machine.virtual}' if machine.virtual else ''}",
        f"{machine.kernel}, {machine.disk}; changed pages found by {machine.dirty_pages}",
        f"Python {machine.python}, wasmtime {machine.wasmtime}, Torpor {machine.torpor}",
        f"{machine.date}; load averages before {before}, after {after}",
    )


def text(report: Report) -> str:
    parts = ["\n".join(machine_lines(report.machine)), *(table_text(table) for table in report.tables)]
    return "\n\n".join([*parts, *_skipped(report.skipped)])


def _skipped(skipped: Sequence[str]) -> list[str]:
    return ["Not measured:\n" + "\n".join(f"  {reason}" for reason in skipped)] if skipped else []


def markdown(report: Report) -> str:
    parts = ["\n".join(f"- {line}" for line in machine_lines(report.machine))]
    parts += [_markdown_table(table) for table in report.tables]
    if report.skipped:
        parts.append("**Not measured**\n\n" + "\n".join(f"- {reason}" for reason in report.skipped))
    return "\n\n".join(parts) + "\n"


def _markdown_table(table: Table) -> str:
    """Columns that no row fills are left out."""
    rows = [_HEADER, *(_cells(table, series) for series in table.series)]
    kept = [i for i in range(len(_HEADER)) if i < len(_HEADER) - 2 or any(row[i] for row in rows[1:])]
    lines = ["| " + " | ".join(_escape(row[i]) for i in kept) + " |" for row in rows]
    rule = "|---" + "|--:" * (len(kept) - 1) + "|"
    note = f"\n\n{table.note}" if table.note else ""
    return f"**{table.title}** ({table.unit})\n\n" + "\n".join([lines[0], rule, *lines[1:]]) + note


def _escape(cell: str) -> str:
    return cell.replace("|", "\\|")


def to_json(report: Report) -> str:
    """The report with all its values and the medians."""
    document = asdict(report)
    for table, shown in zip(report.tables, document["tables"], strict=True):
        for series, row in zip(table.series, shown["series"], strict=True):
            row["median"] = series.median
    return json.dumps(document, indent=1)
