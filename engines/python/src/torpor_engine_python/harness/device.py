"""The private device: one request is read from it, frames are written to it.

Knows nothing of what requests and frames mean. Opened anew each time, so that no descriptor of the
harness's is open while user code runs.
"""

from typing import Any

from torpor_engine_python.harness.natives import (
    O_APPEND,
    O_RDONLY,
    from_json,
    os_close,
    os_open,
    os_read,
    os_write,
)

DEVICE = "/dev/torpor"
CHUNK = 65536


def read_request() -> dict[str, Any]:
    descriptor = os_open(DEVICE, O_RDONLY)
    try:
        parts = []
        while part := os_read(descriptor, CHUNK):
            parts.append(part)
    finally:
        os_close(descriptor)
    request: dict[str, Any] = from_json(b"".join(parts).decode())
    return request


def write_frames(frames: list[str]) -> None:
    """Append complete frames, a line each."""
    data = memoryview("".join(f"{frame}\n" for frame in frames).encode("ascii"))
    descriptor = os_open(DEVICE, O_APPEND)
    try:
        while data:
            data = data[os_write(descriptor, data) :]
    finally:
        os_close(descriptor)
