"""What the harness needs of Python after boot, saved before the user can replace it.

C functions are safe once held. Modules written in Python reach for other modules and for builtins
when they are called, so the two that are needed (`linecache`, `traceback`) are loaded a second time
as private copies.
"""

import builtins
import importlib.util
import json.decoder
import json.encoder
import json.scanner
import os
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, TypeGuard, TypeVar

T = TypeVar("T")
#: How the harness's own frames are recognised; `loader` names the files so.
HARNESS_FILES = "<torpor>/"
CELL_FILES = "<cell "

modules = sys.modules

os_open, os_read, os_write, os_close = os.open, os.read, os.write, os.close
chdir, getcwd = os.chdir, os.getcwd
O_RDONLY, O_APPEND = os.O_RDONLY, os.O_WRONLY | os.O_APPEND


def private_copies(names: Iterable[str]) -> list[types.ModuleType]:
    """Load modules again, apart from those in `sys.modules`, with builtins of their own."""
    public = {name: modules.pop(name, None) for name in names}
    copies = []
    try:
        for name in public:
            spec = importlib.util.find_spec(name)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            module.__dict__["__builtins__"] = dict(builtins.__dict__)
            modules[name] = module
            spec.loader.exec_module(module)
            copies.append(module)
    finally:
        for name, original in public.items():
            modules.pop(name, None)
            if original is not None:
                modules[name] = original
    return copies


linecache, traceback = private_copies(["linecache", "traceback"])

_make_scanner: Any = json.scanner.make_scanner
_scan: Callable[[str, int], tuple[Any, int]] = _make_scanner(json.decoder.JSONDecoder())
_make_encoder: Any = json.encoder.__dict__["c_make_encoder"]
quote: Callable[[str], str] = json.encoder.encode_basestring_ascii


def from_json(text: str) -> Any:
    return _scan(text, 0)[0]


def _refuse(value: object) -> None:
    raise TypeError(type(value).__name__)


def to_json(value: object) -> str:
    """JSON in ASCII with exact digits. Raises for NaN, cycles and anything that JSON has no form for."""
    # The encoder remembers the containers it is inside of; after an error that memory is stale, so
    # each call makes a new one.
    encode = _make_encoder({}, _refuse, quote, None, ":", ",", False, False, False)
    return "".join(encode(value, 0))


def type_name(kind: type) -> str:
    """The class's own name, past whatever a metaclass says."""
    name: str = type.__dict__["__name__"].__get__(kind)
    return name


def is_a(value: object, kinds: type[T] | tuple[type[T], ...]) -> TypeGuard[T]:
    """`isinstance` by the value's real type: its `__class__` may be code of the user's."""
    return issubclass(type(value), kinds)
