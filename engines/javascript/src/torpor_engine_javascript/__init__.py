"""The JavaScript engine: QuickJS-NG with a Node-like library, declared for Torpor.

Data only, apart from the two calling sequences in `driver`. The Wasm module and the two scripts of the
guest's half are put into `artifacts` by the build hook.
"""

from pathlib import Path

from torpor.engines import Engine, EngineLimits
from torpor.limits import MIB
from torpor_engine_javascript.driver import HARNESS, JavaScriptDriver

__all__ = ["ENGINE"]

_ARTIFACTS = Path(__file__).parent / "artifacts"

ENGINE = Engine(
    binding="JAVASCRIPT",
    language="javascript",
    name="QuickJS-NG 0.17.0",
    version="0.1.0",
    wasm=_ARTIFACTS / "quickjs" / "quickjs.wasm",
    wasm_digest="9204279ce1a0496d4a0dcaa988f599a73b289dc3cd1368c79cc1b89147ea643a",
    harness=HARNESS,
    driver=JavaScriptDriver(),
    limits=EngineLimits(
        fuel=50_000_000,
        # The heap's own limit is half of that (shim/build.json): code that meets it can catch the error.
        memory_bytes=64 * MIB,
        boot_memory_bytes=64 * MIB,
        # A boot takes a few millions; one that needs many times that is broken.
        boot_fuel=50_000_000,
        # For ending code softly: clearing up after it, inspecting what it threw, answering.
        reserve_fuel=5_000_000,
    ),
    preopens=("/dev", "/workspace"),
    warm_up=(
        "1 + 1",
        "{ const a = [1, { b: 'c' }]; a }",
        "console.log(''); globalThis.a = 1; delete globalThis.a",
        "await null",
        "undefined",
    ),
    tidies=True,
    file_extensions=(".js", ".mjs", ".cjs", ".ts", ".mts"),
    licences=_ARTIFACTS,
    compile_seconds=3,
)
