"""What a /workspace holds, by content hash and never by content: the data that travels and is stored.

An entry keeps its inode number, because open descriptors, hard links and the guests' own caches
recognise a file by it. Two file entries with one inode are hard links.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["file", "directory", "symlink"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in /workspace. `path` is relative ("data/a.csv"; "" is /workspace itself).

    `digest` (SHA-256, hex) and `size` belong to files, `target` to symlinks; `mtime` is nanoseconds.
    """

    path: str
    kind: Kind
    inode: int
    mtime: int
    size: int = 0
    digest: str | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """All entries of one generation by path, the root included, and the next free inode number."""

    entries: Mapping[str, Entry] = field(default_factory=dict)
    next_inode: int = 2


@dataclass(frozen=True, slots=True)
class Changes:
    """From one manifest to another: entries created or changed, and paths that are gone."""

    upserts: tuple[Entry, ...] = ()
    deleted: tuple[str, ...] = ()
    next_inode: int = 2

    def __bool__(self) -> bool:
        return bool(self.upserts or self.deleted)


def changes_between(old: Manifest, new: Manifest) -> Changes:
    """The changes that turn `old` into `new`, sorted by path (parents before children)."""
    upserts = [e for path, e in new.entries.items() if old.entries.get(path) != e]
    deleted = [path for path in old.entries if path not in new.entries]
    return Changes(tuple(sorted(upserts, key=lambda e: e.path)), tuple(sorted(deleted)), new.next_inode)


def apply_changes(manifest: Manifest, changes: Changes) -> Manifest:
    """The manifest after `changes`."""
    entries = dict(manifest.entries)
    for path in changes.deleted:
        entries.pop(path, None)
    entries.update((e.path, e) for e in changes.upserts)
    return Manifest(entries, changes.next_inode)
