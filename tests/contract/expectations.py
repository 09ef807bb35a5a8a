"""Declarative cases for an engine, and the comparison with what an execution gave.

A case is a few steps in one new context; its expectation is about the last step, and all earlier
ones must succeed unless the case says otherwise. Knows only `torpor.models`, so the same tables can
be run through any surface that yields an `ExecutionResult`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from torpor.models import ExecutionResult


class Anything:
    """The default of every expectation: not looked at."""

    def __repr__(self) -> str:
        return "ANY"


ANY: Any = Anything()


@dataclass(frozen=True, slots=True)
class Step:
    """Code with the input, the environment and the limits of its execution (None: the engine's)."""

    code: str
    stdin: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    fuel: int | None = None
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Expect:
    """What the last step must give. `*_has` are texts that must be contained, the rest is exact.

    `text`, `json`, `formats` and `truncated` are about the value of the last expression; `shown`
    counts the results that were displayed besides it. `output` is stdout and stderr as written, in order.
    """

    text: Any = ANY
    text_has: tuple[str, ...] = ()
    text_lacks: tuple[str, ...] = ()
    json: Any = ANY
    formats: Any = ANY
    truncated: Any = ANY
    shown: Any = ANY
    shown_formats: Any = ANY
    shown_texts: Any = ANY
    stdout: Any = ANY
    stderr: Any = ANY
    stdout_has: tuple[str, ...] = ()
    stderr_has: tuple[str, ...] = ()
    output: Any = ANY
    error: Any = None
    message: Any = ANY
    message_has: tuple[str, ...] = ()
    traceback: Any = ANY
    traceback_has: tuple[str, ...] = ()
    traceback_lacks: tuple[str, ...] = ()
    line: Any = ANY
    exit_status: Any = None
    cwd: Any = ANY


@dataclass(frozen=True, slots=True)
class Case:
    """`files` are written to /workspace before the first step (path -> text)."""

    name: str
    steps: tuple[str | Step, ...]
    expect: Expect
    files: Mapping[str, str] = field(default_factory=dict)
    may_fail_before: bool = False


def step_of(step: str | Step) -> Step:
    return step if isinstance(step, Step) else Step(step)


def observed(result: ExecutionResult) -> dict[str, Any]:
    """The result under the names of `Expect`'s fields."""
    value = next((one for one in result.results if one.is_value), None)
    shown = [one for one in result.results if not one.is_value]
    error = result.error
    return {
        "text": value.text if value else None,
        "json": value.data.get("application/json", "no json") if value else None,
        "formats": tuple(sorted(value.data)) if value else None,
        "truncated": dict(value.truncated) if value else None,
        "shown": len(shown),
        "shown_formats": tuple(tuple(sorted(one.data)) for one in shown),
        "shown_texts": tuple(one.text for one in shown),
        "stdout": "".join(chunk.text for chunk in result.logs.chunks if chunk.stream == "stdout"),
        "stderr": "".join(chunk.text for chunk in result.logs.chunks if chunk.stream == "stderr"),
        "output": "".join(chunk.text for chunk in result.logs.chunks),
        "error": error.name if error else None,
        "message": error.message if error else None,
        "traceback": tuple(error.traceback) if error else None,
        "line": error.line_number if error else None,
        "exit_status": result.exit_status,
        "cwd": result.context.cwd if result.context else None,
    }


def differences(expect: Expect, result: ExecutionResult) -> list[str]:
    """What is not as expected, in words; empty when all is."""
    seen = observed(result)
    seen["traceback"] = seen["traceback"] or ()
    found = []
    for one in fields(expect):
        wanted = getattr(expect, one.name)
        name, _, how = one.name.rpartition("_")
        if how in ("has", "lacks"):
            whole = "\n".join(seen[name]) if name == "traceback" else str(seen[name])
            found += [
                f"{name}: {part!r} is {'missing' if how == 'has' else 'there'} in {whole!r}"
                for part in wanted
                if (part in whole) != (how == "has")
            ]
        elif wanted is not ANY and seen[one.name] != wanted:
            found.append(f"{one.name}: expected {wanted!r}, found {seen[one.name]!r}")
    if found and seen["error"] and expect.error is None:
        found += ["the error was:", *seen["traceback"]]
    return found
