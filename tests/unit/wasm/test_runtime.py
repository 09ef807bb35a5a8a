"""Compiling ahead of time: once, atomically, and never from a file that is not what it should be."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
import wasmtime

from torpor.errors import EngineError
from torpor.wasm.runtime import ModuleCache


@pytest.fixture
def wasm(tmp_path: Path) -> tuple[Path, str]:
    data = wasmtime.wat2wasm('(module (memory (export "memory") 1) (func (export "f")))')
    path = tmp_path / "m.wasm"
    path.write_bytes(data)
    return path, hashlib.sha256(bytes(data)).hexdigest()


def test_a_second_start_does_not_compile(tmp_path: Path, wasm: tuple[Path, str]) -> None:
    ModuleCache(tmp_path).obtain(*wasm)
    wasm[0].unlink()
    assert [e.name for e in ModuleCache(tmp_path).obtain(*wasm).exports] == ["memory", "f"]


def test_progress_is_reported_when_compiling(tmp_path: Path, wasm: tuple[Path, str]) -> None:
    seen: list[float] = []
    ModuleCache(tmp_path).obtain(*wasm, seen.append)
    assert seen[0] == 0.0
    seen.clear()
    ModuleCache(tmp_path).obtain(*wasm, seen.append)
    assert seen == []


def test_a_file_that_is_not_what_its_digest_says_is_refused(tmp_path: Path, wasm: tuple[Path, str]) -> None:
    with pytest.raises(EngineError, match="reinstall"):
        ModuleCache(tmp_path).obtain(wasm[0], "0" * 64)


def test_a_damaged_cache_is_compiled_anew(tmp_path: Path, wasm: tuple[Path, str]) -> None:
    cache = ModuleCache(tmp_path)
    cache.path(wasm[1]).parent.mkdir(parents=True)
    cache.path(wasm[1]).write_bytes(b"\x7fELF nonsense")
    assert cache.obtain(*wasm).exports


def test_a_module_with_a_proposal_that_is_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "threads.wasm"
    path.write_bytes(wasmtime.wat2wasm("(module (memory 1 1 shared))"))
    with pytest.raises(EngineError, match="not a WebAssembly module that Torpor can run"):
        ModuleCache(tmp_path).obtain(path, hashlib.sha256(path.read_bytes()).hexdigest())


def test_two_processes_that_start_at_once_compile_once(tmp_path: Path, wasm: tuple[Path, str]) -> None:
    program = (
        "import sys; from pathlib import Path; from torpor.wasm.runtime import ModuleCache\n"
        "seen = []\n"
        "ModuleCache(Path(sys.argv[1])).obtain(Path(sys.argv[2]), sys.argv[3], seen.append)\n"
        "print(len(seen) > 0)"
    )
    arguments = [sys.executable, "-c", program, str(tmp_path), str(wasm[0]), wasm[1]]
    processes = [subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    compiled = [process.communicate(timeout=60)[0].strip() for process in processes]
    assert sorted(compiled) == ["False", "False", "True"]
    assert len(list((tmp_path / "modules").glob("*.cwasm"))) == 1
