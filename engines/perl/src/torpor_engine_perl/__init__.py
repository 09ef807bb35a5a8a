"""The Perl engine: Perl 5.42, declared for Torpor.

Data only, apart from the two calling sequences in `driver`. The guest's half is the folder `harness`;
the Wasm module is put into `artifacts` by the build hook.
"""

from pathlib import Path

from torpor.engines import Engine, EngineLimits, ReadOnlyMount
from torpor.limits import MIB
from torpor_engine_perl.driver import HARNESS, PerlDriver

__all__ = ["ENGINE"]

_ARTIFACTS = Path(__file__).parent / "artifacts"
_MODULES = Path(__file__).parent / "modules"
#: The module numbers the files of its built-in library itself, from 3 on, blind to the numbers that the
#: host gives to real files: with both open, one would be read for the other. It never has more than 16
#: open, so the host's numbers are made to begin above those: each preopened folder takes one.
_LIBRARY_DESCRIPTORS = 16
_FOLDERS = ("/dev", "/workspace", "/torpor/lib")
_RESERVED = tuple(f"/torpor/reserved/{n}" for n in range(_LIBRARY_DESCRIPTORS - len(_FOLDERS)))


def _no_host_functions(*_: int) -> int:
    """The module's door to functions of its host: there is nothing behind it."""
    return 0


ENGINE = Engine(
    binding="PERL",
    language="perl",
    name="Perl 5.42.0 / zeroperl 1.0.10",
    version="0.1.0",
    wasm=_ARTIFACTS / "zeroperl.wasm",
    wasm_digest="a6ae97f184fabc444b0b70d77c3d16475bfb3de16ebfb58ab8b2fbf98a53835e",
    # The driver too: what it evaluates is part of the image.
    harness=(*HARNESS, *sorted(_MODULES.rglob("*.pm")), Path(__file__).parent / "driver.py"),
    driver=PerlDriver(),
    limits=EngineLimits(
        fuel=10_000_000,
        memory_bytes=64 * MIB,
        boot_memory_bytes=64 * MIB,
        # Boot takes about 1 million; a boot that needs many times that is broken.
        boot_fuel=20_000_000,
    ),
    preopens=(*_FOLDERS, *_RESERVED),
    mounts=(ReadOnlyMount("/torpor/lib", _MODULES),),
    argv=("perl",),
    env={},
    imports={("env", "call_host_function"): _no_host_functions},
    # Without a name, but through what declares names, shows values and tells errors.
    warm_up=("BEGIN { } 1", "print ''", "eval { die 'x' }; [1, 'a', { b => undef }]", "1", "1"),
    file_extensions=(".pl", ".pm", ".t"),
    compile_seconds=15,
    licences=_ARTIFACTS / "LICENSES",
)
