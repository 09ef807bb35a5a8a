"""One engine made ready in this process: compiled module, read-only files, base image, new guests."""

import hashlib
import json
import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path, PurePosixPath

from torpor.config import Config
from torpor.engines import HARNESS_PROTOCOL, Engine, ReadOnlyMount
from torpor.errors import EngineError
from torpor.interpreter.guest import RunningGuest
from torpor.snapshots.images import BaseImage, BootedMemory, ImageCache
from torpor.snapshots.tracked import TrackedMemory
from torpor.wasi import state as wasi_state
from torpor.wasm.dirty import make_tracker
from torpor.wasm.memory import ImageFile, best_space
from torpor.wasm.runtime import Module, ModuleCache, Progress
from torpor.workspace.filetree import Tree, read_only_tree


class EngineHost:
    """Shared by all guests of one engine. Thread-safe; everything is made on first use."""

    def __init__(self, engine: Engine, config: Config) -> None:
        self.engine = engine
        self.config = config
        self._lock = threading.RLock()
        self._modules = ModuleCache(config.cache)
        self._images = ImageCache(config.cache)
        self._image: BaseImage | None = None
        #: By device and inode.
        self._open_images: dict[tuple[int, int], ImageFile] = {}

    @cached_property
    def build(self) -> str:
        """The engine's build id: whatever decides whether a memory of it can be restored."""
        engine = self.engine
        parts = [
            HARNESS_PROTOCOL,
            engine.version,
            engine.wasm_digest,
            engine.preopens,
            engine.argv,
            sorted(engine.env.items()),
            engine.warm_up,
            engine.limits.boot_memory_bytes,
        ]
        digest = hashlib.sha256(json.dumps(parts).encode())
        for file in engine.harness:
            digest.update(hashlib.sha256(file.read_bytes()).digest())
        return digest.hexdigest()

    def prepare(self, progress: Progress | None = None) -> BaseImage:
        """Module and base image, made if they are missing. Raises EngineError."""
        with self._lock:
            if self._image is None:
                self.module(progress)
                self._image = self._images.obtain(self.build, self._boot)
            return self._image

    def module(self, progress: Progress | None = None) -> Module:
        return self._modules.obtain(self.engine.wasm, self.engine.wasm_digest, progress)

    def is_compiled(self) -> bool:
        return self._modules.path(self.engine.wasm_digest).exists()

    @cached_property
    def _read_only(self) -> dict[str, Tree]:
        """A tree for each preopen that is neither of ours; a mount is shown by the deepest one above it."""
        shown = [p for p in self.engine.preopens if p not in ("/dev", "/workspace")]
        mounts: dict[str, list[ReadOnlyMount]] = {path: [] for path in shown}
        for mount in self.engine.mounts:
            above = [p for p in shown if PurePosixPath(mount.guest_path).is_relative_to(p)]
            if not above:
                raise EngineError(f"{mount.guest_path} lies below no preopened folder of its engine")
            mounts[max(above, key=len)].append(mount)
        return {path: read_only_tree(path, mounts[path]) for path in shown}

    def new_guest(self, workspace: Tree, memory_bytes: int) -> RunningGuest:
        """A fresh instance, not booted: give it a memory (`tracked`, `open_image`) or boot it."""
        with self._lock:
            module, read_only = self.module(), self._read_only
        return RunningGuest(self.engine, module, read_only, workspace, memory_bytes)

    def track(self, guest: RunningGuest, image: Path) -> TrackedMemory:
        """The guest's memory, to be restored from a base image file."""
        tracker = make_tracker(self.config.dirty_pages)
        return TrackedMemory(guest.instance.memory, self.open_image(image), best_space(), tracker)

    def open_image(self, path: Path) -> ImageFile:
        """A base image file, kept open: every guest of it maps the same file, by whatever name."""
        status = path.stat()
        key = (status.st_dev, status.st_ino)
        with self._lock:
            if key not in self._open_images:
                self._open_images[key] = ImageFile(path)
            return self._open_images[key]

    def _boot(self, save: Callable[[BootedMemory], None]) -> None:
        """Boot a guest as far as its harness and warm-up go, and save its memory."""
        engine = self.engine
        guest = self.new_guest(Tree(quota=self.config.quota), engine.limits.boot_memory_bytes)
        try:
            guest.boot(engine.limits.boot_fuel)
            state, _ = wasi_state.capture(guest.wasi)
            memory = guest.instance.memory
            save(BootedMemory(memory.view[: memory.size], state.to_json()))
        finally:
            guest.close()

    def close(self) -> None:
        """Close the image files; live guests keep their mappings."""
        with self._lock:
            images, self._open_images = self._open_images, {}
        for image in images.values():
            image.close()
