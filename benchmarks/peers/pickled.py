"""State by pickling: a fresh Python for each execution that loads its variables with dill, runs the
code and writes them back durably.

    python -m benchmarks.peers.pickled STATE CODE

STATE is made when it does not exist. What pickling cannot carry (open files, generators, ...) is lost;
here nothing of the kind is used.
"""

import importlib
import os
import sys
from pathlib import Path
from typing import Any


def main(state: Path, code: str) -> None:
    importlib.import_module("pandas")
    dill: Any = importlib.import_module("dill")
    names: dict[str, object] = dill.loads(state.read_bytes()) if state.exists() else {}
    exec(code, names)
    names.pop("__builtins__", None)
    _replace(state, dill.dumps(names))


def _replace(state: Path, data: bytes) -> None:
    temporary = state.with_suffix(".new")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(state)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
