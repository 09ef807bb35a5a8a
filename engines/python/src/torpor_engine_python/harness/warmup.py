"""Imports and tries what people use, so that every context starts with it in its base image.

Only at boot. Leaves nothing in any namespace and no file behind.
"""

import gc
import importlib
import io
import logging
import os
from typing import Any

from torpor_engine_python.harness.figures import figures

MODULES = (
    "abc", "argparse", "array", "ast", "asyncio", "base64", "bisect", "calendar", "collections.abc",
    "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal", "difflib", "enum", "fractions",
    "functools", "glob", "gzip", "hashlib", "heapq", "html", "inspect", "io", "itertools", "json", "logging",
    "math", "numbers", "operator", "os.path", "pathlib", "pickle", "pprint", "queue", "random", "re",
    "secrets", "shutil", "sqlite3", "statistics", "string", "struct", "tempfile", "textwrap", "threading",
    "time", "timeit", "traceback", "types", "typing", "unicodedata", "urllib.parse", "uuid", "warnings",
    "weakref", "zipfile", "zoneinfo",
    "numpy", "numpy.random", "pandas",
)  # fmt: skip


def import_everything() -> None:
    for name in MODULES:
        importlib.import_module(name)
    import_matplotlib()


def import_matplotlib() -> None:
    """Matplotlib wants a folder for its settings and writes a list of fonts there.

    Settings are looked for in /workspace; the list is kept in memory alone, so that no file of ours
    appears among the user's.
    """
    os.environ["MPLCONFIGDIR"] = "/workspace"
    mpl: Any = importlib.import_module("matplotlib")
    del os.environ["MPLCONFIGDIR"]
    mpl.get_cachedir = lambda: "/nowhere"
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    plt: Any = importlib.import_module("matplotlib.pyplot")
    logging.getLogger("matplotlib.font_manager").setLevel(logging.NOTSET)
    plt.switch_backend("agg")


def exercise() -> None:
    """Run the usual paths once: what is made lazily is made now, before the image is taken."""
    np: Any = importlib.import_module("numpy")
    pd: Any = importlib.import_module("pandas")
    frame = pd.DataFrame({"key": ["a", "b", "a"], "n": [1, 2, 3], "x": [0.5, 1.5, 2.5]})
    for _ in range(2):
        frame.to_csv(io.StringIO())
        repr(frame), frame._repr_html_(), repr(frame.describe()), repr(frame["x"])
        repr(frame.groupby("key").sum()), frame.merge(frame, on="key"), frame.sort_values("x")
    repr(pd.read_csv(io.StringIO("a,b\n1,2\n"))), repr(pd.date_range("2024-01-01", periods=2))
    repr(np.arange(3) / 2), np.dot(np.eye(2), np.eye(2)), np.random.default_rng(0).normal(size=2)
    draw()


def draw() -> None:
    plt: Any = importlib.import_module("matplotlib.pyplot")
    figure, axes = plt.subplots()
    axes.plot([1, 2, 3], label="line")
    axes.bar([1, 2], [3, 4])
    axes.set_title("title")
    axes.legend()
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")
    plt.close(figure)


def settle(world: Any) -> None:
    """Freeing garbage and freezing the rest keeps later collections from touching old pages."""
    world.remember()
    figures.close_fonts()
    gc.collect()
    gc.freeze()
