"""The host's half of the engine: which exports are called, in which order, with which scripts.

The module's reactor has `reserve(length) -> address`, `boot(harness, length, realm, length) -> status` and
`turn() -> status`. Knows nothing of requests: they lie on the harness's device.
"""

from pathlib import Path

from torpor.engines import Guest
from torpor.errors import EngineError

_FOLDER = Path(__file__).parent / "artifacts" / "guest"
#: The scripts of the guest's half in the order of `boot`: the harness's realm, the user's realm.
HARNESS = (_FOLDER / "harness.js", _FOLDER / "realm.js")


class JavaScriptDriver:
    """Stateless: all state is in the guest."""

    def boot(self, guest: Guest) -> None:
        guest.call("_initialize")
        arguments = [number for file in HARNESS for number in place(guest, file.read_bytes())]
        if guest.call("boot", *arguments) != 0:
            raise EngineError("The JavaScript engine could not be started: see what it wrote to stderr")

    def turn(self, guest: Guest) -> bool:
        return guest.call("turn") == 0


def place(guest: Guest, script: bytes) -> tuple[int, int]:
    """Put a script into the guest's memory, ended by a zero as the parser wants it: (address, length)."""
    address = guest.call("reserve", len(script) + 1)
    if not address:
        raise EngineError("The JavaScript engine has no memory for its own scripts")
    guest.write(address, script + b"\0")
    return address, len(script)
