"""The engine's declaration and its driver."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from torpor.engines import get_engine
from torpor.errors import EngineError
from torpor_engine_perl import ENGINE
from torpor_engine_perl.driver import TURN, boot_source

PACKAGE = Path(__file__).parents[3] / "engines" / "perl"
HARNESS = PACKAGE / "src" / "torpor_engine_perl" / "harness"
MODULES = PACKAGE / "src" / "torpor_engine_perl" / "modules"
ADDRESS, ERROR = 4096, 8192


class RecordingGuest:
    """A guest whose exports answer as told and whose memory can be looked at."""

    def __init__(self, *, init: int = 0, status: int = 0, address: int = ADDRESS) -> None:
        self.answers = {
            "zeroperl_init": init, "zeroperl_eval": status, "malloc": address, "zeroperl_last_error": ERROR,
        }  # fmt: skip
        self.calls: list[tuple[str, Sequence[int]]] = []
        self.memory = {ERROR: b"no such thing\0rest"}

    def call(self, export: str, *arguments: int) -> int | None:
        self.calls.append((export, arguments))
        return self.answers.get(export)

    def write(self, address: int, data: bytes) -> None:
        self.memory[address] = data

    def read(self, address: int, length: int) -> bytes:
        return self.memory[address][:length]

    def has_export(self, export: str) -> bool:
        return True


def test_the_engine_is_found_by_its_binding() -> None:
    assert get_engine("PERL") is ENGINE


def test_the_module_is_the_pinned_one() -> None:
    pins = dict(reversed(line.split()) for line in (PACKAGE / "artifacts.sha256").read_text().splitlines())
    assert ENGINE.wasm_digest == pins[ENGINE.wasm.name]
    assert ENGINE.wasm.read_bytes()[:4] == b"\0asm"


def test_the_host_numbers_files_above_those_of_the_library() -> None:
    """Descriptors 3 to 18 are what the module gives to its built-in files."""
    assert len(ENGINE.preopens) == len(set(ENGINE.preopens)) == 16


def test_everything_that_is_mounted_is_there() -> None:
    assert all(mount.host_path.is_dir() for mount in ENGINE.mounts)
    assert all(mount.guest_path in ENGINE.preopens for mount in ENGINE.mounts)


def test_every_licence_is_shipped_and_named() -> None:
    assert ENGINE.licences is not None
    shipped = sorted(path.name for path in ENGINE.licences.iterdir())
    assert shipped == sorted(path.name for path in (PACKAGE / "LICENSES").iterdir())
    notice = (PACKAGE / "NOTICE").read_text()
    assert all(name in notice for name in shipped)


def test_every_file_of_the_harness_belongs_to_the_build() -> None:
    """The build id is made of `ENGINE.harness`: a file that is missing there could change unnoticed."""
    guest_files = {*HARNESS.glob("*.pl"), *MODULES.rglob("*.pm")}
    assert set(ENGINE.harness) == {*guest_files, HARNESS.with_name("driver.py")}


@pytest.mark.parametrize("file", ENGINE.harness[:-1], ids=lambda file: file.name)
def test_a_file_says_what_it_is_for_and_is_of_one_size(file: Path) -> None:
    lines = file.read_text().splitlines()
    assert lines[0].startswith("# ")
    assert len(lines) < 400
    assert max(map(len, lines)) <= 116


def test_the_harness_declares_no_package_subroutine() -> None:
    """A user could replace one. The first is reached through a reference that is kept."""
    declared = re.findall(r"^\s*sub\s+([\w:]+)", boot_source(sorted(HARNESS.glob("*.pl"))), re.MULTILINE)
    assert declared == ["Torpor::compile_in_empty_scope"]


def test_the_boot_source_holds_every_file_under_its_name() -> None:
    files = ENGINE.harness[:3]
    source = boot_source(files)
    assert all(f'#line 1 "<torpor>/{file.name}"\n' in source for file in files)


def test_boot_starts_perl_and_loads_the_harness() -> None:
    guest = RecordingGuest()
    ENGINE.driver.boot(guest)
    assert guest.memory[ADDRESS].endswith(b"\0")
    size = len(guest.memory[ADDRESS])
    assert guest.calls == [
        ("_initialize", ()),
        ("zeroperl_init", ()),
        ("malloc", (size,)),
        ("zeroperl_eval", (ADDRESS, 1, 0, 0)),
        ("free", (ADDRESS,)),
    ]


def test_a_turn_calls_the_harness() -> None:
    guest = RecordingGuest()
    assert ENGINE.driver.turn(guest)
    assert guest.memory[ADDRESS] == TURN.encode() + b"\0"


def test_a_perl_that_does_not_start_is_told() -> None:
    with pytest.raises(EngineError, match=r"could not be started: no such thing$"):
        ENGINE.driver.boot(RecordingGuest(init=1))


def test_a_harness_that_dies_is_a_broken_guest() -> None:
    assert not ENGINE.driver.turn(RecordingGuest(status=-1))
    with pytest.raises(EngineError, match=r"could not be loaded: no such thing$"):
        ENGINE.driver.boot(RecordingGuest(status=-1))


def test_a_guest_without_memory_is_a_broken_guest() -> None:
    guest = RecordingGuest(address=0)
    assert not ENGINE.driver.turn(guest)
    assert ADDRESS not in guest.memory
