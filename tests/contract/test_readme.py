"""Everything the README shows is executed and compared; its limits are those of the code."""

import re
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import torpor
from tests.contract.documents import ROOT, blocks, console_examples, languages, run_console, run_here
from torpor import limits
from torpor.config import SETTINGS, Config, parse_count, parse_duration, parse_size
from torpor.engines import get_engine
from torpor.sandbox.host import host_for

README = ROOT / "README.md"
ROWS = re.findall(r"^\| [^|]+ \| ([^|]+) \| `([\w.]+)` \|$", README.read_text(), re.MULTILINE)


@pytest.fixture
def environ(
    shared_config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, str]]:
    """The settings of a fresh machine whose engines are compiled."""
    values = {"TORPOR_HOME": str(tmp_path / "home"), "TORPOR_CACHE": str(shared_config.cache)}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    yield values
    host_for(None).close()


def test_all_that_is_shown_is_executed() -> None:
    assert languages(README) == {"sh", "console", "pycon"}
    commands = [line for block in blocks(README, "sh") for line in block.splitlines()]
    assert commands == ["uv run torpor run -s demo examples/analysis.py", "uv run pytest"]


def test_the_tour_from_the_command_line(environ: dict[str, str], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for part in blocks(README, "console"):
        run_console(console_examples(part), tmp_path, environ)


@pytest.mark.usefixtures("environ")
def test_the_tour_in_python() -> None:
    run_here("\n".join(blocks(README, "pycon")), "README.md")


@pytest.mark.parametrize(("shown", "name"), ROWS, ids=[name for _, name in ROWS])
def test_a_limit_is_the_real_one(shown: str, name: str) -> None:
    real = _real(name)
    number = shown.replace(",", "")
    parsers = [parse_duration] if number.endswith(" s") else [parse_count, parse_size]
    assert any(_parsed(parse, number) == real for parse in parsers), f"{name} is {real}"


def test_the_limits_are_there() -> None:
    assert len(ROWS) >= 17


def test_every_link_leads_somewhere() -> None:
    documents = [
        README,
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "examples").rglob("*.md"),
    ]
    for document in documents:
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
            assert "://" in target or (document.parent / target).exists(), f"{document.name}: {target}"


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (folder / "README.md").read_text())
    assert listed == sorted(path.name for path in folder.glob("0*.md"))


def test_a_decision_that_the_code_names_exists() -> None:
    for source in [*(ROOT / "src").rglob("*.py"), ROOT / "pyproject.toml"]:
        for number in re.findall(r"docs/decisions/(\d{4})", source.read_text()):
            assert list((ROOT / "docs" / "decisions").glob(f"{number}-*.md")), f"{source.name}: {number}"


def test_the_layers_are_those_that_are_checked() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    checked = [name.removeprefix("torpor.") for name in contracts[0]["layers"]]
    section = (ROOT / "docs" / "architecture.md").read_text().split("## Layers")[1].split("##")[0]
    documented = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", section, re.MULTILINE)
    assert re.findall(r"\w+", " ".join(documented)) == [n for n in checked if n not in ("atomic", "filelock")]


def test_the_public_names_are_importable() -> None:
    assert all(getattr(torpor, name) is not None for name in torpor.__all__)


def _real(name: str) -> Any:
    """The value of a setting, of a field of the quota, or of a number in `limits`."""
    if name.startswith("WorkspaceQuota."):
        return getattr(limits.WorkspaceQuota(), name.partition(".")[2])
    setting = next((s for s in SETTINGS if s.variable == name), None)
    if setting is None:
        return getattr(limits, name)
    value: Any = Config.from_environment({})
    for part in setting.field.split("."):
        value = getattr(value, part)
    if value is not None:
        return value
    by_engine = {
        field.name.removesuffix("_bytes"): field.name for field in fields(get_engine("PYTHON").limits)
    }
    return getattr(get_engine("PYTHON").limits, by_engine[setting.field])


def _parsed(parse: Any, text: str) -> Any:
    try:
        return parse(text)
    except torpor.ValidationFailedError:
        return None
