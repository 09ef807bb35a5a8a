"""How a WASI call fails, and how a guest ends.

    WasiError     the call returns its errno; the guest goes on
    GuestExit     the guest ended itself; unwinds the whole guest call

OSErrors of the file system below are answered by their errno's WASI number.
"""

import errno

from torpor.wasi.abi import Errno


class WasiError(Exception):
    """The only failure a call expects: `errno` is a number of `abi.Errno`."""

    def __init__(self, errno: int) -> None:
        super().__init__(errno)
        self.errno = errno


class GuestExit(Exception):  # noqa: N818 - ending is not an error
    """The guest called proc_exit (`code` as given) or raised a signal (128 + its number)."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


#: WASI and POSIX share their names: errno.ENOENT is Errno.NOENT.
_BY_POSIX: dict[int, int] = {
    getattr(errno, "E" + name): number
    for name, number in vars(Errno).items()
    if name.isupper() and hasattr(errno, "E" + name)
}


def from_posix(number: int | None) -> int:
    """The WASI number of a POSIX errno; EIO for those WASI does not know."""
    return _BY_POSIX.get(number or 0, Errno.IO)
