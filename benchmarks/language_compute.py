"""How fast the guests of the other languages compute, beside the interpreters of this machine."""

import shutil
import subprocess
from functools import partial

import torpor
from benchmarks.lab import Lab
from benchmarks.language_programs import LANGUAGES, PROGRAMS, Program, timed
from benchmarks.results import Series, Table
from benchmarks.timing import Measure, interleaved

_ENOUGH = 15
_SECONDS = 60


def language_compute(lab: Lab) -> list[Table]:
    """One table a language and program. An interpreter that is not installed is skipped aloud."""
    lab.say("measuring computation in every language")
    return [_table(lab, binding, program) for binding in LANGUAGES for program in PROGRAMS]


def _table(lab: Lab, binding: str, program: Program) -> Table:
    name, *options = LANGUAGES[binding].native
    found = shutil.which(name)
    contestants: dict[str, Measure] = {"Torpor": partial(_in_guest, lab, binding, program)}
    if found is None:
        lab.skip(f"{name} is not installed")
    else:
        contestants[name] = partial(_native, (found, *options), binding, program)
    series = tuple(Series(n, values) for n, values in interleaved(contestants, lab.at_least(_ENOUGH)).items())
    return Table(f"Computing in {binding}: {program.title}", "ms", series, baseline=name)


def _in_guest(lab: Lab, binding: str, program: Program) -> float:
    """In fresh memory each time: what one run leaves behind is not the next one's burden."""
    result = torpor.run_code(binding, timed(program, binding), config=lab.config)
    return float(result.text or "nan")


def _native(command: tuple[str, ...], binding: str, program: Program) -> float:
    """The time that the work took inside a process of its own; starting it is not part of it."""
    *work, took = timed(program, binding).splitlines()
    printing = LANGUAGES[binding].printing.replace("{check}", took)
    return float(_output(command, "\n".join((*work, printing))))


def _output(command: tuple[str, ...], code: str) -> str:
    ended = subprocess.run(
        [*command, "-"], input=code, capture_output=True, text=True, timeout=_SECONDS, check=True
    )
    return ended.stdout
