"""Settings: what a person may change, where it is read from, and its default.

The only module that reads environment variables. `Config.from_environment()` reads them once, at
the outermost layer; everything else receives values. docs/configuration.md is checked against
`SETTINGS` by a test.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import platformdirs

from torpor import limits
from torpor.errors import ValidationFailedError
from torpor.limits import WorkspaceQuota


@dataclass(frozen=True, slots=True)
class Setting:
    """One environment variable: the `Config` field (or the quota's) it sets, and how it is read."""

    variable: str
    field: str
    parse: Callable[[str], Any]
    description: str


def parse_duration(text: str) -> float:
    """Seconds from "30", "30s", "500ms", "5m", "2h" or "7d"."""
    units = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "": 1.0}
    number, unit = _split_unit(text)
    if number < 0 or unit not in units:
        raise ValidationFailedError(
            f"{text!r} is not a duration: write a number with ms, s, m, h or d, such as 30s"
        )
    return number * units[unit]


def parse_size(text: str) -> int:
    """Bytes from "4096", "64KiB", "10MB" or "1GiB"."""
    units = {"": 1, "b": 1, "kb": 1000, "mb": 10**6, "gb": 10**9}
    units |= {"kib": limits.KIB, "mib": limits.MIB, "gib": limits.GIB}
    number, unit = _split_unit(text)
    if number < 0 or unit.lower() not in units:
        raise ValidationFailedError(f"{text!r} is not a size: write bytes or a number with KiB, MiB or GiB")
    return int(number * units[unit.lower()])


def parse_count(text: str) -> int:
    """A whole number of at least zero."""
    if not text.strip().isdecimal():
        raise ValidationFailedError(f"{text!r} is not a whole number")
    return int(text)


def _split_unit(text: str) -> tuple[float, str]:
    text = text.strip()
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    try:
        number = float(digits)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e18:
        return -1.0, ""
    return number, text[len(digits) :].strip()


SETTINGS: tuple[Setting, ...] = (
    Setting("TORPOR_HOME", "home", Path, "where sandboxes are kept"),
    Setting("TORPOR_CACHE", "cache", Path, "compiled engines and base images; may be deleted at any time"),
    Setting(
        "TORPOR_BINDING", "binding", str, "the binding of code that names none; else the installed default"
    ),
    Setting("TORPOR_TIMEOUT", "timeout", parse_duration, "wall-clock time of one execution"),
    Setting("TORPOR_LEASE", "lease", parse_duration, "how long to wait for another process in a sandbox"),
    Setting(
        "TORPOR_IDLE_TTL", "idle_ttl", parse_duration, "unused sandboxes are removed after this; 0: never"
    ),
    Setting("TORPOR_FUEL", "fuel", parse_count, "fuel of one execution; the engine's when unset"),
    Setting("TORPOR_MEMORY", "memory", parse_size, "cap of a guest's memory; the engine's when unset"),
    Setting("TORPOR_FILE_BYTES", "quota.file_bytes", parse_size, "largest file in /workspace"),
    Setting("TORPOR_WORKSPACE_BYTES", "quota.total_bytes", parse_size, "all files of /workspace together"),
    Setting("TORPOR_WORKSPACE_ENTRIES", "quota.entries", parse_count, "names in /workspace"),
    Setting("TORPOR_RESIDENT", "resident", parse_count, "live contexts one process keeps in memory"),
    Setting(
        "TORPOR_DIRTY_PAGES",
        "dirty_pages",
        str,
        "force one way of finding changed pages",
    ),
)


@dataclass(frozen=True, slots=True)
class Config:
    """Effective settings. Durations are seconds, sizes bytes; None means the engine's own default."""

    home: Path
    cache: Path
    binding: str | None = None
    timeout: float = limits.DEFAULT_TIMEOUT_SECONDS
    lease: float = limits.DEFAULT_LEASE_SECONDS
    idle_ttl: float = limits.DEFAULT_IDLE_TTL_SECONDS
    fuel: int | None = None
    memory: int | None = None
    resident: int = limits.DEFAULT_RESIDENT_CONTEXTS
    dirty_pages: str | None = None
    quota: WorkspaceQuota = field(default_factory=WorkspaceQuota)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> "Config":
        """The defaults overridden by `environ` (the process environment when None).

        Raises ValidationFailedError naming the variable when a value cannot be read.
        """
        environ = os.environ if environ is None else environ
        values: dict[str, Any] = {
            "home": Path(platformdirs.user_data_dir("torpor", appauthor=False)),
            "cache": Path(platformdirs.user_cache_dir("torpor", appauthor=False)),
        }
        quota: dict[str, Any] = {}
        for setting in SETTINGS:
            text = environ.get(setting.variable, "")
            if not text:
                continue
            try:
                value = setting.parse(text)
            except ValidationFailedError as error:
                raise ValidationFailedError(f"{setting.variable}: {error.message}") from None
            group, _, name = setting.field.rpartition(".")
            (quota if group else values)[name] = value
        return cls(**values, quota=WorkspaceQuota(**quota))


assert {s.field.split(".")[0] for s in SETTINGS} <= {f.name for f in fields(Config)}
