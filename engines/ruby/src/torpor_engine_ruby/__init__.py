"""The Ruby engine: CRuby 4.0 with its standard library, declared for Torpor.

Data only, apart from the two calling sequences in `driver` and the answers in `imports`. The guest's
half is the folder `harness`; the Wasm module is put into `artifacts` by the build hook.
"""

from pathlib import Path

from torpor.engines import BlockWords, Engine, EngineLimits
from torpor.limits import MIB
from torpor_engine_ruby.driver import DRIVER, HARNESS, RubyDriver
from torpor_engine_ruby.imports import IMPORTS

__all__ = ["ENGINE"]

_ARTIFACTS = Path(__file__).parent / "artifacts"

#: What `end` closes: blocks at the beginning of a statement (a modifier does not open one, nor does a
#: definition without an end), and `do`, which belongs to the loop when it stands in its line.
_BLOCKS = BlockWords(
    opens=(
        r"^\s*(?:while|until|for)\b[^\n]*"
        r"|^\s*(?:\w+\s*(?:\|\|)?=\s*)?(?:class|module|begin|case|if|unless)\b"
        r"|^\s*(?:(?:private|public|protected)\s+)?def\b(?![^\n;]*\)\s*=\s|\s+[\w.?!]+\s*=\s)"
        r"|(?<![.:@$\w])do\b(?![:?!])"
    ),
    closes=r"(?<![.:@$])\bend\b(?![:?!])",
)

ENGINE = Engine(
    binding="RUBY",
    language="ruby",
    name="CRuby 4.0.0 / ruby.wasm 2.10.1",
    version="0.1.0",
    wasm=_ARTIFACTS / "ruby+stdlib.wasm",
    wasm_digest="875a3d42dad570a5309133f3b65aeda3a6f5450edc1d010c7db644526cd67e32",
    # What booting depends on: the harness, how it is loaded, and the settings in this file.
    harness=(*HARNESS, DRIVER, Path(__file__)),
    driver=RubyDriver(),
    limits=EngineLimits(
        fuel=30_000_000,
        memory_bytes=96 * MIB,
        # Ruby asks for a cache of 256 MiB and does without when it is refused.
        boot_memory_bytes=128 * MIB,
        boot_fuel=20_000_000,
    ),
    preopens=("/dev", "/workspace"),
    argv=("ruby",),
    env={
        # By default Ruby's heap grows by 80 %, which the memory's cap has no room for.
        "RUBY_FIBER_MACHINE_STACK_SIZE": "65536",
        "RUBY_FIBER_VM_STACK_SIZE": "32768",
        "RUBY_GC_HEAP_GROWTH_FACTOR": "1.1",
        "RUBY_GC_HEAP_GROWTH_MAX_SLOTS": "20000",
        "RUBY_GC_MALLOC_LIMIT": "4000000",
        "RUBY_GC_MALLOC_LIMIT_MAX": "6000000",
        "RUBY_GC_OLDMALLOC_LIMIT": "6000000",
        "RUBY_GC_OLDMALLOC_LIMIT_MAX": "8000000",
    },
    imports=IMPORTS,
    warm_up=("nil", "nil"),
    file_extensions=(".rb",),
    block_words=_BLOCKS,
    licences=_ARTIFACTS / "LICENSES",
    compile_seconds=35,
)
