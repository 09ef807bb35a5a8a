"""The host's half of the engine: which exports are called, in which order, with which source.

The module's reactor has `host_alloc(length) -> address` and `turn(address, length) -> status`; a
turn runs Python source in a namespace of the reactor's own and leaves 0 when nothing was raised.
The harness is loaded once by such a turn, and each request is one more of them. Knows nothing of
requests: they lie on the harness's device.
"""

from collections.abc import Sequence
from pathlib import Path

from torpor.engines import Guest

_FOLDER = Path(__file__).parent / "harness"
#: The harness's modules in the order in which they are loaded: each may use those before it.
MODULES = ()
HARNESS = (_FOLDER / "loader.py", *(_FOLDER / f"{name}.py" for name in MODULES))

class PythonDriver:
    """Stateless: all state is in the guest."""

    def boot(self, guest: Guest) -> None:
        if not self.run(guest, boot_source(HARNESS)):
            raise RuntimeError("the harness could not be loaded")

    def turn(self, guest: Guest) -> bool:
        return self.run(guest, "pass")

    def run(self, guest: Guest, source: str) -> bool:
        data = source.encode()
        address = guest.call("host_alloc", len(data))
        assert address is not None
        guest.write(address, data)
        return guest.call("turn", address, len(data)) == 0


def boot_source(files: Sequence[Path]) -> str:
    loader, *modules = (file.read_text(encoding="utf-8") for file in files)
    return f"{loader}\nload({modules!r})"
