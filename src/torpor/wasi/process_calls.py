"""Arguments, environment, clocks, randomness, ending; and sockets, of which there are none."""

from collections.abc import Iterable

from torpor.limits import MAX_HOST_CHUNK_BYTES
from torpor.wasi.abi import ClockId, Errno
from torpor.wasi.errors import GuestExit, WasiError
from torpor.wasi.host import Host

#: Shells report a death by signal this way.
_SIGNAL_EXIT = 128
#: All clocks count single nanoseconds.
_RESOLUTION = 1


class EnvironmentCalls(Host):
    """args_*, environ_*"""

    def args_get(self, pointers: int, buffer: int) -> None:
        self._store_strings(self._arguments(), pointers, buffer)

    def args_sizes_get(self, count: int, size: int) -> None:
        self._store_sizes(self._arguments(), count, size)

    def environ_get(self, pointers: int, buffer: int) -> None:
        self._store_strings(self._variables(), pointers, buffer)

    def environ_sizes_get(self, count: int, size: int) -> None:
        self._store_sizes(self._variables(), count, size)

    def _arguments(self) -> list[bytes]:
        return _terminated(self.args)

    def _variables(self) -> list[bytes]:
        return _terminated(f"{name}={value}" for name, value in self.env.items())

    def _store_strings(self, strings: list[bytes], pointers: int, buffer: int) -> None:
        for string in strings:
            self.memory.store_u32(pointers, buffer)
            self.memory.store(buffer, string)
            pointers += 4
            buffer += len(string)

    def _store_sizes(self, strings: list[bytes], count: int, size: int) -> None:
        self.memory.store_u32(count, len(strings))
        self.memory.store_u32(size, sum(map(len, strings)))


def _terminated(texts: Iterable[str]) -> list[bytes]:
    # A NUL inside would end the string early; surrogates stand for bytes that were no UTF-8.
    return [text.encode("utf-8", "surrogateescape").replace(b"\0", b"") + b"\0" for text in texts]


class ClockCalls(Host):
    """clock_*"""

    def clock_res_get(self, clock: int, result: int) -> None:
        self.read_clock(clock)
        self.memory.store_u64(result, _RESOLUTION)

    def clock_time_get(self, clock: int, _precision: int, result: int) -> None:
        self.memory.store_u64(result, self.read_clock(clock))

    def read_clock(self, clock: int) -> int:
        """EINVAL for an unknown clock."""
        if clock == ClockId.REALTIME:
            return self.clock.realtime()
        if clock == ClockId.MONOTONIC:
            return self.clock.monotonic()
        if clock in (ClockId.PROCESS_CPUTIME, ClockId.THREAD_CPUTIME):
            return self.clock.cpu()
        raise WasiError(Errno.INVAL)


class ProcessCalls(Host):
    """proc_*, sched_yield, random_get"""

    def proc_exit(self, code: int) -> None:
        raise GuestExit(code)

    def proc_raise(self, signal: int) -> None:
        """There are no handlers: every signal ends the guest."""
        raise GuestExit(_SIGNAL_EXIT + signal)

    def sched_yield(self) -> None:
        """Nothing else is waiting to run."""

    def random_get(self, buffer: int, length: int) -> None:
        self.memory.check(buffer, length)
        for start in range(0, length, MAX_HOST_CHUNK_BYTES):
            self.clock.sleep(0)  # a chance to be interrupted
            count = min(MAX_HOST_CHUNK_BYTES, length - start)
            self.memory.store(buffer + start, self.entropy(count))


class SocketCalls(Host):
    """sock_*: no descriptor is ever a socket."""

    def sock_accept(self, fd: int, _flags: int, _result: int) -> None:
        self._no_socket(fd)

    def sock_recv(self, fd: int, _data: int, _count: int, _flags: int, _size: int, _out_flags: int) -> None:
        self._no_socket(fd)

    def sock_send(self, fd: int, _data: int, _count: int, _flags: int, _size: int) -> None:
        self._no_socket(fd)

    def sock_shutdown(self, fd: int, _how: int) -> None:
        self._no_socket(fd)

    def _no_socket(self, fd: int) -> None:
        self.table[fd]
        raise WasiError(Errno.NOTSOCK)
