"""The command line in this process, on a home of its own."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from torpor.cli.main import main


@dataclass(frozen=True)
class Ended:
    """A command's exit status and what it wrote."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Torpor = Callable[..., Ended]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    monkeypatch.setenv("TORPOR_HOME", str(home))
    return home


@pytest.fixture
def torpor_cli(home: Path, capfd: pytest.CaptureFixture[str]) -> Torpor:
    """Run one command: `torpor_cli("files", "ls", "demo")`."""

    def run(*arguments: str) -> Ended:
        status = main(arguments)
        out, err = capfd.readouterr()
        return Ended(status, out, err)

    return run
