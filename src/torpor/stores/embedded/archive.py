"""Writing one sandbox as one file: a zip of blobs named by their SHA-256 and a manifest that lists them.

    manifest.json        format, version, head, records, and the size of every blob
    blobs/<sha256>       a payload, an extent, a file's content or a base image, compressed with zstd

Only the current generation travels, so a file says nothing of what was deleted before. `importing`
reads it.
"""

import hashlib
import os
import secrets
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import IO

import zstandard

from torpor import limits
from torpor.errors import StorageError
from torpor.snapshots.model import Extent, NewRecord
from torpor.stores.base import Head
from torpor.stores.embedded.document import context_json, dump, manifest_json
from torpor.stores.embedded.durable import FILE_MODE, sync_file, sync_folder
from torpor.stores.embedded.parcel import Parcel

FORMAT = "torpor-sandbox"
VERSION = 1
MANIFEST = "manifest.json"
BLOBS = "blobs/"
_TOKEN_BYTES = 4


class ArchiveWriter:
    """Writes blobs as they come and the manifest, which needs their sizes, last."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED)
        self._sizes: dict[str, int] = {}

    def add(self, data: bytes | memoryview) -> str:
        """Store bytes; returns their SHA-256. The same bytes are stored once."""
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self._sizes:
            self._write(digest, BytesIO(data))
        return digest

    def add_file(self, digest: str, file: Path) -> None:
        """Store a file under the digest it must have. Raises StorageError when it has another."""
        if digest not in self._sizes:
            with file.open("rb") as stream:
                self._write(digest, stream)

    def _write(self, digest: str, source: IO[bytes]) -> None:
        actual, size = hashlib.sha256(), 0
        compressor = zstandard.ZstdCompressor(level=limits.STORE_ZSTD_LEVEL)
        info = zipfile.ZipInfo(BLOBS + digest)
        with (
            self._zip.open(info, "w", force_zip64=True) as member,
            compressor.stream_writer(member) as packed,
        ):
            while chunk := source.read(limits.COPY_CHUNK_BYTES):
                actual.update(chunk)
                size += len(chunk)
                packed.write(chunk)
        if actual.hexdigest() != digest:
            raise StorageError(f"The bytes of {digest} are damaged; nothing was exported")
        self._sizes[digest] = size

    def finish(self, head: Head, records: list[dict[str, object]]) -> None:
        document = {
            "format": FORMAT,
            "version": VERSION,
            "head": _head_json(head),
            "records": records,
            "blobs": self._sizes,
        }
        info = zipfile.ZipInfo(MANIFEST)
        info.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(info, dump(document))
        self._zip.close()


def write_archive(stream: IO[bytes], parcel: Parcel, images: Mapping[str, Path]) -> None:
    """Write a parcel and the base images that go with it."""
    writer = ArchiveWriter(stream)
    records = [_add_record(writer, record) for record in parcel.records]
    for data in parcel.contents.values():
        writer.add(data)
    for digest, file in images.items():
        writer.add_file(digest, file)
    writer.finish(parcel.head, records)


def _add_record(writer: ArchiveWriter, record: NewRecord) -> dict[str, object]:
    extents = [
        {"page": extent.page, "count": extent.count, "blob": writer.add(extent.data)}
        for extent in record.extents
        if isinstance(extent, Extent)
    ]
    payload = writer.add(record.payload)
    return {"id": record.id, "parent": record.parent, "payload": payload, "extents": extents}


def _head_json(head: Head) -> dict[str, object]:
    return {
        "sandbox_id": head.sandbox_id,
        "generation": head.generation,
        "created_at": head.created_at,
        "last_used": head.last_used,
        "idle_ttl": head.idle_ttl,
        "env": dict(head.env),
        "contexts": [context_json(row) for row in head.contexts.values()],
        **manifest_json(head.manifest),
    }


@contextmanager
def replacing(destination: Path) -> Iterator[IO[bytes]]:
    """A file that takes the name `destination` when the block ends well, and leaves nothing else."""
    temporary = destination.with_name(f".{destination.name}.{secrets.token_hex(_TOKEN_BYTES)}")
    descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    try:
        with os.fdopen(descriptor, "w+b") as stream:
            yield stream
            stream.flush()
            sync_file(stream.fileno())
        temporary.replace(destination)
        sync_folder(destination.parent)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
