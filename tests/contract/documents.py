"""Executes what documents show: console sessions, and `>>>` sessions in this process or in a guest."""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import torpor

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_checker = doctest.OutputChecker()


@dataclass(frozen=True)
class Example:
    """Something to enter and the output that the document shows for it; "..." stands for anything."""

    source: str
    shown: str

    def check(self, output: str) -> None:
        assert _checker.check_output(self.shown, output, _FLAGS), (
            f"{self.source}\nshould give:\n{self.shown}\nbut gave:\n{output}"
        )


def blocks(document: Path, language: str) -> tuple[str, ...]:
    """The contents of the fenced blocks of one language."""
    return tuple(text for name, text in _BLOCK.findall(document.read_text()) if name == language)


def languages(document: Path) -> set[str]:
    return {name for name, _ in _BLOCK.findall(document.read_text())}


def console_examples(block: str) -> Iterator[Example]:
    """The commands after "$ ", each with the lines that follow it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield Example(command, shown)


def python_examples(block: str) -> list[Example]:
    return [Example(e.source, e.want) for e in doctest.DocTestParser().get_examples(block)]


def run_console(examples: Iterator[Example], folder: Path, environ: Mapping[str, str]) -> None:
    """Each command in a shell of its own, in `folder`. Both streams count, in the order of writing."""
    tools = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for example in examples:
        ended = subprocess.run(
            ["bash", "-c", example.source.replace("uv run torpor", "torpor")],
            cwd=folder, env={**os.environ, **environ, "PATH": tools},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        example.check(ended.stdout)


def run_here(block: str, name: str) -> None:
    """A `>>>` session as one Python program of this process."""
    test = doctest.DocTestParser().get_doctest(block, {}, name, name, 0)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=_FLAGS).run(test, out=report.append)
    assert not report, "".join(report)


def run_in_guest(examples: list[Example], sandbox: torpor.Sandbox) -> None:
    """Each example as one execution in the sandbox's Python context."""
    for example in examples:
        result = sandbox.interpreter.run_code(example.source, binding="PYTHON")
        output = "".join(chunk.text for chunk in result.logs.chunks)
        output += "".join(f"{one.text}\n" for one in result.results if one.text is not None)
        if result.error is not None:
            output += ": ".join(filter(None, (result.error.name, result.error.message))) + "\n"
        example.check(output)
