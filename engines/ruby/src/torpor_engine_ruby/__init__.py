"""The Ruby engine: CRuby 4.0 with its standard library, declared for Torpor.

Data only, apart from the two calling sequences in `driver` and the answers in `imports`. The guest's
half is the folder `harness`; the Wasm module is put into `artifacts` by the build hook.
"""

from pathlib import Path

from torpor.engines import BlockWords, Engine, EngineLimits
from torpor.limits import MIB
from torpor_engine_ruby.driver import HARNESS, RubyDriver
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
    wasm_digest="3c0824c9c096e0a1b61ba1a0fd13c3c60e564e3956245c58a5e7b916c7b56b8d",
    harness=HARNESS,
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
    env={"HOME": "/workspace", "TMPDIR": "/workspace"},
    imports=IMPORTS,
    warm_up=("nil", "nil"),
    file_extensions=(".rb",),
    block_words=_BLOCKS,
    licences=_ARTIFACTS / "LICENSES",
    compile_seconds=35,
)
