"""Loads an engine's build hook for its tests."""

import importlib.util
import sys
import types
from pathlib import Path

_INTERFACE = "hatchling.builders.hooks.plugin.interface"


def load_hook(folder: Path) -> types.ModuleType:
    """The hook in an engine's folder as hatchling loads it; hatchling itself is only there while building."""
    parts = _INTERFACE.split(".")
    names = [".".join(parts[: count + 1]) for count in range(len(parts))]
    stand_ins = {name: types.ModuleType(name) for name in names}
    stand_ins[_INTERFACE].BuildHookInterface = object  # type: ignore[attr-defined]
    before = {name: sys.modules[name] for name in names if name in sys.modules}
    own_name = f"hatch_build_of_{folder.name}"
    sys.modules.update(stand_ins)
    try:
        spec = importlib.util.spec_from_file_location(own_name, folder / "hatch_build.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[own_name] = module  # dataclasses look their module up
        spec.loader.exec_module(module)
    finally:
        for name in names:
            del sys.modules[name]
        sys.modules.update(before)
    return module
