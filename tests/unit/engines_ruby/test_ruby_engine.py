"""The engine's declaration, its driver and its imports."""

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

from torpor.cli.completeness import is_complete
from torpor.engines import get_engine
from torpor.errors import EngineError
from torpor_engine_ruby import ENGINE
from torpor_engine_ruby.driver import HARNESS, RubyDriver, boot_source, quoted
from torpor_engine_ruby.imports import IMPORTS

PACKAGE = Path(__file__).parents[3] / "engines" / "ruby"
UNTOUCHED = 1 << 24


class RecordingGuest:
    """A guest with Ruby's exports: memory is handed out from the bottom up, calls answer as told."""

    def __init__(self, status: int = 0, memory: int = UNTOUCHED) -> None:
        self.status, self.free = status, memory
        self.calls: list[tuple[str, Sequence[int]]] = []
        self.memory: dict[int, bytes] = {}

    def call(self, export: str, *arguments: int) -> int | None:
        name = export.partition(":")[0]
        self.calls.append((name, arguments))
        if name == "cabi_realloc":
            address, self.free = self.free, self.free + arguments[3] if self.free else 0
            return address
        if name in ("rb-eval-string-protect", "rb-funcallv-protect"):
            self.memory[8] = struct.pack("<Ii", 77, self.status)
            return 8
        return 4711 if name == "rb-intern" else None

    def write(self, address: int, data: bytes) -> None:
        self.memory[address] = data

    def read(self, address: int, length: int) -> bytes:
        return self.memory[address][:length]

    def has_export(self, export: str) -> bool:
        return True

    def named(self) -> list[str]:
        return [name for name, _ in self.calls]


def test_the_engine_is_found_by_its_binding() -> None:
    assert get_engine("RUBY") is ENGINE


def test_the_module_is_the_pinned_one() -> None:
    pins = dict(reversed(line.split()) for line in (PACKAGE / "artifacts.sha256").read_text().splitlines())
    assert ENGINE.wasm_digest == pins[ENGINE.wasm.name]
    assert ENGINE.wasm.read_bytes()[:4] == b"\0asm"


def test_every_licence_is_shipped() -> None:
    assert ENGINE.licences is not None
    notice = (ENGINE.licences / "NOTICE.md").read_text()
    assert all(part in notice for part in ("Yukihiro Matsumoto", "LibYAML", "zlib", "wasi-libc", "### LEGAL"))
    assert "MIT License" in (ENGINE.licences / "ruby.wasm.txt").read_text()


def test_every_file_of_the_harness_belongs_to_the_build() -> None:
    """The build id is made of `ENGINE.harness`: a file that is missing there could change unnoticed."""
    folder = PACKAGE / "src" / "torpor_engine_ruby" / "harness"
    assert {path.name for path in ENGINE.harness} == {path.name for path in folder.glob("*.rb")}


def test_every_file_of_the_harness_says_what_it_is_for() -> None:
    assert all(path.read_text().startswith("# ") for path in HARNESS)


def test_booting_notes_what_a_turn_calls() -> None:
    guest = RecordingGuest()
    RubyDriver().boot(guest)
    assert guest.named()[0] == "_initialize"
    assert RubyDriver().turn(guest)
    name, arguments = guest.calls[-1]
    assert (name, *arguments) == ("rb-funcallv-protect", 77, 4711, 0, 0)


def test_a_harness_that_does_not_load_is_an_error() -> None:
    with pytest.raises(EngineError, match="harness could not be loaded"):
        RubyDriver().boot(RecordingGuest(status=6))


def test_memory_that_is_not_there_is_an_error() -> None:
    with pytest.raises(EngineError, match="no memory left"):
        RubyDriver().boot(RecordingGuest(memory=0))


def test_a_turn_that_raises_is_a_broken_guest() -> None:
    guest = RecordingGuest()
    RubyDriver().boot(guest)
    guest.status = 6
    assert not RubyDriver().turn(guest)
    assert guest.named()[-1] == "rb-clear-errinfo"


def test_the_boot_source_carries_every_file() -> None:
    source = boot_source(HARNESS)
    assert all(f'["{path.name}", ' in source for path in HARNESS[1:])
    assert quoted('"#{x}"\\é').isascii()


def test_a_handle_is_the_object_itself() -> None:
    handles = [IMPORTS["canonical_abi", f"resource_{name}_rb-abi-value"] for name in ("new", "get")]
    assert [function(4711) for function in handles] == [4711, 4711]


def test_the_bridge_to_javascript_leads_nowhere() -> None:
    bridge = [function for (module, _), function in IMPORTS.items() if module == "rb-js-abi-host"]
    assert len(bridge) == 21
    for function in bridge:
        with pytest.raises(EngineError, match="JavaScript"):
            function(1)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x)\n  x\nend",
        "def f(x) = x + 1",
        "def f = 1",
        "[1].each do |x|\n  p x\nend",
        "while x do\n  y\nend",
        "x = 1 if y",
        "class A; end",
        "if x then 1 else 2 end",
        "a.end",
        "for i in 1..3 do puts i end",
    ],
)
def test_a_whole_cell_runs(text: str) -> None:
    assert is_complete(text, ENGINE.block_words)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x)",
        "[1].each do |x|",
        "while x do",
        "x = if y",
        "private def f(a)",
        "begin",
        "loop do",
        "{a: 1,",
    ],
)
def test_an_open_block_waits(text: str) -> None:
    assert not is_complete(text, ENGINE.block_words)
