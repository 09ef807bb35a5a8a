"""What several commands take: KEY=VALUE pairs, durations, sizes, source code, a binding.

Each parser raises ValidationFailedError that names the option.
"""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from torpor.config import Config, parse_count, parse_duration, parse_size
from torpor.errors import EngineNotInstalledError, ValidationFailedError

_T = TypeVar("_T")
#: As a file name, it means the process's own standard input (or output).
DASH = "-"


class Format(StrEnum):
    """How a listing is printed."""

    TABLE = "table"
    JSON = "json"


Output = Annotated[Format, typer.Option("-o", "--output", help="How to print it.")]
SandboxId = Annotated[str, typer.Argument(metavar="SANDBOX", help="The sandbox's id.")]
Binding = Annotated[
    str | None,
    typer.Option("-b", "--binding", metavar="NAME", help="The engine's binding, as `engines ls` lists it."),
]
EnvVars = Annotated[
    list[str] | None,
    typer.Option("-e", "--env", metavar="KEY=VALUE", help="An environment variable; repeatable."),
]


@dataclass(frozen=True, slots=True)
class Source:
    """Code to run, and the file it came from."""

    code: str
    file: Path | None = None


def pairs(texts: Iterable[str] | None, option: str = "--env") -> dict[str, str]:
    """ "K=V" texts as a mapping; the last of a key wins."""
    found = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals:
            raise ValidationFailedError(f"{option} {text!r}: write KEY=VALUE")
        found[key] = value
    return found


def duration(text: str | None, option: str) -> float | None:
    return None if text is None else _parsed(parse_duration, text, option)


def size(text: str | None, option: str) -> int | None:
    return None if text is None else _parsed(parse_size, text, option)


def count(text: str | None, option: str) -> int | None:
    return None if text is None else _parsed(parse_count, text, option)


def read_source(code: str | None, file: str | None, stdin_taken: bool) -> Source:
    """The code of `-c CODE`, of FILE, or of standard input for "-". Exactly one must be given."""
    if (code is None) == (file is None):
        raise ValidationFailedError("Give the code in one way: -c CODE, FILE, or - for standard input")
    if code is not None:
        return Source(code)
    assert file is not None
    if file == DASH:
        if stdin_taken:
            raise ValidationFailedError("Standard input cannot be both the code and --stdin")
        return Source(_decoded(sys.stdin.buffer.read(), "standard input"))
    return Source(_decoded(Path(file).read_bytes(), file), Path(file))


def read_bytes(file: str) -> bytes:
    """A local file's bytes; standard input's for "-"."""
    return sys.stdin.buffer.read() if file == DASH else Path(file).read_bytes()


def pick_binding(asked: str | None, file: Path | None, config: Config) -> str:
    """The binding asked for, or the file ending's, or the configured one, or the first installed."""
    if asked is not None:
        return asked
    by_ending = None if file is None else _binding_of_ending(file.suffix)
    return by_ending or default_binding(config)


def default_binding(config: Config) -> str:
    """The configured binding, or the first installed. Raises EngineNotInstalledError without any."""
    from torpor.engines import installed_bindings

    if config.binding is not None:
        return config.binding
    installed = installed_bindings()
    if not installed:
        raise EngineNotInstalledError("No engine is installed: install one of the torpor-engine-* packages")
    return installed[0]


def _binding_of_ending(ending: str) -> str | None:
    from torpor.engines import get_engine, installed_bindings

    if not ending:
        return None
    names = installed_bindings()
    return next((name for name in names if ending.lower() in get_engine(name).file_extensions), None)


def _parsed(parse: Callable[[str], _T], text: str, option: str) -> _T:
    try:
        return parse(text)
    except ValidationFailedError as error:
        raise ValidationFailedError(f"{option}: {error.message}") from None


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise ValidationFailedError(f"{name} is not UTF-8 text") from None
