"""Reading an exported file, of which nothing is trusted.

No path is taken from the file, no member is read beyond the size its manifest declares, and every
byte is checked against its SHA-256. The caller makes the sandbox visible only after all of it was
read. A record's payload stays opaque: it is checked again where it is decoded.
"""

import hashlib
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import zstandard

from torpor import limits
from torpor.errors import ValidationFailedError
from torpor.snapshots.model import Extent, NewRecord
from torpor.stores.base import ContextRow, Head
from torpor.stores.embedded.archive import BLOBS, FORMAT, MANIFEST, VERSION
from torpor.stores.embedded.document import (
    DocumentError,
    Fields,
    check_digest,
    load,
    read_context,
    read_manifest,
)
from torpor.stores.embedded.names import check_id
from torpor.stores.embedded.parcel import LazyContents, Parcel, needed_contents

#: What the readers of zip, zlib, zstd and JSON raise for bytes that they cannot make sense of.
_UNREADABLE = (
    ValueError,
    EOFError,
    KeyError,
    RuntimeError,
    OverflowError,
    struct.error,
    zlib.error,
    zipfile.BadZipFile,
    zstandard.ZstdError,
)


@contextmanager
def open_archive(file: Path) -> Iterator["ArchiveReader"]:
    """An exported file with a sound manifest; ValidationFailedError for whatever the block finds unsound."""
    if not file.is_file():
        raise ValidationFailedError(f"There is no file {file} to import")
    try:
        with zipfile.ZipFile(file) as archive:
            yield ArchiveReader(archive)
    except _UNREADABLE as error:
        raise ValidationFailedError(
            f"{file} cannot be imported: {error}. Nothing was changed; export the sandbox again.",
            context={"path": str(file)},
        ) from error


@dataclass(frozen=True, slots=True)
class _Extent:
    page: int
    count: int
    blob: str


@dataclass(frozen=True, slots=True)
class _Record:
    id: str
    parent: str | None
    payload: str
    extents: tuple[_Extent, ...]


