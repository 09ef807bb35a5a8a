"""The build hook as hatchling loads it; hatchling itself is only there while building."""

import importlib.util
import sys
import types
from pathlib import Path

ENGINE = Path(__file__).parents[3] / "engines" / "javascript"


def load_hook(folder: Path = ENGINE) -> types.ModuleType:
    """The hook of an engine's folder, which may be a copy."""
    spec = importlib.util.spec_from_file_location("javascript_hatch_build", folder / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Its dataclass looks itself up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
