"""From the data models to camelCase JSON documents, as `--json` prints them and HTTP will carry them."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from torpor.models import Json, Result

#: Fields that are present even when they are None: null there says something.
_ALWAYS = frozenset({"snapshot"})


def camel(name: str) -> str:
    """ "snapshot_ms" -> "snapshotMs"."""
    head, *rest = name.split("_")
    return head + "".join(part.title() for part in rest)


def to_wire(value: Any) -> Json:
    """A model as a JSON document: camelCase keys, absent optional fields left out, tuples as lists."""
    if isinstance(value, Result):
        return _result(value)
    if is_dataclass(value) and not isinstance(value, type):
        document: dict[str, Json] = {}
        for f in fields(value):
            item = getattr(value, f.name)
            if item is not None or f.name in _ALWAYS:
                document[camel(f.name)] = to_wire(item)
        return document
    if isinstance(value, Mapping):
        return {str(key): to_wire(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_wire(item) for item in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value  # type: ignore[no-any-return]


_SHORT_NAMES = {
    "text/plain": "text",
    "application/json": "json",
    "text/html": "html",
    "text/markdown": "markdown",
    "text/latex": "latex",
    "image/svg+xml": "svg",
    "image/png": "png",
    "image/jpeg": "jpeg",
}


def _result(result: Result) -> Json:
    """A result under its short names (`text`, `json`, `png`, ...) plus `formats`, in bundle order."""
    document: dict[str, Json] = {_SHORT_NAMES.get(m, m): v for m, v in result.data.items()}
    document["formats"] = list(document)
    document["isValue"] = result.is_value
    if result.truncated:
        document["truncated"] = {_SHORT_NAMES.get(m, m): n for m, n in result.truncated.items()}
    return document
