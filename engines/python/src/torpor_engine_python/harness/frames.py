"""Builds the protocol's frames as JSON text, and keeps a result inside its size limit.

Sizes are bytes of UTF-8. A representation that was cut or left out is named, with its true size.
"""

from collections.abc import Mapping

from torpor_engine_python.harness.natives import quote, to_json

PLAIN = "text/plain"
JSON = "application/json"
#: Part of the limit that is kept for the text when a larger representation stands beside it.
TEXT_SHARE = 8


class RawJson(str):
    """Text that is JSON already, so that it is neither parsed nor encoded again."""

    __slots__ = ()


def encode(value: object) -> str:
    if isinstance(value, RawJson):
        return value
    return quote(value) if isinstance(value, str) else to_json(value)


def frame(kind: str, **fields: object) -> str:
    body = "".join(f',"{name}":{encode(value)}' for name, value in fields.items())
    return f'{{"type":"{kind}"{body}}}'


def result_frame(bundle: Mapping[str, str], limit: int, *, is_value: bool) -> str:
    """A result frame of at most about `limit` bytes of data."""
    kept, truncated = fit(bundle, limit)
    data = ",".join(f"{quote(mime)}:{encode(value)}" for mime, value in kept.items())
    return frame("result", data=RawJson(f"{{{data}}}"), isValue=is_value, truncated=truncated)


def fit(bundle: Mapping[str, str], limit: int) -> tuple[dict[str, str], dict[str, int]]:
    """Leave out what does not fit and cut the plain text to the rest: (data, true sizes)."""
    kept: dict[str, str] = {}
    truncated: dict[str, int] = {}
    text = bundle.get(PLAIN)
    reserved = min(byte_size(text), limit // TEXT_SHARE) if text is not None else 0
    room = limit - reserved
    for mime, value in bundle.items():
        if mime == PLAIN:
            continue
        size = byte_size(value)
        if size > room:
            truncated[mime] = size
        else:
            room -= size
            kept[mime] = value
    if text is None:
        return kept, truncated
    room += reserved
    size = byte_size(text)
    if size > room:
        truncated[PLAIN] = size
        text = cut(text, room, size)
    return {PLAIN: text, **kept}, truncated


def byte_size(text: str | None) -> int:
    return 0 if text is None else len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def cut(text: str, room: int, size: int) -> str:
    """The beginning of `text` and a marker, together within `room` bytes where that is possible."""
    marker = f"\n... [cut: {size:,} bytes in all]"
    head = text[:room].encode("utf-8", "surrogatepass")[: max(0, room - len(marker))]
    return head.decode("utf-8", "ignore") + marker
