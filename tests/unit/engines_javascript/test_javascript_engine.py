"""The engine's declaration and its driver."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.build_hook_kit import load_hook

from torpor.engines import get_engine
from torpor.errors import EngineError
from torpor_engine_javascript import ENGINE

PACKAGE = Path(__file__).parents[3] / "engines" / "javascript"


class RecordingGuest:
    """A guest whose exports answer as told and whose memory can be looked at."""

    def __init__(self, status: int = 0, address: int = 4096) -> None:
        self.status, self.address = status, address
        self.calls: list[tuple[str, Sequence[int]]] = []
        self.memory: dict[int, bytes] = {}

    def call(self, export: str, *arguments: int) -> int:
        self.calls.append((export, arguments))
        if export == "reserve":
            self.address *= 2
            return self.address
        return self.status

    def write(self, address: int, data: bytes) -> None:
        self.memory[address] = data

    def read(self, address: int, length: int) -> bytes:
        return self.memory[address][:length]

    def has_export(self, export: str) -> bool:
        return export in ("reserve", "boot", "turn")


def test_the_engine_is_found_by_its_binding() -> None:
    assert get_engine("JAVASCRIPT") is ENGINE


def test_the_module_is_the_pinned_one() -> None:
    assert ENGINE.wasm_digest == load_hook(PACKAGE).pins()["quickjs/quickjs.wasm"]
    assert ENGINE.wasm.read_bytes()[:4] == b"\0asm"


def test_every_licence_is_shipped() -> None:
    assert ENGINE.licences is not None
    names = {path.name for path in ENGINE.licences.rglob("LICENSES/*")}
    assert {"quickjs-ng.txt", "wasi-libc.txt", "musl.txt", "zig.txt", "sucrase__LICENSE.txt"} <= names
    assert not any(name.startswith("esbuild") for name in names)


def test_nothing_of_the_machine_is_in_what_is_shipped() -> None:
    for file in (ENGINE.wasm, *ENGINE.harness):
        data = file.read_bytes()
        assert str(Path.home()).encode() + b"/" not in data
        assert b"/tmp/" not in data


def test_boot_puts_both_scripts_into_memory() -> None:
    guest = RecordingGuest()
    ENGINE.driver.boot(guest)
    harness, realm = (file.read_bytes() for file in ENGINE.harness)
    assert guest.memory == {8192: harness + b"\0", 16384: realm + b"\0"}
    assert guest.calls == [
        ("_initialize", ()),
        ("reserve", (len(harness) + 1,)),
        ("reserve", (len(realm) + 1,)),
        ("boot", (8192, len(harness), 16384, len(realm))),
    ]


def test_a_turn_is_one_call() -> None:
    guest = RecordingGuest()
    assert ENGINE.driver.turn(guest)
    assert guest.calls == [("turn", ())]


def test_a_module_that_fails_is_a_broken_guest() -> None:
    assert not ENGINE.driver.turn(RecordingGuest(status=1))
    with pytest.raises(EngineError, match="could not be started"):
        ENGINE.driver.boot(RecordingGuest(status=1))


def test_a_guest_without_memory_is_a_broken_guest() -> None:
    guest = RecordingGuest(address=0)
    with pytest.raises(EngineError, match="no memory"):
        ENGINE.driver.boot(guest)
    assert guest.memory == {}
