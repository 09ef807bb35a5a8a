"""The host's half of the engine: which exports are called, in which order, with which arguments.

The module offers Ruby's C API by the canonical ABI of its interface definition: a text is an address
and a length, a result of two parts is written to memory and its address returned. The harness is
loaded once, as source; its last value is the object whose method serves a request. Object and
method's number are noted in the guest's memory, so that nothing is kept outside of it. Knows nothing
of requests: they lie on the harness's device.
"""

import base64
import struct
from collections.abc import Sequence
from pathlib import Path

from torpor.engines import Guest
from torpor.errors import EngineError

_FOLDER = Path(__file__).parent / "harness"
#: The harness's files in the order in which they are loaded: each may use those before it.
MODULES = (
    "natives", "device", "text", "frames", "inspection", "values", "errors", "traces", "world",
    "environment", "guards", "endings", "execution",
    "completion", "warmup", "server",
)  # fmt: skip
HARNESS = (_FOLDER / "loader.rb", *(_FOLDER / f"{name}.rb" for name in MODULES))

_EVALUATE = "rb-eval-string-protect: func(str: string) -> tuple<handle<rb-abi-value>, s32>"
_CALL = (
    "rb-funcallv-protect: func(recv: handle<rb-abi-value>, mid: u32, args: list<handle<rb-abi-value>>)"
    " -> tuple<handle<rb-abi-value>, s32>"
)
_INTERN = "rb-intern: func(name: string) -> u32"
_START = "ruby-init: func(args: list<string>) -> ()"
_FORGET_ERROR = "rb-clear-errinfo: func() -> ()"
_ALLOCATE = "cabi_realloc"

#: UTF-8 everywhere, ordinary warnings, and a script that does nothing.
_ARGUMENTS = ("ruby", "-EUTF-8", "-W1", "-e", "")
#: The lowest bytes of the memory are the far end of the C stack, which grows downwards over 16 MiB:
#: whoever gets there has run out of stack. So a note can lie here at an address that is always the same.
_NOTE = 16
_NOTE_FORMAT = struct.Struct("<II")
_PAIR = struct.Struct("<Ii")
_METHOD = "serve"
_ALIGNMENT = 8
_LARGER_THAN_HOLES = 1 << 20
#: Sizes of the blocks that fill holes, the largest first.
_BLOCKS = tuple(1 << bits for bits in range(16, 3, -1))


class RubyDriver:
    """Stateless: all state is in the guest."""

    def boot(self, guest: Guest) -> None:
        guest.call("_initialize")
        start(guest, _ARGUMENTS)
        server, status = evaluate(guest, boot_source(HARNESS))
        if status:
            raise EngineError("The Ruby harness could not be loaded: see what it wrote to stderr")
        fill_holes(guest)
        note = _NOTE_FORMAT.pack(server, intern(guest, _METHOD))
        guest.write(_NOTE, note)

    def turn(self, guest: Guest) -> bool:
        server, method = _NOTE_FORMAT.unpack(guest.read(_NOTE, _NOTE_FORMAT.size))
        _, status = pair(guest, guest.call(_CALL, server, method, 0, 0))
        if status:
            guest.call(_FORGET_ERROR)
        return status == 0


def fill_holes(guest: Guest) -> None:
    """Take the free blocks that booting left all over the memory, for good.

    Else each execution would be given some of them, and a page here and a page there would change. What
    is allocated afterwards lies side by side, where the allocator has its untouched memory.
    """
    untouched = allocate(guest, _ALIGNMENT, _LARGER_THAN_HOLES)
    guest.call(_ALLOCATE, untouched, _LARGER_THAN_HOLES, _ALIGNMENT, _BLOCKS[-1])
    for size in _BLOCKS:
        while allocate(guest, _ALIGNMENT, size) < untouched:
            pass


def boot_source(files: Sequence[Path]) -> str:
    """The loader with the texts of all other files. Its last value is the object that serves."""
    loader, *modules = files
    texts = (f'["{file.name}", {quoted(file.read_text(encoding="utf-8"))}]' for file in modules)
    return f"{loader.read_text(encoding='utf-8')}\nload_harness([{', '.join(texts)}])\n"


def quoted(source: str) -> str:
    """An expression of Ruby's for a text, whatever is in it."""
    return f'"{base64.b64encode(source.encode()).decode()}".unpack1("m0").force_encoding("UTF-8")'


def start(guest: Guest, arguments: Sequence[str]) -> None:
    texts = [text(guest, argument) for argument in arguments]
    vector = allocate(guest, 4, 8 * len(texts))
    guest.write(vector, b"".join(struct.pack("<II", *one) for one in texts))
    guest.call(_START, vector, len(texts))


def evaluate(guest: Guest, source: str) -> tuple[int, int]:
    """The value's handle and Ruby's status: 0 when nothing was raised."""
    return pair(guest, guest.call(_EVALUATE, *text(guest, source)))


def intern(guest: Guest, name: str) -> int:
    return guest.call(_INTERN, *text(guest, name)) or 0


def text(guest: Guest, string: str) -> tuple[int, int]:
    """A text in the guest's memory, which the guest frees. Ruby wants a zero after it."""
    data = string.encode() + b"\0"
    address = allocate(guest, 1, len(data))
    guest.write(address, data)
    return address, len(data) - 1


def allocate(guest: Guest, alignment: int, size: int) -> int:
    address = guest.call(_ALLOCATE, 0, 0, alignment, size)
    if not address:
        raise EngineError("The Ruby engine has no memory left to start with")
    return address


def pair(guest: Guest, address: int | None) -> tuple[int, int]:
    handle, status = _PAIR.unpack(guest.read(address or 0, _PAIR.size))
    return handle, status
