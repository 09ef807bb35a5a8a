"""The host's half of the engine: which exports are called, in which order, with which source.

The module's reactor has `host_alloc(length) -> address` and `turn(address, length) -> status`; a
turn runs Python source in a namespace of the reactor's own and leaves 0 when nothing was raised.
The harness is loaded once by such a turn, and each request is one more of them. Knows nothing of
requests: they lie on the harness's device.
"""

from collections.abc import Sequence
from pathlib import Path

from torpor.engines import Guest
from torpor.errors import EngineError

_FOLDER = Path(__file__).parent / "harness"
#: The harness's modules in the order in which they are loaded: each may use those before it.
MODULES = (
    "natives", "device", "frames", "streams", "bundles", "display", "figures", "errors", "loop", "guards",
    "world", "execution", "completion", "tidying", "warmup", "server",
)  # fmt: skip
HARNESS = (_FOLDER / "loader.py", *(_FOLDER / f"{name}.py" for name in MODULES))

#: What a turn is given. It is not looked at: the harness has put itself in the place of the compiler.
TURN = "torpor"


class PythonDriver:
    """Stateless: all state is in the guest."""

    def boot(self, guest: Guest) -> None:
        """Load the harness and warm up, in one turn of the reactor's own kind."""
        if not run(guest, boot_source(HARNESS)):
            raise EngineError("The Python harness could not be loaded: see what it wrote to stderr")

    def turn(self, guest: Guest) -> bool:
        return run(guest, TURN)


def run(guest: Guest, source: str) -> bool:
    data = source.encode()
    address = guest.call("host_alloc", len(data))
    if not address:
        return False
    guest.write(address, data)
    return guest.call("turn", address, len(data)) == 0


def boot_source(files: Sequence[Path]) -> str:
    """The loader with the texts of all other files, as source of a turn."""
    loader, *modules = files
    texts = [(file.stem, file.read_text(encoding="utf-8")) for file in modules]
    return f"{loader.read_text(encoding='utf-8')}\nload({texts!r}).boot()\n"
