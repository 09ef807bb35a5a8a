"""Compares the recorded tutorials with the real interpreters of this machine.

By hand and in CI: `python -m tests.contract.tutorials.verify [LANGUAGE...]`. The exit status is 1 when
anything differs or an interpreter is missing. TypeScript's types are taken away by node itself (22.13 or
newer) or by the npm package `typescript`, which is installed for the moment when there is none. Knows nothing
of Torpor's engines.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.contract.tutorials import SESSIONS
from tests.contract.tutorials.snippets import Given, Session, Snippet, differences

_DRIVERS = Path(__file__).parent / "real"
#: A session of some sixty snippets takes a second or two.
_SECONDS = 120.0
#: The compiler for a node that cannot take types away, and the first node that can.
_COMPILER = "typescript@5.9.3"
_STRIPS_TYPES = (22, 13)
_ADDRESS = re.compile(r"0x[0-9a-f]{8,}")


class CannotVerifyError(Exception):
    """The real interpreter is missing or broke."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """How to run a session: `command` followed by the driver and its two files. `package` is Debian's."""

    command: tuple[str, ...]
    driver: str
    package: str
    version: tuple[str, ...]
    #: Before it, the language lacks what the tutorials tell of.
    oldest: tuple[int, ...]


INTERPRETERS = {
    "JAVASCRIPT": Interpreter(("node",), "node.js", "nodejs", ("-p", "process.versions.node"), (20,)),
    "PERL": Interpreter(("perl",), "perl.pl", "perl", ("-e", "printf '%vd', $^V"), (5, 36)),
    # Old versions put the suggestions of these two into the message itself.
    "RUBY": Interpreter(
        ("ruby", "-W1", "-W:no-experimental", "--disable=did_you_mean,error_highlight"),
        "ruby.rb",
        "ruby",
        ("-e", "print RUBY_VERSION"),
        (3, 1),
    ),
}


def verify(binding: str, session: Session) -> list[str]:
    """What differs, a text for each snippet. Raises CannotVerifyError."""
    interpreter = INTERPRETERS[binding]
    version = version_of(interpreter)
    if version < interpreter.oldest:
        raise CannotVerifyError(
            f"{interpreter.command[0]} {_dotted(version)} is too old: {_dotted(interpreter.oldest)} is needed"
        )
    expected = [for_version(snippet, version) for snippet in session.snippets]
    found = []
    for snippet, given in zip(expected, run(interpreter, session), strict=True):
        unlike = differences(snippet, given, session.every_value)
        found += [f"{session.name}, {snippet.name!r}: {one}" for one in unlike]
    return found


def for_version(snippet: Snippet, version: tuple[int, ...]) -> Snippet:
    """The snippet with what an interpreter of this version gives."""
    before = next((one for one in snippet.before if version < one.change.version), None)
    if before is None:
        return snippet
    older = {name: getattr(before, name) for name in ("out", "value", "message")}
    return replace(snippet, **{name: text for name, text in older.items() if text is not None})


def version_of(interpreter: Interpreter) -> tuple[int, ...]:
    said = _output([*interpreter.command, *interpreter.version], interpreter)
    return tuple(int(number) for number in re.findall(r"\d+", said))


def run(interpreter: Interpreter, session: Session) -> list[Given]:
    """What the interpreter gives for each snippet."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results"
        results.touch()
        ended = _drive(interpreter, session, Path(folder), results)
        outcomes = [json.loads(line) for line in results.read_text().splitlines()]
    out, err = (stream.decode().split("\0") for stream in (ended.stdout, ended.stderr))
    if len(outcomes) != len(session.snippets):
        raise CannotVerifyError(
            f"{session.name}: {' '.join(interpreter.command)} ended after {len(outcomes)} of "
            f"{len(session.snippets)} snippets with status {ended.returncode}: {err[-1].strip()}"
        )
    return [
        Given(_steady(o), e, **{name: text and _steady(text) for name, text in outcome.items()})
        for o, e, outcome in zip(out, err, outcomes, strict=False)
    ]


def _drive(
    interpreter: Interpreter, session: Session, folder: Path, results: Path
) -> subprocess.CompletedProcess[bytes]:
    """The interpreter's process, run to its end in an empty folder."""
    sources, workspace = folder / "sources", folder / "workspace"
    request = {
        "sources": [snippet.source for snippet in session.snippets],
        "shows": [snippet.value is not None for snippet in session.snippets],
        "typescript": session.typescript,
    }
    sources.write_text(json.dumps(request))
    workspace.mkdir()
    environ = {**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    if session.typescript and version_of(interpreter) < _STRIPS_TYPES:
        environ |= _with_compiler(folder / "compiler", environ)
    return subprocess.run(
        [*interpreter.command, str(_DRIVERS / interpreter.driver), str(sources), str(results)],
        cwd=workspace,
        env=environ,
        capture_output=True,
        timeout=_SECONDS,
        check=False,
    )


def _with_compiler(folder: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that let node find TypeScript's compiler."""
    there = ["node", "-e", "require.resolve('typescript')"]
    if subprocess.run(there, env=environ, capture_output=True, check=False).returncode == 0:
        return {}
    install = [
        "npm",
        "install",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "--prefix",
        str(folder),
        _COMPILER,
    ]
    try:
        done = subprocess.run(install, env=environ, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise CannotVerifyError("npm is not installed: apt-get install npm") from None
    if done.returncode:
        raise CannotVerifyError(f"{_COMPILER} cannot be installed: {done.stderr.strip()}")
    return {"NODE_PATH": str(folder / "node_modules")}


def _steady(text: str) -> str:
    """Without the addresses of objects, which old versions put into messages."""
    return _ADDRESS.sub("0x...", text)


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _output(command: Sequence[str], interpreter: Interpreter) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        raise CannotVerifyError(
            f"{command[0]} is not installed: apt-get install {interpreter.package}"
        ) from None


def main(arguments: Sequence[str]) -> int:
    """Verifies the named languages, or all."""
    bindings = [argument.upper() for argument in arguments] or list(SESSIONS)
    unknown = sorted(set(bindings) - set(SESSIONS))
    if unknown:
        print(f"No tutorial for {', '.join(unknown)}: there are {', '.join(SESSIONS)}", file=sys.stderr)
        return 1
    status = 0
    for binding in bindings:
        for session in SESSIONS[binding]:
            try:
                found = verify(binding, session)
            except CannotVerifyError as error:
                found = [str(error)]
            status = status or int(bool(found))
            print("\n".join(found) or f"{session.name}: {len(session.snippets)} snippets are as recorded")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
