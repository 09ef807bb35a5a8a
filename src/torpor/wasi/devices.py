"""Devices: what stands behind the standard streams and the names in /dev.

A device is any object with `read(size) -> bytes` and `write(data) -> int` (`workspace.nodes.Device`).
"""

import os
from collections.abc import Callable
from errno import EBADF

from torpor.workspace.filetree import fail
from torpor.workspace.nodes import Device, DeviceNode


class NullDevice:
    """/dev/null: empty to read, swallows what is written."""

    def read(self, size: int) -> bytes:
        return b""

    def write(self, data: bytes) -> int:
        return len(data)


class BytesDevice:
    """Input that is known beforehand. Cannot be written."""

    def __init__(self, data: bytes = b"") -> None:
        self._data = data
        self._position = 0

    def read(self, size: int) -> bytes:
        chunk = self._data[self._position : self._position + size]
        self._position += len(chunk)
        return chunk

    def write(self, data: bytes) -> int:
        fail(EBADF)


class OutputDevice:
    """Hands every write to `receive`. Cannot be read."""

    def __init__(self, receive: Callable[[bytes], object]) -> None:
        self._receive = receive

    def read(self, size: int) -> bytes:
        fail(EBADF)

    def write(self, data: bytes) -> int:
        self._receive(data)
        return len(data)


class HostStream:
    """An open descriptor of the host, such as the terminal of a command. Blocks as it does."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def read(self, size: int) -> bytes:
        return os.read(self._descriptor, size)

    def write(self, data: bytes) -> int:
        return os.write(self._descriptor, data)


class StandardStream:
    """One of descriptors 0, 1 and 2. `device` may be exchanged between executions: a guest's open
    descriptors follow, wherever it has moved them. `terminal` is what the guest's isatty answers."""

    def __init__(self, device: Device, *, terminal: bool = False) -> None:
        self.device = device
        self.terminal = terminal

    def read(self, size: int) -> bytes:
        return self.device.read(size)

    def write(self, data: bytes) -> int:
        return self.device.write(data)


def null_node() -> DeviceNode:
    """A node for /dev/null, on which every seek answers 0."""
    return DeviceNode(0, NullDevice(), seekable=True)
