"""The standard streams: UTF-8 text over descriptors 0, 1 and 2, whole again for every execution.

stdout is written at each line's end and stderr at once, and stderr flushes stdout first, so the
host sees both in the order in which they were written.
"""

import io
import sys
from typing import Any

from torpor_engine_python.harness.natives import os_read, os_write

BUFFER = 4096
_sys = sys.__dict__


class Output(io.TextIOWrapper):
    """A standard stream that prints lone surrogates as escapes instead of failing."""

    def __init__(self, descriptor: int, name: str) -> None:
        raw = io.FileIO(descriptor, "w", closefd=False)
        super().__init__(
            io.BufferedWriter(raw, BUFFER), "utf-8", "backslashreplace", newline="\n", line_buffering=True
        )
        self.__dict__["mode"] = "w"
        raw.name = name


class ErrorOutput(Output):
    def write(self, text: str) -> int:
        flush(streams.out)
        written = super().write(text)
        super().flush()
        return written


class InputBytes(io.RawIOBase):
    """Descriptor 0, remembering whether it was read: what is left in the buffers above it is then
    the rest of another execution's input."""

    name = "<stdin>"
    used = False

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 0

    def readinto(self, buffer: Any) -> int:
        self.used = True
        data = os_read(0, len(buffer))
        buffer[: len(data)] = data
        return len(data)


class Streams:
    """The three streams in use. Any of them is replaced when the user closed or detached it."""

    def __init__(self) -> None:
        self.out: io.TextIOWrapper = Output(1, "<stdout>")
        self.err: io.TextIOWrapper = ErrorOutput(2, "<stderr>")
        self.renew_input()

    def renew_input(self) -> None:
        self.input_bytes = InputBytes()
        self.input = io.TextIOWrapper(
            io.BufferedReader(self.input_bytes, BUFFER), "utf-8", "surrogateescape", newline=None
        )

    def install(self) -> None:
        """Undo what the last execution did to the streams."""
        if not usable(self.out):
            self.out = Output(1, "<stdout>")
        if not usable(self.err):
            self.err = ErrorOutput(2, "<stderr>")
        if self.input_bytes.used or not usable(self.input):
            self.renew_input()
        _sys.update(stdin=self.input, stdout=self.out, stderr=self.err)
        _sys.update(__stdin__=self.input, __stdout__=self.out, __stderr__=self.err)


def usable(stream: io.TextIOWrapper) -> bool:
    """Whether it still is as it was made: not closed, detached, reconfigured or given methods."""
    try:
        return (
            not stream.closed
            and stream.encoding == "utf-8"
            and stream.errors in ("backslashreplace", "surrogateescape")
            and stream.__dict__.keys() <= {"mode"}
            and (stream.line_buffering or stream is streams.input)
        )
    except ValueError:  # detached
        return False


def flush(stream: Any) -> None:
    """Flush, whatever the stream is by now; a user's own broken stream is their matter."""
    try:  # noqa: SIM105 - contextlib can be taken apart by the user
        stream.flush()
    except Exception:  # noqa: BLE001
        pass


def flush_all() -> None:
    """Bring everything written so far to the host: the user's streams first, as they may feed ours."""
    for stream in (_sys.get("stdout"), _sys.get("stderr"), streams.out, streams.err):
        flush(stream)


def complain(text: str) -> None:
    """A line of the harness's own on stderr, past whatever the stream is by now."""
    flush_all()
    data = f"{text}\n".encode("utf-8", "backslashreplace")
    while data:
        data = data[os_write(2, data) :]


streams = Streams()
