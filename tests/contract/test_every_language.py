"""The promises that all languages share, each kept by each of them."""

import pytest

import torpor
from tests.contract.expectations import Case, Expect, differences
from tests.contract.languages import ROWS
from tests.contract.languages.hostile import HOSTILE, KEPT
from tests.contract.languages.rows import LANGUAGES, Row
from tests.contract.sandbox_kit import new_id, run_case, run_step
from torpor.config import Config
from torpor.engines import installed_bindings
from torpor.sandbox.host import host_for

_FRIENDLY = [row for row in ROWS if row not in HOSTILE]


def by_name(row: Row) -> str:
    return row.name


def test_the_table_has_a_column_for_every_installed_engine() -> None:
    assert set(installed_bindings()) == set(LANGUAGES)


@pytest.mark.parametrize("asleep", [False, True], ids=["live", "asleep"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("row", _FRIENDLY, ids=by_name)
def test_row(row: Row, language: str, asleep: bool, shared_config: Config) -> None:
    case = row.case(language)
    found = differences(case.expect, run_case(shared_config, language, case, asleep=asleep))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("row", HOSTILE, ids=by_name)
def test_hostile_row(row: Row, language: str, shared_config: Config) -> None:
    """The outcome is as promised, and what was there before is there afterwards, live and asleep."""
    sandbox = torpor.get_sandbox(new_id(), shared_config)
    keep, show = KEPT[language]
    case: Case = row.case(language)
    assert run_step(sandbox, language, keep).error is None
    results = [run_step(sandbox, language, step) for step in case.steps]
    found = differences(case.expect, results[-1])
    for _ in range(2):
        found += differences(Expect(text="42"), run_step(sandbox, language, show))
        host_for(shared_config).runtime.forget(sandbox.id)
    sandbox.destroy()
    assert not found, "\n".join(found)
