"""The process's three streams: raw guest bytes out, one-line complaints, quiet when a pipe breaks.

Knows no commands and no models.
"""

import os
import sys


def write_raw(stream: str, text: str) -> None:
    """Guest output, byte for byte and at once. Quiet when nobody reads any more: the code goes on."""
    target = sys.stderr if stream == "stderr" else sys.stdout
    try:
        buffer = getattr(target, "buffer", None)
        if buffer is None:  # replaced by an object that holds text
            target.write(text)
        else:
            target.flush()  # what was printed before, which another buffer may still hold
            buffer.write(encode(text))
        target.flush()
    except BrokenPipeError:
        if stream == "stdout":
            abandon_stdout()


def write_bytes(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def encode(text: str) -> bytes:
    """UTF-8; what a guest wrote that is no text comes out as it went in."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def say(message: str) -> None:
    """A line for the person at the terminal, kept apart from the output proper."""
    print(message, file=sys.stderr, flush=True)


def complain(message: str) -> None:
    """An error, on one line."""
    say(f"torpor: {printable(' '.join(message.split()))}")


def printable(text: str) -> str:
    """Text without characters that could drive a terminal: names in a sandbox are a guest's choice."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in text)


def finish() -> None:
    """Flush while a broken pipe can still be handled."""
    sys.stdout.flush()


def abandon_stdout() -> None:
    """Send what is still buffered nowhere, so that the interpreter's own exit stays quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def is_terminal(stream: str) -> bool:
    """Whether "stdin", "stdout" or "stderr" is one."""
    return bool(getattr(sys, stream).isatty())
