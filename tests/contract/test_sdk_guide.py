"""docs/sdk.md names what there is, and what it shows is executed; so is the embedding example."""

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import torpor
from tests.contract.documents import ROOT, blocks, languages, run_here
from torpor.config import Config
from torpor.sandbox.host import host_for
from torpor.sandbox.sandbox import Sandbox, SandboxInterpreter

GUIDE = ROOT / "docs" / "sdk.md"
SECTIONS = {part.split("\n")[0]: part for part in GUIDE.read_text().split("\n## ")}


@pytest.fixture
def environ(shared_config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TORPOR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TORPOR_CACHE", str(shared_config.cache))
    yield
    host_for(None).close()


def test_what_is_shown_is_executed(environ: None) -> None:
    assert languages(GUIDE) == {"pycon"}
    run_here("\n".join(blocks(GUIDE, "pycon")), "sdk.md")


def test_every_method_is_named_and_nothing_else_is() -> None:
    for kind, section in ((Sandbox, "Sandbox"), (SandboxInterpreter, "Sandbox.interpreter")):
        real = {name for name, _ in inspect.getmembers(kind, inspect.isfunction) if name[0] != "_"}
        assert first_columns(section, r"`(\w+)\(") == real


def test_every_function_is_named_and_nothing_else_is() -> None:
    functions = {name for name in torpor.__all__ if inspect.isfunction(getattr(torpor, name))}
    assert first_columns("Functions", r"`(\w+)\(") == functions


def test_every_error_is_named() -> None:
    errors = {name for name in torpor.__all__ if name.endswith("Error") and name != "ExecutionError"}
    assert set(re.findall(r"`(\w+Error)`", SECTIONS["Errors"])) == errors


def test_the_embedding_example_finds_what_it_left(environ: None) -> None:
    runs = [
        subprocess.run([sys.executable, ROOT / "examples" / "embedding.py"], capture_output=True, text=True)
        for _ in range(2)
    ]
    assert [run.stderr for run in runs] == ["", ""]
    first, second = (run.stdout.splitlines() for run in runs)
    assert first[:2] == ["ada is new", "bob is new"]
    assert "ada: the next three: 2 3 5" in first
    assert "ada: the next three: 7 11 13" in second
    assert second[-3:] == [
        "bob failed: KeyError",
        "bob was stopped: ExecutionLimitError",
        "bob: still there: 3 prices",
    ]


def first_columns(section: str, pattern: str) -> set[str]:
    """What the pattern finds in the first column of the section's table."""
    rows = re.findall(r"^\| (`[^|]*) \|", SECTIONS[section], re.MULTILINE)
    return set(re.findall(pattern, " ".join(rows)))
