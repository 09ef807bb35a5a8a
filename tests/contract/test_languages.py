"""Every engine's table of cases, run in a context that lives on and in one that sleeps between steps."""

import itertools
from collections.abc import Callable

import pytest

import torpor
from tests.contract import cases_javascript, cases_python
from tests.contract.expectations import Case, differences, step_of
from torpor.config import Config
from torpor.models import ExecutionResult
from torpor.sandbox.host import host_for

TABLES: dict[str, tuple[Case, ...]] = {
    "PYTHON": cases_python.CASES,
    "JAVASCRIPT": cases_javascript.CASES,
}
_ALL = [
    pytest.param(binding, case, id=f"{binding}-{case.name}")
    for binding, cases in TABLES.items()
    for case in cases
]
_numbers = itertools.count()


@pytest.fixture(params=["live", "asleep"])
def execute(request: pytest.FixtureRequest, shared_config: Config) -> Callable[[str, Case], ExecutionResult]:
    """Runs a case's steps in a new sandbox; gives the last result."""

    def run(binding: str, case: Case) -> ExecutionResult:
        sandbox = torpor.get_sandbox(f"case-{next(_numbers)}", shared_config)
        for path, text in case.files.items():
            sandbox.write_file(path, text)
        results = []
        for step in map(step_of, case.steps):
            if request.param == "asleep":
                host_for(shared_config).runtime.forget(sandbox.id)
            results.append(
                sandbox.interpreter.run_code(
                    step.code, binding=binding, stdin=step.stdin, env_vars=dict(step.env)
                )
            )
        sandbox.destroy()
        if not case.may_fail_before:
            assert [r.error for r in results[:-1]] == [None] * (len(results) - 1)
        return results[-1]

    return run


@pytest.mark.parametrize(("binding", "case"), _ALL)
def test_case(binding: str, case: Case, execute: Callable[[str, Case], ExecutionResult]) -> None:
    found = differences(case.expect, execute(binding, case))
    assert not found, "\n".join(found)
