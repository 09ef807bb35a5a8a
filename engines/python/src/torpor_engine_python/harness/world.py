"""The surroundings of an execution: streams, environment, folder, `__main__`, builtins, randomness.

Each execution starts in order, whatever the one before did to `sys`, `builtins` or `sys.modules`.
Changes to builtins are the user's to keep, but they are taken away while the harness works.
"""

import builtins
import importlib.machinery
import operator
import os
import random
import sys
import types
from collections.abc import Callable
from typing import Any

from torpor_engine_python.harness.guards import set_recursion_limit
from torpor_engine_python.harness.loop import Background
from torpor_engine_python.harness.natives import chdir, getcwd, is_a, modules, type_name
from torpor_engine_python.harness.streams import complain, streams

FALLBACK_FOLDER = "/workspace"
#: Python has this many places for tools that watch code run (`sys.monitoring`).
MONITORING_TOOLS = 6
#: Without these in `sys.modules`, imports fail in ways nobody can explain.
ESSENTIAL = ("sys", "builtins", "os", "io", "importlib", "_frozen_importlib", "encodings", "_reactor")

#: Lists and a dict of `sys` that the import system cannot do without.
IMPORTERS = ("path", "path_hooks", "meta_path", "path_importer_cache")

_builtins, _sys = builtins.__dict__, sys.__dict__
_Finder = importlib.machinery.FileFinder
_settrace, _setprofile, _monitoring = sys.settrace, sys.setprofile, _sys["monitoring"]
_get_recursion_limit = sys.getrecursionlimit
_environ: Any = os.environ
#: The environment as C has it, with names and values in bytes.
_c_environ: Callable[[], dict[bytes, bytes]] = os.__dict__["_create_environ"]
_put, _unset = os.putenv, os.unsetenv
_seed, _is = random.seed, operator.is_


class World:
    """Made at boot, in the state that every context starts from."""

    def __init__(self) -> None:
        self.main = types.ModuleType("__main__")
        self.main.__dict__["__builtins__"] = builtins
        self.background = Background()
        self.folders = Folders()
        self.numpy_seed: Any = None
        self.users_builtins: dict[str, Any] = {}
        self.users_recursion_limit = self.recursion_limit = sys.getrecursionlimit()

    def remember(self) -> None:
        """The end of boot: from here on, differences are the user's."""
        self.builtins = dict(_builtins)
        self.modules = dict(modules)
        self.importers = {name: _sys[name] for name in IMPORTERS}

    def prepare_names(self, display: Any) -> None:
        """The builtin that scripts do not have, and what the shared numpy generator needs."""
        _builtins["display"] = display
        self.numpy_seed = modules["numpy"].random.seed

    def keep_last(self, value: object) -> None:
        """As in the REPL, `_` is the last value; a global `_` of the user's comes before it."""
        _builtins["_"] = value

    def enter(self, request: dict[str, Any]) -> None:
        """Set everything up for one execution. What cannot be set up any more, the code must do without:
        no damage may keep a context from executing at all."""
        self.repair()
        steps: list[tuple[Callable[..., None], tuple[Any, ...]]] = [
            (streams.install, ()),
            (set_environment, (request["env"],)),
            (enter_folder, (request["cwd"],)),
            (self.reseed, (request.get("entropy"),)),
            (self.folders.forget, ()),
            (self.background.prepare, ()),
        ]
        for step, arguments in steps:
            try:
                step(*arguments)
            except Exception as error:  # noqa: BLE001 - the user took apart what the step is made of
                complain(f"[torpor] {step.__name__} failed: {type_name(type(error))}")
        _builtins.update(self.users_builtins)
        set_recursion_limit(self.users_recursion_limit)

    def leave(self) -> None:
        """Take control back after user code. What it left on is switched off."""
        _settrace(None)
        _setprofile(None)
        for tool in range(MONITORING_TOOLS):
            if _monitoring.get_tool(tool) is not None:
                _monitoring.free_tool_id(tool)
        self.users_recursion_limit = _get_recursion_limit()
        set_recursion_limit(self.recursion_limit)
        self.users_builtins = {}
        own = self.builtins
        if not all(map(_is, map(_builtins.get, own), own.values())):
            changed = [name for name in own if name in _builtins and _builtins[name] is not own[name]]
            self.users_builtins = {name: _builtins[name] for name in changed}
            _builtins.update(own)
        self.repair()

    def repair(self) -> None:
        """Put back what Python itself needs to run on."""
        _sys["modules"] = modules
        if any(name not in modules for name in ESSENTIAL):
            for name, module in self.modules.items():
                modules.setdefault(name, module)
        modules["__main__"] = self.main
        for name, own in self.importers.items():
            if not is_a(_sys.get(name), type(own)):
                _sys[name] = own

    def reseed(self, entropy: str | None) -> None:
        """Give the shared generators new seeds. Generators that the user made are the user's."""
        if entropy is None:
            return
        seed = int(entropy, 16)
        _seed(seed)
        if self.numpy_seed is not None:
            # The same generator as `random`'s: the same words in the same order would give the same numbers.
            self.numpy_seed([seed >> shift & 0xFFFFFFFF for shift in range(224, -32, -32)])


def set_environment(wanted: dict[str, str]) -> None:
    """Make both Python's and C's environment the wanted one, writing only what differs."""
    os.__dict__["environ"] = _environ
    have = _c_environ()
    encoded = {_encode(name): _encode(text) for name, text in wanted.items()}
    for name, value in encoded.items():
        if have.get(name) != value:
            _put(name, value)
    for name in have:
        if name not in encoded:
            _unset(name)
    python: dict[bytes, bytes] = _environ._data  # noqa: SLF001 - its methods would write to C again
    if python != encoded:
        python.clear()
        python.update(encoded)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def enter_folder(folder: str) -> None:
    try:
        chdir(folder)
    except OSError:
        chdir(FALLBACK_FOLDER)


def current_folder() -> str:
    try:
        return getcwd()
    except OSError:
        return FALLBACK_FOLDER


class Folders:
    """The import system's memory of folders, whose files may have come and gone since the last execution
    within one tick of a folder's clock.

    Only folders: the importer of the zipped library would read its directory of thousands anew. And
    only those known from the last look, as long as the cache has not grown: looking at hundreds of
    importers writes to their reference counts, which are as many pages to be compared after every turn.
    """

    def __init__(self) -> None:
        self.cache: dict[str, Any] = {}
        self.seen = -1
        self.finders: list[importlib.machinery.FileFinder] = []

    def forget(self) -> None:
        cache = sys.path_importer_cache
        if cache is not self.cache or len(cache) != self.seen:
            for path in [path for path, finder in cache.items() if finder is None]:
                del cache[path]
            self.finders = [finder for finder in cache.values() if type(finder) is _Finder]
            self.cache, self.seen = cache, len(cache)
        for finder in self.finders:
            finder.invalidate_caches()