class ArchiveReader:
    """The manifest, checked as a whole; blobs are checked as they are read (DocumentError)."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._zip = archive
        fields = load(_read_manifest(archive), MANIFEST)
        if fields.text("format") != FORMAT or fields.count("version") != VERSION:
            raise DocumentError("it was not written by this version of Torpor")
        self._sizes = _read_sizes(fields, archive)
        self._records = [_read_record(Fields(item, "record")) for item in fields.items("records")]
        self.head = _read_head(fields.inner("head"))
        self._check_records()
        self._check_head()

    def parcel(self, created_at: int | None = None) -> Parcel:
        """The sandbox, read blob by blob."""
        head = self.head if created_at is None else replace(self.head, created_at=created_at)
        contents = LazyContents(needed_contents(head), lambda digest: b"".join(self._chunks(digest)))
        return Parcel(head, (self._record(record) for record in self._records), contents)

    def images(self) -> tuple[str, ...]:
        """The base images that the contexts need and the file carries."""
        bases = {row.snapshot.base for row in self.head.contexts.values() if row.snapshot}
        return tuple(sorted(bases & self._sizes.keys()))

    def copy(self, digest: str, target: IO[bytes]) -> None:
        """Write one blob to `target`. Only after it returned are the bytes the right ones."""
        for chunk in self._chunks(digest):
            target.write(chunk)

    def _record(self, record: _Record) -> NewRecord:
        extents = tuple(Extent(e.page, e.count, b"".join(self._chunks(e.blob))) for e in record.extents)
        return NewRecord(record.id, record.parent, b"".join(self._chunks(record.payload)), extents)

    def _chunks(self, digest: str) -> Iterator[bytes]:
        size, actual = self._sizes[digest], hashlib.sha256()
        left = size
        with (
            self._zip.open(BLOBS + digest) as member,
            zstandard.ZstdDecompressor().stream_reader(member) as plain,
        ):
            # One byte more than declared is asked for, so that a longer blob is noticed and no more.
            while chunk := plain.read(min(limits.COPY_CHUNK_BYTES, left + 1)):
                left -= len(chunk)
                if left < 0:
                    break
                actual.update(chunk)
                yield chunk
        if left or actual.hexdigest() != digest:
            raise DocumentError(f"the bytes of {digest} are damaged")

    def _size(self, digest: str) -> int:
        if digest not in self._sizes:
            raise DocumentError(f"{digest} is named but not there")
        return self._sizes[digest]

    def _check_records(self) -> None:
        seen: set[str] = set()
        for record in self._records:
            if record.id in seen or (record.parent is not None and record.parent not in seen):
                raise DocumentError(f"the record {record.id!r} appears twice or before its parent")
            seen.add(record.id)
            self._size(record.payload)
            for extent in record.extents:
                if extent.count == 0 or self._size(extent.blob) != extent.count * limits.PAGE_BYTES:
                    raise DocumentError(f"an extent of the record {record.id!r} has a wrong size")

    def _check_head(self) -> None:
        records = {record.id for record in self._records}
        for row in self.head.contexts.values():
            if row.snapshot is not None and row.snapshot.tip is not None and row.snapshot.tip not in records:
                raise DocumentError(f"the context {row.id!r} names a record that is not there")
        for entry in self.head.manifest.entries.values():
            if entry.digest is not None and self._size(entry.digest) != entry.size:
                raise DocumentError(f"the file {entry.path!r} has a wrong size")
        for digest in needed_contents(self.head):
            self._size(digest)


def _read_manifest(archive: zipfile.ZipFile) -> bytes:
    with archive.open(MANIFEST) as member:
        text = member.read(limits.MAX_IMPORT_MANIFEST_BYTES + 1)
    if len(text) > limits.MAX_IMPORT_MANIFEST_BYTES:
        raise DocumentError(f"its manifest is larger than {limits.MAX_IMPORT_MANIFEST_BYTES} bytes")
    return text


def _read_sizes(fields: Fields, archive: zipfile.ZipFile) -> dict[str, int]:
    sizes = {check_digest(digest, MANIFEST): size for digest, size in fields.counts("blobs").items()}
    members = archive.namelist()
    if len(members) > limits.MAX_IMPORT_MEMBERS or sum(sizes.values()) > limits.MAX_IMPORT_BYTES:
        raise DocumentError(
            f"it holds more than {limits.MAX_IMPORT_BYTES} bytes or {limits.MAX_IMPORT_MEMBERS} parts"
        )
    if sorted(members) != sorted([MANIFEST, *(BLOBS + digest for digest in sizes)]):
        raise DocumentError("its parts are not the ones its manifest lists")
    return sizes


def _read_record(fields: Fields) -> _Record:
    extents = [Fields(item, f"{fields.where}.extents") for item in fields.items("extents")]
    return _Record(
        id=fields.text("id"),
        parent=fields.optional("parent", fields.text),
        payload=fields.digest("payload"),
        extents=tuple(_Extent(e.count("page"), e.count("count"), e.digest("blob")) for e in extents),
    )


def _read_head(fields: Fields) -> Head:
    contexts = [read_context(Fields(item, "context")) for item in fields.items("contexts")]
    env = fields.texts("env")
    _check_contexts(contexts)
    if sum(len(key.encode()) + len(value.encode()) for key, value in env.items()) > limits.MAX_ENV_BYTES:
        raise DocumentError(f"its environment is larger than {limits.MAX_ENV_BYTES} bytes")
    return Head(
        sandbox_id=_read_id(fields),
        generation=fields.count("generation"),
        created_at=fields.count("created_at"),
        last_used=fields.count("last_used"),
        env=env,
        contexts={row.id: row for row in contexts},
        manifest=read_manifest(fields),
        idle_ttl=fields.number("idle_ttl"),
    )


def _read_id(fields: Fields) -> str:
    try:
        return check_id(fields.text("sandbox_id"))
    except ValidationFailedError as error:
        raise DocumentError(error.message) from None


def _check_contexts(contexts: list[ContextRow]) -> None:
    if len(contexts) > limits.MAX_CONTEXTS_PER_SANDBOX:
        raise DocumentError(f"it has more than {limits.MAX_CONTEXTS_PER_SANDBOX} contexts")
    if len({row.id for row in contexts}) != len(contexts):
        raise DocumentError("a context appears twice")
