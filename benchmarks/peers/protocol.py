"""How a peer's process is asked: a line of JSON with an operation, a line of JSON with a number.

Request {"operation": name}; reply {"value": milliseconds or another number} or {"error": text}. The
process ends when its input does. Whatever the peer itself prints goes to standard error.
"""

import gc
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

_MS = 1000.0
_KIB = 1024


def serve(operations: Mapping[str, Callable[[], float]]) -> None:
    """Answer until the input ends."""
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    gc.disable()
    for line in sys.stdin:
        replies.write(json.dumps(_answer(operations, json.loads(line)["operation"])) + "\n")


def _answer(operations: Mapping[str, Callable[[], float]], name: str) -> dict[str, object]:
    try:
        return {"value": operations[name]()}
    except Exception as error:  # noqa: BLE001 - whatever a peer raises, its measurement is skipped
        return {"error": f"{type(error).__name__}: {error}"}


def stopwatch(work: Callable[[], object]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * _MS


def proportional_bytes(process: int | str = "self") -> int:
    """What a process costs in memory, its part of shared pages included (PSS)."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * _KIB
    raise OSError("the kernel gives no proportional set size")
