"""What a guest prints: chunks in their true order and time, passed on as they come, cut at the limit."""

import codecs
import io
import time
from collections.abc import Callable
from dataclasses import dataclass

from torpor.limits import MAX_OUTPUT_BYTES, MAX_OUTPUT_CHUNKS
from torpor.models import Logs, OutputChunk, OutputMessage, Stream


@dataclass(frozen=True, slots=True)
class OutputCallbacks:
    """`on_output` gets chunks as they are written, the others whole lines without their newline."""

    on_output: Callable[[OutputChunk], object] | None = None
    on_stdout: Callable[[OutputMessage], object] | None = None
    on_stderr: Callable[[OutputMessage], object] | None = None


class OutputCollector:
    """Both streams of one execution. An exception of a callback is kept and raised by `finish`:
    it is the caller's mistake, not the guest's."""

    def __init__(self, callbacks: OutputCallbacks, limit: int = MAX_OUTPUT_BYTES) -> None:
        self._callbacks = callbacks
        self._limit = limit
        self._began = time.monotonic()
        self._total = 0
        self._kept = 0
        self._chunks: list[OutputChunk] = []
        #: What came in more chunks than are kept apart.
        self._further: dict[Stream, io.StringIO] = {"stdout": io.StringIO(), "stderr": io.StringIO()}
        self._decoders = {
            stream: codecs.getincrementaldecoder("utf-8")("replace") for stream in ("stdout", "stderr")
        }
        self._lines = {
            "stdout": _LineSplitter(callbacks.on_stdout),
            "stderr": _LineSplitter(callbacks.on_stderr),
        }
        self._callback_error: Exception | None = None

    def write(self, stream: Stream, data: bytes) -> None:
        """Take one write of the guest. Beyond the limit bytes are counted and dropped."""
        self._total += len(data)
        data = data[: max(self._limit - self._kept, 0)]
        self._kept += len(data)
        self._add(stream, self._decoders[stream].decode(data))

    def _add(self, stream: Stream, text: str) -> None:
        if not text:
            return
        chunk = OutputChunk(stream, text, self._elapsed())
        if len(self._chunks) < MAX_OUTPUT_CHUNKS:
            self._chunks.append(chunk)
        else:
            self._further[stream].write(text)
        self._notify(stream, chunk)

    def _elapsed(self) -> float:
        return round((time.monotonic() - self._began) * 1000, 3)

    def _notify(self, stream: Stream, chunk: OutputChunk) -> None:
        if self._callback_error is not None:
            return
        try:
            if self._callbacks.on_output is not None:
                self._callbacks.on_output(chunk)
            self._lines[stream].feed(chunk.text)
        except Exception as error:  # noqa: BLE001 - raised by finish
            self._callback_error = error

    def finish(self) -> tuple[Logs, Exception | None]:
        """Everything collected, and what a callback raised. Call once, after the guest has returned."""
        streams: tuple[Stream, Stream] = ("stdout", "stderr")
        for stream in streams:
            self._add(stream, self._decoders[stream].decode(b"", final=True))
        truncated = self._total if self._total > self._limit else None
        if truncated is not None:
            last = self._chunks[-1].stream if self._chunks else "stdout"
            marker = f"\n[output cut: {self._total} bytes were written, the limit is {self._limit}]\n"
            self._add(last, marker)
        self._chunks += [
            OutputChunk(stream, text, self._elapsed())
            for stream, further in self._further.items()
            if (text := further.getvalue())
        ]
        for stream in streams:
            try:
                self._lines[stream].flush()
            except Exception as error:  # noqa: BLE001
                self._callback_error = self._callback_error or error
        stdout, stderr = (split_lines(self._joined(stream)) for stream in streams)
        return Logs(stdout, stderr, tuple(self._chunks), truncated), self._callback_error

    def _joined(self, stream: Stream) -> str:
        return "".join(chunk.text for chunk in self._chunks if chunk.stream == stream)


def split_lines(text: str) -> tuple[str, ...]:
    """Lines as the contract has them: split at newlines only, one trailing empty piece dropped."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return tuple(lines)


class _LineSplitter:
    """Calls back once for each whole line."""

    def __init__(self, callback: Callable[[OutputMessage], object] | None) -> None:
        self._callback = callback
        self._partial: list[str] = []

    def feed(self, text: str) -> None:
        if self._callback is None:
            return
        *whole, rest = text.split("\n")
        for line in whole:
            self._emit("".join((*self._partial, line)))
            self._partial.clear()
        if rest:
            self._partial.append(rest)

    def flush(self) -> None:
        if self._partial and self._callback is not None:
            self._emit("".join(self._partial))
            self._partial.clear()

    def _emit(self, line: str) -> None:
        assert self._callback is not None
        self._callback(OutputMessage(line, int(time.time() * 1000)))
