"""The rules for what callers pass in: each function returns what it was given, or names the rule broken.

All raise ValidationFailedError before anything has changed. Knows no store and no engine.
"""

import math
import re
from collections.abc import Mapping

from torpor import limits
from torpor.errors import FileSystemError, ValidationFailedError
from torpor.limits import WorkspaceQuota
from torpor.workspace import paths

_SANDBOX_ID = re.compile(r"[A-Za-z0-9._-]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: Names that a host in front of a service would take for its own (the sandbox contract's list).
_RESERVED_IDS = frozenset({"www", "api", "admin", "root", "system", "cloudflare", "workers"})
#: Ids name directories, and these two mean other directories.
_DOT_IDS = frozenset({".", ".."})


def sandbox_id(value: str) -> str:
    """1 to 63 of letters, digits, ".", "_", "-"; no hyphen at either end; not a reserved word."""
    shown = f"Invalid sandbox id {_shorten(value)}"
    if not isinstance(value, str) or not 1 <= len(value) <= limits.MAX_SANDBOX_ID_CHARS:
        raise _broken(f"{shown}: it must be a string of 1 to {limits.MAX_SANDBOX_ID_CHARS} characters")
    if not _SANDBOX_ID.fullmatch(value):
        raise _broken(f"{shown}: only letters, digits, '.', '_' and '-' are allowed")
    if value.startswith("-") or value.endswith("-"):
        raise _broken(f"{shown}: it may not begin or end with a hyphen")
    if value.lower() in _RESERVED_IDS or value in _DOT_IDS:
        raise _broken(f"{shown}: {value!r} is reserved")
    return value


def binding(value: str) -> str:
    """A letter or "_", then letters, digits and "_". Whether it is installed is for `engines` to say."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise _broken(
            f"Invalid binding name {_shorten(value)}: it must be a letter or '_' "
            "followed by letters, digits and '_'"
        )
    return value


def required_binding(value: str | None) -> str:
    """A binding where no context is named."""
    if value is None:
        raise _broken("Pass a context or a binding")
    return binding(value)


def same_binding(given: str | None, actual: str) -> None:
    """A call that names both a context and a binding must mean the same."""
    if given is not None and given != actual:
        raise _broken(f"The context belongs to binding {actual!r}, not {given!r}; pass only one of the two")


def env_vars(values: Mapping[str, str]) -> dict[str, str]:
    """Environment variables as a context is created with: every value a string."""
    checked = env_changes(values)
    for key, value in checked.items():
        if value is None:
            raise _broken(f"Invalid envVars value of {key!r}: None (unset) is not possible here")
    return {key: value for key, value in checked.items() if value is not None}


def env_changes(values: Mapping[str, str | None]) -> dict[str, str | None]:
    """Changes to environment variables: None unsets one. Counts and bytes are limited."""
    if not isinstance(values, Mapping):
        raise _broken("envVars must be a mapping of names to strings")
    if len(values) > limits.MAX_ENV_VARS:
        raise _broken(f"{len(values)} envVars were given; at most {limits.MAX_ENV_VARS} are allowed")
    size = sum(_env_bytes(key, value) for key, value in values.items())
    if size > limits.MAX_ENV_BYTES:
        raise _broken(f"The envVars have {size} bytes; at most {limits.MAX_ENV_BYTES} are allowed")
    return dict(values)


def merged_env(*layers: Mapping[str, str | None]) -> dict[str, str]:
    """Layers of environment variables, later ones winning, None removing; the limits hold for the whole."""
    merged: dict[str, str | None] = {}
    for layer in layers:
        merged.update(layer)
    return env_vars({key: value for key, value in merged.items() if value is not None})


def code(value: str) -> str:
    """Code to run: text that is not blank and has at most 64 KiB of UTF-8."""
    if not isinstance(value, str) or not value.strip():
        raise _broken("code is required: a string that is not blank")
    size = _utf8_length(value, "code")
    if size > limits.MAX_CODE_BYTES:
        raise _broken(
            f"The code has {size} bytes; at most {limits.MAX_CODE_BYTES} are allowed "
            "(write the rest to a file in /workspace and load it from there)"
        )
    return value


def cwd(value: str, quota: WorkspaceQuota) -> str:
    """A working directory under /workspace, absolute and normalised; it need not exist."""
    try:
        return paths.absolute(paths.normalise(value, quota, operation="code.context.create"))
    except FileSystemError as error:
        raise _broken(f"Invalid cwd: {error.message}") from None


def stdin(value: str | bytes | None) -> bytes:
    """What the guest reads from its standard input: text as UTF-8, nothing for None."""
    if value is None:
        return b""
    if isinstance(value, str):
        _utf8_length(value, "stdin")
        value = value.encode()
    if not isinstance(value, bytes):
        raise _broken("stdin must be a string or bytes")
    if len(value) > limits.MAX_STDIN_BYTES:
        raise _broken(f"stdin has {len(value)} bytes; at most {limits.MAX_STDIN_BYTES} are allowed")
    return value


def timeout(value: float) -> float:
    """Seconds of wall-clock time: a finite number above zero."""
    if not _is_number(value) or not math.isfinite(value) or value <= 0:
        raise _broken(f"Invalid timeout {_shorten(value)}: it must be a number of seconds above zero")
    return float(value)


def fuel(value: int, highest: int) -> int:
    """Fuel of one execution: a whole number from 1 to what is configured; a call may only lower it."""
    return _lowered("fuel", value, highest, "TORPOR_FUEL")


def memory(value: int, highest: int) -> int:
    """Cap of the guest's memory in bytes: from 1 to what is configured; a call may only lower it."""
    return _lowered("memory", value, highest, "TORPOR_MEMORY")


def _lowered(what: str, value: int, highest: int, setting: str) -> int:
    if not _is_number(value) or value != int(value) or not 1 <= value <= highest:
        raise _broken(
            f"Invalid {what} {_shorten(value)}: it must be a whole number from 1 to {highest} "
            f"({setting} sets the upper end)"
        )
    return int(value)


def _env_bytes(key: str, value: str | None) -> int:
    if not isinstance(key, str) or not _NAME.fullmatch(key):
        raise _broken(
            f"Invalid envVars key {_shorten(key)}: it must be a letter or '_' "
            "followed by letters, digits and '_'"
        )
    if value is None:
        return len(key)
    if not isinstance(value, str) or "\0" in value:
        raise _broken(f"Invalid envVars value of {_shorten(key)}: it must be a string without NUL characters")
    return len(key) + _utf8_length(value, f"envVars value of {_shorten(key)}")


def _utf8_length(text: str, what: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        raise _broken(f"Invalid {what}: it contains text that is not valid Unicode") from None


def _is_number(value: object) -> bool:
    # isfinite first: int() of an infinity or a NaN raises.
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _shorten(value: object) -> str:
    text = repr(value)
    return (
        text if len(text) <= limits.MAX_SANDBOX_ID_CHARS + 2 else text[: limits.MAX_SANDBOX_ID_CHARS] + "..."
    )


def _broken(message: str) -> ValidationFailedError:
    return ValidationFailedError(message)
