"""Base images by content hash, shared by all sandboxes. Written once, never changed.

A file appears under its hash only after its bytes were checked against it and reached the disk.
"""

import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from torpor.errors import MissingBaseImageError, StorageError
from torpor.stores.embedded.durable import FILE_MODE, make_folder, sha256_of, sync_file, sync_folder
from torpor.stores.embedded.failures import storage_errors

_DIGEST = re.compile(r"[0-9a-f]{64}")
_TOKEN_BYTES = 8


class ImageFolder:
    """`<folder>/<sha256>`: one file per base image."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, digest: str) -> Path:
        """The file of an image. Raises MissingBaseImageError."""
        file = self._folder / _checked(digest)
        if not file.is_file():
            raise MissingBaseImageError(
                f"The base image {digest} is not in {self._folder}: without it the snapshots made from it "
                "cannot be restored. Import an export that carries base images.",
                context={"digest": digest},
            )
        return file

    def add(self, digest: str, source: Path) -> Path:
        """Keep `source` under `digest`: a hard link where possible, else a copy."""
        file = self._folder / _checked(digest)
        with storage_errors("keep the base image", self._folder):
            # Names appear only for checked bytes; a different size means damage since then.
            if file.is_file() and file.stat().st_size == source.stat().st_size:
                return file
            make_folder(self._folder)
            temporary = self._folder / f".{digest}.{secrets.token_hex(_TOKEN_BYTES)}"
            try:
                self._place(digest, source.resolve(), temporary, file)
            finally:
                with suppress(FileNotFoundError):
                    temporary.unlink()
        return file

    def _place(self, digest: str, source: Path, temporary: Path, file: Path) -> None:
        try:
            os.link(source, temporary)
        except OSError:
            shutil.copyfile(source, temporary)
        actual = sha256_of(temporary)
        if actual != digest:
            raise StorageError(
                f"The base image in {source} is damaged: its SHA-256 is {actual}, expected {digest}. "
                "Delete the cache so that it is made again.",
                context={"digest": digest},
            )
        temporary.chmod(FILE_MODE)
        with temporary.open("rb") as stream:
            sync_file(stream.fileno())
        # Renaming a link onto another link of the same file does nothing; `add` removes the leftover.
        temporary.replace(file)
        sync_folder(self._folder)


def _checked(digest: str) -> str:
    if not _DIGEST.fullmatch(digest):
        raise StorageError(f"{digest!r} is not a SHA-256 digest in hex")
    return digest
