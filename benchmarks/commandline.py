"""Whole processes: `torpor run` with warm caches, beside what a plain Python needs."""

import subprocess
import sys
from functools import partial
from pathlib import Path

from benchmarks.contestants import child_environment
from benchmarks.lab import Lab
from benchmarks.results import Series, Table
from benchmarks.timing import interleaved, stopwatch

_RUN_MS = 500.0
_RUN = "torpor run -s s -c 1+1"
_ENOUGH = 15


def commandline(lab: Lab) -> list[Table]:
    """The sandbox exists and its context has run before; each process wakes it."""
    lab.say("measuring whole processes")
    env = {**child_environment(), "TORPOR_HOME": str(lab.config.home), "TORPOR_CACHE": str(lab.config.cache)}
    commands = {
        _RUN: [str(Path(sys.executable).with_name("torpor")), "run", "-s", "s", "-c", "1+1"],
        "torpor --version": [str(Path(sys.executable).with_name("torpor")), "--version"],
        "python -c 'import torpor'": [sys.executable, "-c", "import torpor"],
        "python -c 'import pandas'": [sys.executable, "-c", "import pandas"],
        "python -c pass": [sys.executable, "-c", "pass"],
    }

    def measure(command: list[str]) -> float:
        return stopwatch(lambda: subprocess.run(command, env=env, check=True, capture_output=True))

    found = interleaved(
        {name: partial(measure, command) for name, command in commands.items()}, lab.at_least(_ENOUGH)
    )
    series = tuple(Series(name, values, _RUN_MS if name == _RUN else None) for name, values in found.items())
    return [Table("Whole processes", "ms", series, baseline=_RUN, note="Caches warm: nothing is compiled.")]
