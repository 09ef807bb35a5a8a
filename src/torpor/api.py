"""The functions of `import torpor`: which sandbox, on which configuration."""

from collections.abc import Iterable

from torpor.config import Config
from torpor.sandbox import machine
from torpor.sandbox.host import host_for
from torpor.sandbox.machine import Check, EngineDescription, EngineProgress
from torpor.sandbox.sandbox import Sandbox, get_sandbox, import_sandbox, list_sandboxes, run_code

__all__ = [
    "Check",
    "EngineDescription",
    "Sandbox",
    "compile_engines",
    "describe_engines",
    "doctor",
    "get_sandbox",
    "import_sandbox",
    "list_sandboxes",
    "run_code",
]


def describe_engines(config: Config | None = None) -> tuple[EngineDescription, ...]:
    """The installed engines by binding."""
    return machine.describe_engines(host_for(config))


def compile_engines(
    bindings: Iterable[str] | None = None,
    progress: EngineProgress | None = None,
    config: Config | None = None,
) -> tuple[str, ...]:
    """Make engines ready ahead of their first use (all when None); about a minute each, once."""
    return machine.compile_engines(host_for(config), bindings, progress)


def doctor(config: Config | None = None) -> tuple[Check, ...]:
    """Whether this machine has what Torpor needs."""
    return machine.doctor(host_for(config))
