"""The engine's declaration and its driver."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from torpor.engines import get_engine
from torpor.errors import EngineError
from torpor_engine_python import ENGINE
from torpor_engine_python.driver import boot_source

PACKAGE = Path(__file__).parents[3] / "engines" / "python"


class RecordingGuest:
    """A guest whose exports answer as told and whose memory can be looked at."""

    def __init__(self, status: int = 0, address: int = 4096) -> None:
        self.status, self.address = status, address
        self.calls: list[tuple[str, Sequence[int]]] = []
        self.memory: dict[int, bytes] = {}

    def call(self, export: str, *arguments: int) -> int:
        self.calls.append((export, arguments))
        return self.address if export == "host_alloc" else self.status

    def write(self, address: int, data: bytes) -> None:
        self.memory[address] = data

    def read(self, address: int, length: int) -> bytes:
        return self.memory[address][:length]

    def has_export(self, export: str) -> bool:
        return export in ("host_alloc", "turn")


def test_the_engine_is_found_by_its_binding() -> None:
    assert get_engine("PYTHON") is ENGINE


def test_the_module_is_the_pinned_one() -> None:
    pins = dict(reversed(line.split()) for line in (PACKAGE / "artifacts.sha256").read_text().splitlines())
    assert ENGINE.wasm_digest == pins[ENGINE.wasm.name]
    assert ENGINE.wasm.read_bytes()[:4] == b"\0asm"


def test_everything_that_is_mounted_is_there() -> None:
    assert all(mount.host_path.exists() for mount in ENGINE.mounts)
    assert (ENGINE.mounts[1].host_path / "matplotlibrc").is_file()


def test_every_licence_is_shipped() -> None:
    pinned = [line.split()[1] for line in (PACKAGE / "artifacts.sha256").read_text().splitlines()]
    licences = [path.partition("/")[2] for path in pinned if path.startswith("LICENSES/")]
    assert ENGINE.licences is not None
    assert len(licences) > 70
    assert sorted(licences) == sorted(path.name for path in ENGINE.licences.iterdir())


def test_every_file_of_the_harness_belongs_to_the_build() -> None:
    """The build id is made of `ENGINE.harness`: a file that is missing there could change unnoticed."""
    folder = ENGINE.harness[0].parent
    assert {path.name for path in folder.glob("*.py")} - {"__init__.py"} == {
        path.name for path in ENGINE.harness
    }


def test_the_boot_source_is_python_and_holds_every_module() -> None:
    source = boot_source(ENGINE.harness)
    compile(source, "boot", "exec")
    assert all(repr(file.stem) in source for file in ENGINE.harness[1:])


def test_boot_and_turn_call_the_reactor() -> None:
    guest = RecordingGuest()
    ENGINE.driver.boot(guest)
    size = len(guest.memory[4096])
    assert guest.calls == [("host_alloc", (size,)), ("turn", (4096, size))]
    assert ENGINE.driver.turn(guest)
    size = len(guest.memory[4096])
    assert guest.calls[2:] == [("host_alloc", (size,)), ("turn", (4096, size))]


def test_a_reactor_that_raised_is_a_broken_guest() -> None:
    assert not ENGINE.driver.turn(RecordingGuest(status=1))
    with pytest.raises(EngineError, match="harness"):
        ENGINE.driver.boot(RecordingGuest(status=1))


def test_a_guest_without_memory_is_a_broken_guest() -> None:
    guest = RecordingGuest(address=0)
    assert not ENGINE.driver.turn(guest)
    assert guest.memory == {}
