"""The programs that compare languages do the same work in all of them, within an execution's fuel."""

import pytest
from benchmarks.language_programs import LANGUAGES, PROGRAMS, Program, checked, timed

from torpor.sandbox.sandbox import Sandbox


@pytest.mark.parametrize("binding", LANGUAGES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.title)
def test_a_program_gives_its_checksum_and_its_time(program: Program, binding: str, sandbox: Sandbox) -> None:
    result = sandbox.interpreter.run_code(checked(program, binding), binding=binding)
    assert (result.error, result.logs.stdout) == (None, (program.checksum,))
    took = sandbox.interpreter.run_code(timed(program, binding), binding=binding)
    assert took.error is None
    assert float(took.text or "") > 0
