"""Completes the name under the cursor: names, attributes, string keys, modules, keywords.

Looks without touching: properties are not run, and only plain dicts are asked for keys.
"""

import builtins
import keyword
import pkgutil
import re
import sys
from collections.abc import Iterable
from typing import Any

from torpor_engine_python.harness.natives import is_a

MOST = 500
_WORDS = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*\.?$|\.?$", re.UNICODE)
_KEY = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*)\[(['\"])([^'\"]*)$")
_IMPORT = re.compile(r"^\s*(?:import\s+(?:[\w.]+\s*,\s*)*|from\s+)([\w.]*)$")
_FROM = re.compile(r"^\s*from\s+([\w.]+)\s+import\s+(?:\w+\s*,\s*)*(\w*)$")
_missing = object()


def complete(code: str, cursor: int, names: dict[str, Any]) -> tuple[list[str], int]:
    """(matches, where in `code` they begin). Matches replace everything from there to the cursor."""
    before = code[:cursor]
    line = before.rpartition("\n")[2]
    for attempt in (complete_import, complete_key, complete_word):
        found = attempt(line, names)
        if found is not None:
            matches, stem = found
            fitting = sorted({match for match in matches if match.startswith(stem)}, key=order)
            return fitting[:MOST], cursor - len(stem)
    return [], cursor


def order(name: str) -> tuple[bool, bool, str]:
    """Private names last."""
    tail = name.rpartition(".")[2]
    return tail.startswith("__"), tail.startswith("_"), name


Found = tuple[Iterable[str], str] | None


def complete_import(line: str, names: dict[str, Any]) -> Found:  # noqa: ARG001
    if match := _FROM.match(line):
        module = sys.modules.get(match[1])
        return ([*visible(module), *submodules(match[1])] if module else submodules(match[1])), match[2]
    if match := _IMPORT.match(line):
        package, dot, _ = match[1].rpartition(".")
        return [f"{package}{dot}{name}" for name in submodules(package)], match[1]
    return None


def submodules(package: str) -> list[str]:
    """Top-level modules, or those inside a package that was imported already."""
    path = None if not package else getattr(sys.modules.get(package), "__path__", [])
    try:
        found = {module.name for module in pkgutil.iter_modules(path)}
    except Exception:  # noqa: BLE001 - a user's importer may do anything
        found = set()
    if not package:
        found.update(name for name in sys.builtin_module_names if "." not in name)
    return sorted(found)


def complete_key(line: str, names: dict[str, Any]) -> Found:
    match = _KEY.search(line)
    if not match:
        return None
    owner = look_up(match[1].split("."), names)
    keys: Iterable[Any] = ()
    if is_a(owner, dict):
        keys = tuple(dict.keys(owner))
    elif "pandas" in sys.modules and is_a(owner, sys.modules["pandas"].DataFrame):
        keys = tuple(owner.columns)
    return [key for key in keys if is_a(key, str)], match[3]


def complete_word(line: str, names: dict[str, Any]) -> Found:
    match = _WORDS.search(line)
    stem = match[0] if match else ""
    *owners, last = stem.split(".")
    if not owners:
        known = [*names, *vars(builtins), *keyword.kwlist, *keyword.softkwlist]
        return ([name for name in known if is_a(name, str)], last) if last else ([], "")
    owner = look_up(owners, names)
    return ([] if owner is _missing else visible(owner)), last


def look_up(path: list[str], names: dict[str, Any]) -> Any:
    """The object a dotted name stands for, without running anything of the user's."""
    value = names.get(path[0], getattr(builtins, path[0], _missing)) if path[0] else _missing
    for name in path[1:]:
        value = static_attribute(value, name)
    return value


def static_attribute(owner: Any, name: str) -> Any:
    if owner is _missing:
        return _missing
    own = own_names(owner)
    if name in own:
        return own[name]
    for base in type.mro(owner) if type(owner) is type else type(owner).__mro__:
        if name in base.__dict__:
            value = base.__dict__[name]
            return _missing if hasattr(type(value), "__get__") and not callable(value) else value
    return _missing


def own_names(owner: Any) -> dict[str, Any]:
    try:
        own = object.__getattribute__(owner, "__dict__")
    except Exception:  # noqa: BLE001
        return {}
    return dict(own) if not is_a(owner, type) else dict(vars(owner))


def visible(owner: Any) -> list[str]:
    """Names of the object and of its classes; like `dir`, but `__dir__` is not asked."""
    names = set(own_names(owner))
    for base in (*type(owner).__mro__, *(owner.__mro__ if is_a(owner, type) else ())):
        names.update(base.__dict__)
    return [name for name in names if is_a(name, str)]
