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
    """The binding asked for, or the file ending's, or the configured one, or the default.

    Raises EngineNotInstalledError for a file whose ending belongs to no installed engine, unless a binding
    is configured: what the default engine would make of another language helps nobody.
    """
    if asked is not None:
        return asked
    ending = "" if file is None else file.suffix.lower()
    return (ending and _binding_of_ending(ending, config)) or default_binding(config)


def default_binding(config: Config) -> str:
    """The configured binding, or the installed default. Raises EngineNotInstalledError without any."""
    from torpor import engines

    found = config.binding or engines.default_binding()
    if found is None:
        raise EngineNotInstalledError(f"No engine is installed: {engines.how_to_install()}")
    return found


def _binding_of_ending(ending: str, config: Config) -> str | None:
    from torpor import engines

    for name in engines.installed_bindings():
        if ending in engines.get_engine(name).file_extensions:
            return name
    if config.binding is not None:
        return None
    have = ", ".join(engines.installed_bindings())
    raise EngineNotInstalledError(
        f"No installed engine runs {ending} files (installed: {have}). Install the one that does: "
        f"{engines.how_to_install()}; or name a binding (-b)"
    )


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
