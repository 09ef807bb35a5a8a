"""Loads the harness's modules at boot, where the user cannot reach them.

Each runs with a private copy of the builtins, so that a user who sets `builtins.len` breaks only
their own code. While loading, the modules import each other by their names on the host; afterwards
those names are gone from `sys.modules`. Runs as the source of the reactor's first turn.
"""

import builtins
import sys
import types

PACKAGE = "torpor_engine_python.harness"


def load(modules: list[tuple[str, str]]) -> types.ModuleType:
    """Run the sources, (name, text), in order. Returns the last module."""
    private = dict(builtins.__dict__)
    names = ["torpor_engine_python", PACKAGE]
    for name in names:
        sys.modules[name] = types.ModuleType(name)
    for name, text in modules:
        module = types.ModuleType(f"{PACKAGE}.{name}")
        module.__dict__["__builtins__"] = private
        names.append(module.__name__)
        sys.modules[module.__name__] = module
        exec(compile(text, f"<torpor>/{name}.py", "exec"), module.__dict__)  # noqa: S102
    for name in names:
        del sys.modules[name]
    return module
