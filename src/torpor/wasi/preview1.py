"""WASI preview1 for one instance: all functions, as imports that never let a Python error through.

An errno is a return value; the guest's mistakes are WasiError or OSError inside and become one.
Anything else that a call raises (GuestExit, an interruption, our own bug) is passed on and ends the
guest (`torpor.wasm.imports`).
"""

from collections.abc import Callable

from torpor.wasi.abi import FUNCTIONS, MODULE
from torpor.wasi.errors import WasiError, from_posix
from torpor.wasi.fd_calls import DescriptorCalls
from torpor.wasi.path_calls import PathCalls
from torpor.wasi.poll_calls import PollCalls
from torpor.wasi.process_calls import EnvironmentCalls, ProcessCalls, SocketCalls
from torpor.wasm.imports import HostFunction, Imports


class Preview1(EnvironmentCalls, DescriptorCalls, PathCalls, PollCalls, ProcessCalls, SocketCalls):
    """Construct with plain data (see `Host`), give `imports()` to the instance, then `bind` its memory."""

    def imports(self) -> Imports:
        return {
            (MODULE, name): HostFunction(params, result, _guarded(getattr(self, name)))
            for name, (params, result) in FUNCTIONS.items()
        }


def _guarded(method: Callable[..., None]) -> Callable[..., int]:
    def call(*arguments: int) -> int:
        try:
            method(*arguments)
        except WasiError as error:
            return error.errno
        except OSError as error:
            return from_posix(error.errno)
        return 0

    return call
