"""What the documentation promises is what the code does."""

import re
from pathlib import Path
from typing import Any

import pytest

from torpor.config import SETTINGS, Config, Setting

CONFIGURATION = Path(__file__).parents[2] / "docs" / "configuration.md"
ROWS = {
    variable: (default, text)
    for variable, default, text in re.findall(
        r"^\| `(TORPOR_\w+)` \| (.*?) \| (.*?) \|$", CONFIGURATION.read_text(), re.MULTILINE
    )
}


def test_every_setting_is_documented_and_nothing_else_is() -> None:
    assert list(ROWS) == [setting.variable for setting in SETTINGS]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: s.variable)
def test_a_documented_default_is_the_real_one(setting: Setting) -> None:
    default = ROWS[setting.variable][0]
    documented = Config.from_environment({setting.variable: default} if default[0].isdigit() else {})
    assert _value(documented, setting.field) == _value(Config.from_environment({}), setting.field)


def _value(config: Config, field: str) -> Any:
    value: Any = config
    for name in field.split("."):
        value = getattr(value, name)
    return value
