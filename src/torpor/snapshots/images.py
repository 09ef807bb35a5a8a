"""Base images on this machine: an engine's memory after boot and warm-up, kept under its build id.

Two boots of one engine differ, so an image is named by its content's SHA-256; the index says which
one new contexts of a build start from. The folder may be deleted at any time: sessions rely on the
copies in their store, not on it.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from torpor.atomic import write_atomically
from torpor.filelock import exclusive_lock


@dataclass(frozen=True, slots=True)
class BaseImage:
    """`guest_state` is what lay outside the memory when the image was taken (wasi.state as JSON)."""

    digest: str
    path: Path
    size: int
    guest_state: str


@dataclass(frozen=True, slots=True)
class BootedMemory:
    """A memory ready to become an image."""

    memory: memoryview
    guest_state: str


class ImageCache:
    """Base images in a folder, each made once however many processes ask at the same time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "images"

    def obtain(self, build: str, boot: Callable[[Callable[[BootedMemory], None]], None]) -> BaseImage:
        """The image of a build. When there is none, `boot` makes one and hands it to its argument."""
        image = self._find(build)
        if image is not None:
            return image
        self._folder.mkdir(parents=True, exist_ok=True)
        with exclusive_lock(self._folder / f"{build}.lock"):
            image = self._find(build)
            if image is None:
                boot(lambda booted: self._save(build, booted))
                image = self._find(build)
        if image is None:
            raise OSError(f"the base image of build {build} could not be kept in {self._folder}")
        return image

    def _find(self, build: str) -> BaseImage | None:
        try:
            document = json.loads((self._folder / f"{build}.json").read_bytes())
            path = self._folder / document["digest"]
            if path.stat().st_size != document["size"]:
                return None
            return BaseImage(document["digest"], path, document["size"], document["guestState"])
        except (OSError, ValueError, KeyError, TypeError):
            # A cache: whatever is not as written is made anew.
            return None

    def _save(self, build: str, booted: BootedMemory) -> None:
        digest = hashlib.sha256(booted.memory).hexdigest()
        write_atomically(self._folder / digest, booted.memory)
        document = {"digest": digest, "size": len(booted.memory), "guestState": booted.guest_state}
        write_atomically(self._folder / f"{build}.json", json.dumps(document).encode())
