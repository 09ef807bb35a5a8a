"""Context rows, entries and heads as JSON, and back, trusting nothing that is read.

The same form lies in `state.db` and in exported files. A reader that meets a missing key, a wrong
type or an impossible value raises DocumentError with the place; callers say which file it was.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields as fields_of
from typing import Any, TypeVar

from torpor import limits
from torpor.stores.base import ContextRow, SnapshotRow
from torpor.workspace.manifest import Entry, Manifest

T = TypeVar("T")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_KINDS = ("file", "directory", "symlink")


class DocumentError(ValueError):
    """What was read is not what this version writes."""


class Fields:
    """Typed access to one JSON object; every getter raises DocumentError naming the key."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise DocumentError(f"{where} is not an object")
        self._values: dict[str, Any] = value
        self.where = where

    def _get(self, key: str, kind: type[T]) -> T:
        value = self._values.get(key)
        # JSON's true is an int to Python, and never one to us.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise DocumentError(f"{self.where}: {key!r} is missing or not of type {kind.__name__}")
        return value

    def text(self, key: str) -> str:
        return self._get(key, str)

    def flag(self, key: str) -> bool:
        return self._get(key, bool)

    def count(self, key: str) -> int:
        value = self._get(key, int)
        if not 0 <= value < 2**63:
            raise DocumentError(f"{self.where}: {key!r} is out of range")
        return value

    def number(self, key: str) -> float:
        value = self._values.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, float) or not value >= 0:
            raise DocumentError(f"{self.where}: {key!r} is missing or not a number of at least 0")
        return value

    def digest(self, key: str) -> str:
        return check_digest(self.text(key), self.where)

    def optional(self, key: str, read: Callable[[str], T]) -> T | None:
        return None if self._values.get(key) is None else read(key)

    def items(self, key: str) -> list[Any]:
        return self._get(key, list)

    def inner(self, key: str) -> "Fields":
        return Fields(self._values.get(key), f"{self.where}.{key}")

    def counts(self, key: str) -> dict[str, int]:
        value = self.inner(key)
        return {name: value.count(name) for name in self._get(key, dict)}

    def texts(self, key: str) -> dict[str, str]:
        value = self._get(key, dict)
        if not all(isinstance(k, str) and isinstance(v, str) for k, v in value.items()):
            raise DocumentError(f"{self.where}: {key!r} holds something other than text")
        return value


def check_digest(value: object, where: str) -> str:
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        raise DocumentError(f"{where}: {value!r} is not a SHA-256 digest")
    return value


def dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def load(text: str | bytes, where: str) -> Fields:
    try:
        return Fields(json.loads(text), where)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{where} is not JSON: {error}") from None


def context_json(row: ContextRow) -> dict[str, object]:
    # Written out: `asdict` copies deeply, which was a fifth of a commit's time.
    snapshot = None if row.snapshot is None else _shallow(row.snapshot)
    return _shallow(row) | {"env": dict(row.env), "snapshot": snapshot}


def _shallow(row: ContextRow | SnapshotRow | Entry) -> dict[str, object]:
    return {field.name: getattr(row, field.name) for field in fields_of(row)}


def read_context(fields: Fields) -> ContextRow:
    return ContextRow(
        id=fields.text("id"),
        binding=fields.text("binding"),
        language=fields.text("language"),
        cwd=fields.text("cwd"),
        env=fields.texts("env"),
        created_at=fields.count("created_at"),
        last_used=fields.count("last_used"),
        executions=fields.count("executions"),
        snapshot=fields.optional("snapshot", lambda key: _read_snapshot(fields.inner(key))),
        guest_state=fields.text("guest_state"),
        held_contents=tuple(check_digest(d, fields.where) for d in fields.items("held_contents")),
    )


def _read_snapshot(fields: Fields) -> SnapshotRow:
    return SnapshotRow(
        build=fields.text("build"),
        base=fields.digest("base"),
        tip=fields.optional("tip", fields.text),
        memory_bytes=fields.count("memory_bytes"),
        taken_at=fields.count("taken_at"),
        stored_bytes=fields.count("stored_bytes"),
        stale=fields.flag("stale"),
        execution=fields.count("execution"),
    )


def read_entry(fields: Fields) -> Entry:
    kind = fields.text("kind")
    if kind not in _KINDS:
        raise DocumentError(f"{fields.where}: {kind!r} is not a kind of entry")
    return Entry(
        path=_checked_path(fields.text("path"), fields.where),
        kind=kind,  # type: ignore[arg-type]  # membership was checked above
        inode=fields.count("inode"),
        mtime=fields.count("mtime"),
        size=fields.count("size"),
        digest=fields.digest("digest") if kind == "file" else None,
        target=fields.text("target") if kind == "symlink" else None,
    )


def _checked_path(path: str, where: str) -> str:
    parts = path.split("/") if path else []
    if "\0" in path or any(part in ("", ".", "..") for part in parts):
        raise DocumentError(f"{where}: {path!r} is not a path in /workspace")
    if len(path.encode("utf-8", "surrogateescape")) > limits.WorkspaceQuota().path_bytes:
        raise DocumentError(f"{where}: a path is too long")
    return path


def read_manifest(fields: Fields, key: str = "entries") -> Manifest:
    """A manifest whose entries form a tree: every parent is a directory that is there."""
    entries: dict[str, Entry] = {}
    for number, item in enumerate(fields.items(key)):
        entry = read_entry(Fields(item, f"{fields.where}.{key}[{number}]"))
        if entry.path in entries:
            raise DocumentError(f"{fields.where}: {entry.path!r} appears twice")
        entries[entry.path] = entry
    for entry in entries.values():
        parent = entries.get(entry.path.rpartition("/")[0]) if entry.path else None
        if entry.path and (parent is None or parent.kind != "directory"):
            raise DocumentError(f"{fields.where}: {entry.path!r} does not lie in a directory")
    return Manifest(entries, fields.count("next_inode"))


def manifest_json(manifest: Manifest) -> Mapping[str, object]:
    entries = [_shallow(manifest.entries[path]) for path in sorted(manifest.entries)]
    return {"entries": entries, "next_inode": manifest.next_inode}
