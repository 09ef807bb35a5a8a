"""The private device over which host and harness speak: one request in, one reply out."""

import os
from errno import EFBIG

from torpor.limits import MAX_REPLY_BYTES


class HarnessChannel:
    """A device (`workspace.nodes.Device`) that holds the request and collects the reply."""

    def __init__(self) -> None:
        self._request = b""
        self._position = 0
        self._reply = bytearray()

    def begin(self, request: bytes) -> None:
        """Lay a request; whatever an earlier turn left is gone."""
        self._request, self._position = request, 0
        self._reply.clear()

    def end(self) -> bytes:
        """The reply so far; the request is withdrawn."""
        reply = bytes(self._reply)
        self.begin(b"")
        return reply

    def read(self, size: int) -> bytes:
        data = self._request[self._position : self._position + size]
        self._position += len(data)
        return data

    def write(self, data: bytes) -> int:
        if len(self._reply) + len(data) > MAX_REPLY_BYTES:
            raise OSError(EFBIG, os.strerror(EFBIG))
        self._reply += data
        return len(data)
