"""Every engine's table of cases, run in a context that lives on and in one that sleeps between steps."""

from collections.abc import Callable
from functools import partial

import pytest

from tests.contract import cases_javascript, cases_perl, cases_python, cases_ruby
from tests.contract.expectations import Case, differences
from tests.contract.sandbox_kit import run_case
from torpor.config import Config
from torpor.models import ExecutionResult

TABLES: dict[str, tuple[Case, ...]] = {
    "PYTHON": cases_python.CASES,
    "JAVASCRIPT": cases_javascript.CASES,
    "PERL": cases_perl.CASES,
    "RUBY": cases_ruby.CASES,
}
_ALL = [
    pytest.param(binding, case, id=f"{binding}-{case.name}")
    for binding, cases in TABLES.items()
    for case in cases
]


@pytest.fixture(params=["live", "asleep"])
def execute(request: pytest.FixtureRequest, shared_config: Config) -> Callable[[str, Case], ExecutionResult]:
    """Runs a case's steps in a new sandbox; gives the last result."""
    return partial(run_case, shared_config, asleep=request.param == "asleep")


@pytest.mark.parametrize(("binding", "case"), _ALL)
def test_case(binding: str, case: Case, execute: Callable[[str, Case], ExecutionResult]) -> None:
    found = differences(case.expect, execute(binding, case))
    assert not found, "\n".join(found)
