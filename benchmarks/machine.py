"""What the machine is: read from the kernel and the installed packages."""

import os
import platform
import time
from importlib.metadata import version
from pathlib import Path

from benchmarks.results import Machine
from torpor.wasm.dirty import best_tracker

Load = tuple[float, float, float]


def load() -> Load:
    one, five, fifteen = os.getloadavg()
    return round(one, 2), round(five, 2), round(fifteen, 2)


def describe(folder: Path, before: Load) -> Machine:
    """This machine now; `folder` is where the sandboxes of the benchmark lie."""
    return Machine(
        date=time.strftime("%Y-%m-%d %H:%M %z"),
        cpu=_field("/proc/cpuinfo", "model name") or platform.processor() or "unknown",
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        kernel=f"{platform.system()} {platform.release()}",
        virtual="virtual machine" if "hypervisor" in _field("/proc/cpuinfo", "flags").split() else "",
        python=platform.python_version(),
        wasmtime=version("wasmtime"),
        torpor=version("torpor"),
        dirty_pages=best_tracker(),
        disk=_file_system(folder),
        load_before=before,
        load_after=load(),
    )


def _field(file: str, name: str) -> str:
    """The first value of a field in a "name: value" file; empty when there is none."""
    try:
        lines = Path(file).read_text().splitlines()
    except OSError:
        return ""
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(name)), "")


def _file_system(folder: Path) -> str:
    """The type of the file system that a folder lies on."""
    try:
        mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    except OSError:
        return "unknown"
    above = [(m[1], m[2]) for m in mounts if folder.resolve().is_relative_to(m[1])]
    return max(above, key=lambda mount: len(mount[0]), default=("", "unknown"))[1]
