"""The command: chooses benchmarks, runs them in a home of its own, shows and writes the report."""

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import machine, render
from benchmarks.commandline import commandline
from benchmarks.compute import compute
from benchmarks.headline import headline
from benchmarks.lab import Lab, make_lab
from benchmarks.language_compute import language_compute
from benchmarks.languages import languages, long_lives
from benchmarks.longrun import longrun
from benchmarks.memory import memory
from benchmarks.results import Report, Table
from benchmarks.snapshots import snapshots
from benchmarks.storage import storage
from benchmarks.wasi_calls import wasi

BENCHMARKS: dict[str, Callable[[Lab], list[Table]]] = {
    "headline": headline,
    "memory": memory,
    "commandline": commandline,
    "snapshots": snapshots,
    "storage": storage,
    "wasi": wasi,
    "compute": compute,
    "longrun": longrun,
    "languages": languages,
    "longlives": long_lives,
    "languagecompute": language_compute,
}
_REPEAT = 15


def main(arguments: Sequence[str] | None = None) -> None:
    options = _parser().parse_args(arguments)
    before = machine.load()
    with tempfile.TemporaryDirectory(prefix="torpor-bench-", dir=options.home) as folder:
        lab = make_lab(Path(folder), options.repeat)
        tables: list[Table] = []
        for name in options.only or BENCHMARKS:
            found = BENCHMARKS[name](lab)
            tables += found
            lab.say("\n".join(render.table_text(table) for table in found) + "\n")
        report = Report(machine.describe(Path(folder), before), tuple(tables), tuple(lab.skipped))
        lab.host.close()
    print(render.text(report))
    for file, rendered in ((options.json, render.to_json), (options.markdown, render.markdown)):
        if file is not None:
            file.write_text(rendered(report))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure Torpor on this machine."
    )
    parser.add_argument(
        "--only",
        action="append",
        choices=tuple(BENCHMARKS),
        metavar="NAME",
        help=f"one of {', '.join(BENCHMARKS)}; repeatable",
    )
    parser.add_argument(
        "--repeat",
        type=int,
        default=_REPEAT,
        metavar="N",
        help=f"values per series (default {_REPEAT}; quick ones get at least 15)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all values")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the tables for docs/performance.md"
    )
    parser.add_argument(
        "--home",
        type=Path,
        metavar="FOLDER",
        help="where the sandboxes lie meanwhile: the disk that is measured",
    )
    return parser


if __name__ == "__main__":
    main()
