"""What an engine is, and how installed ones are found.

An engine is one language's Wasm build plus its guest harness: a data package that registers an
`Engine` under the entry point group `torpor.engines`, by its binding name. Nothing here knows a
language; the core treats every engine alike.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, metadata
from pathlib import Path
from typing import Protocol

from torpor.errors import EngineError, EngineNotInstalledError

GROUP = "torpor.engines"
#: The engine registered here too serves code for which nobody named one.
DEFAULT_GROUP = "torpor.default_engine"
_DISTRIBUTION = "torpor"
#: Version of the request and reply documents on the private device (docs/harness-protocol.md).
HARNESS_PROTOCOL = 1


class Guest(Protocol):
    """What an engine's driver may do to a running instance: call exports and write memory."""

    def call(self, export: str, *arguments: int) -> int | None: ...
    def write(self, address: int, data: bytes) -> None: ...
    def read(self, address: int, length: int) -> bytes: ...
    def has_export(self, export: str) -> bool: ...


class Driver(Protocol):
    """The engine's calling sequence. Both run on the guest thread and may trap."""

    def boot(self, guest: Guest) -> None:
        """Bring a fresh instance to the point where `turn` works: start-up, harness, warm-up."""

    def turn(self, guest: Guest) -> bool:
        """Have the harness serve the request that lies on its device. False: the guest is broken."""


@dataclass(frozen=True, slots=True)
class ReadOnlyMount:
    """A host file or folder of the engine package, shown read-only at a guest path."""

    guest_path: str
    host_path: Path


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """Per execution: fuel in units of 1,000 instructions. Memory: the linear memory's cap, in bytes."""

    fuel: int
    memory_bytes: int
    boot_memory_bytes: int
    boot_fuel: int
    #: Fuel beyond an execution's own, for an engine that asks `torpor.should_stop` and ends code softly
    #: (docs/harness-protocol.md). 0: it does not, and exhausted fuel is a trap.
    reserve_fuel: int = 0


@dataclass(frozen=True, slots=True)
class BlockWords:
    """How a language whose blocks are words begins and ends them: regular expressions over source, so that
    a person who types knows when a cell is whole."""

    opens: str
    closes: str


@dataclass(frozen=True, slots=True)
class Engine:
    """One language's engine.

    `preopens` are the guest's top folders in the order of their descriptors (3, 4, ...): the order
    is part of the snapshot format, because the guest's libc remembers it in its memory.
    `imports` answers what the module imports besides WASI: (module, name) -> host function over
    unsigned integers.
    """

    binding: str
    language: str
    name: str
    version: str
    wasm: Path
    #: SHA-256 of that file, pinned by the package, so that no start need read 100 MB to know it.
    wasm_digest: str
    harness: tuple[Path, ...]
    driver: Driver
    limits: EngineLimits
    preopens: tuple[str, ...]
    mounts: tuple[ReadOnlyMount, ...] = ()
    argv: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    imports: Mapping[tuple[str, str], Callable[..., int]] = field(default_factory=dict)
    #: Code that is executed once in the image, so that what a turn allocates at first is in it already.
    #: It must leave no name and no file behind.
    warm_up: tuple[str, ...] = ()
    #: Whether the harness serves "tidy" requests (docs/harness-protocol.md).
    tidies: bool = False
    file_extensions: tuple[str, ...] = ()
    #: None: blocks are brackets or indentation.
    block_words: BlockWords | None = None
    licences: Path | None = None
    #: About how long compiling the module takes, for people who wait for it.
    compile_seconds: int = 60


@cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def installed_bindings() -> tuple[str, ...]:
    """The binding names of the installed engines, sorted."""
    return tuple(sorted(_entries()))


def default_binding() -> str | None:
    """The binding of code for which nobody named one; None when no engine is installed."""
    preferred = [entry.name for entry in entry_points(group=DEFAULT_GROUP)]
    return next(iter(preferred or installed_bindings()), None)


def optional_engines() -> tuple[str, ...]:
    """What `pip install torpor[...]` may name to add engines; as Torpor's own package says."""
    try:
        return tuple(metadata(_DISTRIBUTION).get_all("Provides-Extra") or ())
    except PackageNotFoundError:
        return ()


def how_to_install(wanted: str | None = None) -> str:
    """The command that adds the engine of a binding, or those that there are."""
    names = optional_engines()
    if wanted is not None:
        names = tuple(name for name in names if name == wanted.lower())
    commands = [f"pip install '{_DISTRIBUTION}[{name}]'" for name in names]
    return " or ".join(commands) or "pip install the engine's package"


@cache
def get_engine(binding: str) -> Engine:
    """The engine of a binding. Raises EngineNotInstalledError, or EngineError when it cannot load."""
    entry = _entries().get(binding)
    if entry is None:
        have = ", ".join(installed_bindings()) or "none"
        raise EngineNotInstalledError(
            f"Unknown binding {binding!r}: no engine of that name is installed (installed: {have}). "
            f"To install one: {how_to_install(binding)}",
            context={"binding": binding},
        )
    try:
        engine = entry.load()
    except Exception as error:
        raise EngineError(
            f"The engine {binding} ({entry.value}) cannot be loaded: {error}", context={"binding": binding}
        ) from error
    if not isinstance(engine, Engine) or engine.binding != binding:
        raise EngineError(f"The entry point {entry.value} does not declare the engine {binding}")
    return engine
