"""`display()` and the small classes notebooks have for showing things, also as `IPython.display`.

A displayed object becomes a result frame at once, after what was printed before it. Results are
counted; those beyond the limit are dropped and the user is told.
"""

import importlib.machinery
import types
from typing import Any

from torpor_engine_python.harness.bundles import bundle_of, from_user
from torpor_engine_python.harness.device import write_frames
from torpor_engine_python.harness.frames import PLAIN, result_frame
from torpor_engine_python.harness.streams import complain, flush_all

#: All results of an execution together may be this many times as large as one of them.
TOGETHER = 12


class Results:
    """Writes the result frames of one execution within its limits. One place is kept for the value."""

    def __init__(self) -> None:
        self.begin(result_bytes=0, results=0)

    def begin(self, *, result_bytes: int, results: int) -> None:
        self.result_bytes, self.places, self.dropped = result_bytes, results, 0
        self.room = TOGETHER * result_bytes

    def show(self, bundle: dict[str, str], *, is_value: bool = False) -> None:
        if not bundle:
            return
        text = result_frame(bundle, self.result_bytes, is_value=is_value)
        if self.places <= (0 if is_value else 1) or len(text) > self.room:
            self.dropped += 1
            return
        self.places -= 1
        self.room -= len(text)
        flush_all()
        write_frames([text])

    def finish(self) -> None:
        if self.dropped:
            complain(f"[torpor] {self.dropped} results are left out: there were too many, or too large ones")


results = Results()


def display(*objects: Any, raw: bool = False, **_: Any) -> None:
    """Show objects as results. With `raw`, each object is a dict of MIME type -> representation."""
    for value in objects:
        results.show(from_user(value) if raw else bundle_of(value))


class Shown:
    """Base of the classes below: data of one MIME type, from a value or from a file."""

    mime = PLAIN
    binary = False

    def __init__(
        self, data: Any = None, *, filename: str | None = None, url: str | None = None, **_: Any
    ) -> None:
        if url is not None:
            raise ValueError("there is no network in the sandbox: pass data or a filename, not a URL")
        self.filename = filename
        self.data = self.load(filename) if data is None and filename is not None else data

    def load(self, filename: str) -> Any:
        with open(filename, "rb") as file:
            data = file.read()
        return data if self.binary else data.decode()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        return {self.mime: self.data, PLAIN: repr(self)}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object>"


class Pretty(Shown):
    def __repr__(self) -> str:
        return str(self.data)


class HTML(Shown):
    mime = "text/html"


class Markdown(Shown):
    mime = "text/markdown"


class Latex(Shown):
    mime = "text/latex"


class Math(Latex):
    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        body = str(self.data).strip("$")
        return {self.mime: f"$\\displaystyle {body}$", PLAIN: repr(self)}


class SVG(Shown):
    mime = "image/svg+xml"


class JSON(Shown):
    mime = "application/json"


class Javascript(Shown):
    mime = "text/javascript"


class Image(Shown):
    """A PNG, JPEG, GIF, WebP or SVG image, told apart by its first bytes."""

    binary = True
    SIGNATURES = (
        (b"\x89PNG", "image/png"),
        (b"\xff\xd8", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"RIFF", "image/webp"),
    )

    def __init__(self, data: Any = None, *, filename: str | None = None, **options: Any) -> None:
        if isinstance(data, str) and filename is None and not data.lstrip().startswith("<"):
            data, filename = None, data
        super().__init__(data, filename=filename, **options)
        head = bytes(self.data[:4]) if isinstance(self.data, (bytes, bytearray)) else b""
        found = [mime for start, mime in self.SIGNATURES if head.startswith(start)]
        self.mime = found[0] if found else "image/svg+xml"
        if not found and isinstance(self.data, (bytes, bytearray)):
            self.data = bytes(self.data).decode()


def clear_output(wait: bool = False) -> None:
    """Nothing: what was shown has left the sandbox."""


def get_ipython() -> None:
    """None, as outside of a notebook: libraries ask whether they run in IPython."""


def ipython_modules() -> dict[str, types.ModuleType]:
    """Modules under IPython's names, for code written for notebooks."""
    package, shim = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    shown = (display, clear_output, HTML, Markdown, Latex, Math, SVG, JSON, Javascript, Image, Pretty)
    for part in shown:
        part.__module__ = shim.__name__
        setattr(shim, part.__name__, part)
    package.__dict__.update(
        __path__=[], version_info=(9, 0, 0), __version__="9.0.0", get_ipython=get_ipython, display=shim
    )
    core = types.ModuleType("IPython.core")
    core.__dict__.update(__path__=[], display=shim)
    return {"IPython": package, shim.__name__: shim, "IPython.core": core, "IPython.core.display": shim}


new_spec: Any = importlib.machinery.ModuleSpec


class ShimFinder:
    """Imports those modules on demand. They are not put into `sys.modules` before, because libraries
    take that for a sign that they run in IPython."""

    def __init__(self) -> None:
        self.modules = ipython_modules()

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        return new_spec(name, self) if name in self.modules else None

    def create_module(self, spec: Any) -> types.ModuleType:
        return self.modules[spec.name]

    def exec_module(self, module: types.ModuleType) -> None:
        """The module is complete already."""
