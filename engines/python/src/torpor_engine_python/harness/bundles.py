"""Turns a value into a MIME bundle, following the contract's mapping of Python values.

The text is `repr`. A dict or list that is JSON is also given as JSON, with exact digits. Objects
that offer `_repr_mimebundle_` or `_repr_html_` and the like, as notebooks know them, are asked for
those; what such a method raises only loses that one representation.
"""

import base64
import re
from collections.abc import Callable
from typing import Any

from torpor_engine_python.harness.frames import JSON, PLAIN, RawJson
from torpor_engine_python.harness.natives import is_a, to_json

#: Method name -> MIME type, in the order in which representations get their share of the limit.
METHODS = (
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_latex_", "text/latex"),
    ("_repr_json_", JSON),
)
#: Converters for types that offer no method of their own: (test, MIME type, converter).
CONVERTERS: list[tuple[Callable[[object], bool], str, Callable[[Any], bytes]]] = []
to_base64 = base64.b64encode

#: The host refuses frames with more than these: such values are given as text alone.
JSON_DEPTH = 150
_is_mime = re.compile(r"[a-z0-9!#$&^_.+-]{1,64}/[A-Za-z0-9!#$&^_.+-]{1,128}").fullmatch
_long_number = re.compile(r"\d{4000}").search
_innermost = re.compile(r"\[\]|\{\}").sub
_not_brackets = re.compile(r'"(?:[^"\\]|\\.)*"|[^\[\]{}"]+').sub


def bundle_of(value: object) -> dict[str, str]:
    """The value's representations. Raises what its `repr` raises."""
    if is_a(value, (dict, list)):
        return container_bundle(value)
    rich = rich_bundle(value)
    if PLAIN not in rich:
        rich[PLAIN] = text_of(value)
    return rich


def text_of(value: object) -> str:
    """`repr`, as a plain str even when it returned a subclass of one."""
    return str.__str__(repr(value))


def container_bundle(value: object) -> dict[str, str]:
    bundle = {PLAIN: text_of(value)}
    add(bundle, JSON, value)
    return bundle


def json_of(value: object) -> RawJson | None:
    """None when the value is not JSON, or is JSON that the host would not take."""
    try:
        text = to_json(value)
    except Exception:  # noqa: BLE001 - also what user code in a subclass raises
        return None
    return RawJson(text) if not _long_number(text) and depth(text) <= JSON_DEPTH else None


def depth(text: str) -> int:
    """How deep JSON text is nested: how often its innermost brackets can be removed."""
    levels, text = 0, _not_brackets("", text)
    while text and levels <= JSON_DEPTH:
        levels, text = levels + 1, _innermost("", text)
    return levels


def rich_bundle(value: object) -> dict[str, str]:
    kind = type(value)
    bundle = given_bundle(kind, value)
    for name, mime in METHODS:
        if mime not in bundle and (method := find(kind, name)) is not None:
            add(bundle, mime, attempt(method, value))
    for test, mime, convert in CONVERTERS:
        if mime not in bundle and test(value):
            add(bundle, mime, attempt(convert, value))
    return bundle


def given_bundle(kind: type, value: object) -> dict[str, str]:
    """What `_repr_mimebundle_` returns: a dict, or a dict and its metadata."""
    method = find(kind, "_repr_mimebundle_")
    if method is None:
        return {}
    given = attempt(lambda v: method(v, include=None, exclude=None), value) or attempt(method, value)
    if is_a(given, tuple) and given:
        given = given[0]
    return from_user(given)


def from_user(given: object) -> dict[str, str]:
    """A bundle made by user code, with everything dropped that has no proper form."""
    bundle: dict[str, str] = {}
    if is_a(given, dict):
        for mime, part in tuple(given.items()):
            if type(mime) is str and _is_mime(mime):
                add(bundle, mime, part)
    return bundle


def find(kind: type, name: str) -> Callable[..., object] | None:
    """A method of the class. The instance is not asked: some objects answer to every name."""
    try:
        method = getattr(kind, name, None)
    except Exception:  # noqa: BLE001
        return None
    return method if callable(method) and not is_a(method, type) else None


def attempt(method: Callable[..., object], value: object) -> object:
    try:
        return method(value)
    except Exception:  # noqa: BLE001
        return None


def add(bundle: dict[str, str], mime: str, part: object) -> None:
    """Add one representation if it has the form that its type asks for."""
    if is_a(part, tuple) and part:  # (data, metadata)
        part = part[0]
    if part is None:
        return
    if mime == JSON or mime.endswith("+json"):
        if (text := json_of(part)) is not None:
            bundle[mime] = text
    elif is_a(part, (bytes, bytearray)):
        bundle[mime] = to_base64(bytes(part)).decode("ascii")
    elif is_a(part, str):
        bundle[mime] = str.__str__(part)
