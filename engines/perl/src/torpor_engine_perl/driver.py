"""The host's half of the engine: which exports are called, in which order, with which source.

`zeroperl_eval(address, context, argc, argv)` compiles and runs Perl source, and leaves 0 when nothing
was raised. The harness is loaded once that way, and each request is one more evaluation. Knows nothing
of requests: they lie on the harness's device.
"""

from collections.abc import Iterable
from pathlib import Path

from torpor.engines import Guest
from torpor.errors import EngineError

_FOLDER = Path(__file__).parent / "harness"
#: The harness's files in the order in which they are compiled: each may use those before it.
FILES = (
    "prologue", "magic", "device", "json", "literals", "frames", "tokens", "scopes", "errors", "streams",
    "world", "endings", "execution", "display", "completion", "preload", "entry",
)  # fmt: skip
HARNESS = tuple(_FOLDER / f"{name}.pl" for name in FILES)

#: What a turn evaluates: the harness keeps this name in place.
TURN = "Torpor::serve()"
_SCALAR_CONTEXT = 1
_ERROR_LENGTH = 1024


class PerlDriver:
    """Stateless: all state is in the guest."""

    def boot(self, guest: Guest) -> None:
        guest.call("_initialize")
        if guest.call("zeroperl_init") != 0:
            raise EngineError(f"Perl could not be started: {last_error(guest)}")
        if not evaluate(guest, boot_source(HARNESS)):
            raise EngineError(f"The Perl harness could not be loaded: {last_error(guest)}")

    def turn(self, guest: Guest) -> bool:
        return evaluate(guest, TURN)


def evaluate(guest: Guest, source: str) -> bool:
    data = source.encode() + b"\0"
    address = guest.call("malloc", len(data))
    if not address:
        return False
    guest.write(address, data)
    status = guest.call("zeroperl_eval", address, _SCALAR_CONTEXT, 0, 0)
    guest.call("free", address)
    return status == 0


def last_error(guest: Guest) -> str:
    address = guest.call("zeroperl_last_error")
    text = guest.read(address, _ERROR_LENGTH).partition(b"\0")[0] if address else b""
    return text.decode("utf-8", "replace")


def boot_source(files: Iterable[Path]) -> str:
    """All files as one text, in one lexical scope: what is lexical there, no user can reach. Each keeps
    its own name and line numbers."""
    parts = (f'#line 1 "<torpor>/{file.name}"\n{file.read_text(encoding="utf-8")}\n' for file in files)
    return "".join(parts)
