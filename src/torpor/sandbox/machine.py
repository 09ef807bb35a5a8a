"""What a person may want to know of this machine before anything runs: engines, and whether it is fit."""

import platform
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from torpor.engines import get_engine, how_to_install, installed_bindings
from torpor.errors import SandboxError
from torpor.limits import GIB
from torpor.sandbox.host import EmbeddedHost

#: (binding, fraction done or None when unknown, what is going on)
EngineProgress = Callable[[str, float | None, str], None]

_ENOUGH_DISK = 2 * GIB


@dataclass(frozen=True, slots=True)
class EngineDescription:
    """An installed engine. `wasm_bytes` is the size of its module, `compiled` whether it starts at once."""

    binding: str
    language: str
    engine: str
    version: str
    build: str
    wasm_bytes: int
    compiled: bool


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    ok: bool
    detail: str


def describe_engines(host: EmbeddedHost) -> tuple[EngineDescription, ...]:
    """The installed engines by binding. Raises EngineError when one cannot be loaded."""
    return tuple(_describe(host, binding) for binding in installed_bindings())


def _describe(host: EmbeddedHost, binding: str) -> EngineDescription:
    engine, engine_host = get_engine(binding), host.runtime.host(binding)
    return EngineDescription(
        binding=binding,
        language=engine.language,
        engine=engine.name,
        version=engine.version,
        build=engine_host.build,
        wasm_bytes=engine.wasm.stat().st_size,
        compiled=engine_host.is_compiled(),
    )


def compile_engines(
    host: EmbeddedHost, bindings: Iterable[str] | None = None, progress: EngineProgress | None = None
) -> tuple[str, ...]:
    """Make engines ready ahead of their first use (all when None); the bindings made ready.

    `progress` is called only while something is compiled, about once a second.
    """
    chosen = tuple(installed_bindings() if bindings is None else bindings)
    for binding in chosen:
        host.runtime.prepare(binding, _reporter(binding, progress) if progress else None)
    return chosen


def _reporter(binding: str, progress: EngineProgress) -> Callable[[float], None]:
    engine = get_engine(binding)

    def report(seconds: float) -> None:
        took = f"{seconds:.0f} s of about {engine.compile_seconds}"
        progress(binding, None, f"compiling {engine.name}, once for this machine ({took})")

    return report


def doctor(host: EmbeddedHost) -> tuple[Check, ...]:
    """Whether this machine has what Torpor needs, and which of its faster ways work here."""
    return (
        Check("python", sys.version_info >= (3, 11), platform.python_version()),
        Check("platform", True, f"{platform.system()} {platform.release()} on {platform.machine()}"),
        _check("engines", lambda: _engines(host)),
        _check("changed pages", _changed_pages),
        Check("sqlite", sqlite3.sqlite_version_info >= (3, 35), sqlite3.sqlite_version),
        _check("home", lambda: _writable(host.config.home)),
        _check("cache", lambda: _writable(host.config.cache)),
    )


def _check(name: str, examine: Callable[[], str]) -> Check:
    try:
        return Check(name, True, examine())
    except (SandboxError, OSError) as error:
        return Check(name, False, str(error))


def _engines(host: EmbeddedHost) -> str:
    found = describe_engines(host)
    if not found:
        raise OSError(f"no engine is installed: {how_to_install()}")
    return ", ".join(f"{e.binding} ({'compiled' if e.compiled else 'not compiled yet'})" for e in found)


def _changed_pages() -> str:
    """The way in use, and why those before it in the ladder are not."""
    from torpor.wasm import dirty

    best = dirty.best_tracker()
    passed_over = dirty.TRACKERS[: dirty.TRACKERS.index(best)]
    reasons = "".join(f"; not {name}: {dirty.why_not(name)}" for name in passed_over)
    return best + reasons


def _writable(folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        free = shutil.disk_usage(folder).free
    if free < _ENOUGH_DISK:
        raise OSError(f"{folder} has only {free / GIB:.1f} GiB free; {_ENOUGH_DISK // GIB} GiB are needed")
    return f"{folder} ({free / GIB:.0f} GiB free)"
