"""What the documentation promises is what the code does."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from torpor.cli import exits
from torpor.cli.main import COMMANDS
from torpor.cli.repl_session import ReplSession
from torpor.config import SETTINGS, Config, Setting
from torpor.wasi.command import TRAP_STATUS

DOCS = Path(__file__).parents[2] / "docs"
CLI = (DOCS / "cli.md").read_text()
DEFAULTS = dict(
    re.findall(r"^\| `(TORPOR_\w+)` \| (.*?) \|", (DOCS / "configuration.md").read_text(), re.MULTILINE)
)


def test_every_setting_is_documented_and_nothing_else_is() -> None:
    assert list(DEFAULTS) == [setting.variable for setting in SETTINGS]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: s.variable)
def test_a_documented_default_is_the_real_one(setting: Setting) -> None:
    default = DEFAULTS[setting.variable]
    documented = Config.from_environment({setting.variable: default} if default[0].isdigit() else {})
    assert _value(documented, setting.field) == _value(Config.from_environment({}), setting.field)


def test_every_command_is_documented_and_nothing_else_is() -> None:
    documented = set()
    for line in re.findall(r"^torpor (.*)$", CLI.split("```")[1], re.MULTILINE):
        command, *words = line.split()
        choices = words[0].split("|") if words and re.match(r"[a-z]", words[0]) else [""]
        documented |= {f"{command} {choice}".strip() for choice in choices}
    assert documented == _commands()


def test_every_command_of_the_repl_is_documented_and_nothing_else_is() -> None:
    section = CLI.split("## The REPL")[1].split("##")[0]
    assert set(re.findall(r"`:(\w+)", section)) == set(ReplSession.COMMANDS)


@pytest.mark.parametrize(
    "status",
    [exits.OK, exits.FAILED, exits.USAGE, exits.TORPOR, exits.INTERRUPTED, exits.BROKEN_PIPE, TRAP_STATUS],
)
def test_every_exit_status_is_documented(status: int) -> None:
    assert re.search(rf"^\| {status} \||\b{status} after", CLI, re.MULTILINE)


def _commands() -> set[str]:
    """ "run", "files ls", ...: what the application really has."""
    found = set()
    for name, module in COMMANDS.items():
        group = getattr(import_module(module), "group", None)
        found |= {f"{name} {command.name}" for command in group.registered_commands} if group else {name}
    return found


def _value(config: Config, field: str) -> Any:
    value: Any = config
    for name in field.split("."):
        value = getattr(value, name)
    return value
