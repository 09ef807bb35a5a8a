"""Changes to Python that the machine asks for: what cannot work says so, and what would break the
guest beyond repair is held back. Installed once, at boot.
"""

import errno
import multiprocessing.process
import os
import sys
import tempfile
from typing import Any, NoReturn

#: Deepest recursion that surely fits the Wasm stack, whose end cannot be caught (50,000 was tried).
#: Recursion through C code, such as a `__repr__` or a sort key, ends before in a RecursionError.
RECURSION_CEILING = 20_000
#: Digits of an integer that may be printed. Python's own 4,300 protects servers from slow
#: conversions; here fuel does.
INTEGER_DIGITS = 1_000_000

set_recursion_limit = sys.setrecursionlimit


def setrecursionlimit(limit: int, /) -> None:
    """Set the maximum depth of the Python interpreter stack to n, at most the sandbox's ceiling.

    A higher value is taken as the ceiling: running out of the machine's stack ends the execution.
    """
    set_recursion_limit(min(limit, RECURSION_CEILING) if isinstance(limit, int) else limit)


def no_processes(*_: Any, **__: Any) -> NoReturn:
    raise OSError(errno.ENOTSUP, "There are no processes in the sandbox: nothing else can be started")


def no_network(*_: Any, **__: Any) -> NoReturn:
    raise OSError(errno.ENOTSUP, "There is no network in the sandbox")


def install(folder: str) -> None:
    sys.setrecursionlimit = setrecursionlimit
    sys.set_int_max_str_digits(INTEGER_DIGITS)
    sys.dont_write_bytecode = True
    os.system = os.popen = no_processes
    process: Any = multiprocessing.process.BaseProcess
    process.start = no_processes
    # Python would look for a folder by writing to each candidate, once in every context.
    tempfile.tempdir = folder
    name_the_missing_network()


def name_the_missing_network() -> None:
    import _socket
    import socket

    # Python's own "Not supported" leaves open what is not.
    made: Any = socket.socket
    made.__init__ = no_network

    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo"):
        if not hasattr(_socket, name):
            setattr(_socket, name, no_network)
