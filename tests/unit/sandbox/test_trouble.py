"""Trouble in one place must not look like trouble in another: damaged neighbours, failed tidying up."""

from pathlib import Path

import pytest

import torpor
from torpor.config import Config
from torpor.errors import StorageError
from torpor.sandbox.host import host_for
from torpor.stores.embedded.sandbox import EmbeddedSandbox


def test_a_damaged_sandbox_is_listed_with_its_problem(tmp_path: Path) -> None:
    config = Config(home=tmp_path / "home", cache=tmp_path / "cache")
    for name in ("good", "bad"):
        torpor.get_sandbox(name, config).write_file("/workspace/a", "x")
    host_for(config).close()
    (state,) = (tmp_path / "home").glob("sandboxes/bad*/state.db")
    for leftover in state.parent.glob("state.db-*"):
        leftover.unlink()
    state.write_bytes(b"no database" * 1000)
    bad, good = torpor.list_sandboxes(config)
    assert (bad.id, good.id) == ("bad", "good")
    assert bad.problem is not None
    assert good.problem is None
    assert good.workspace.files == 1


def test_a_commit_stands_although_tidying_up_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: EmbeddedSandbox) -> None:
        raise StorageError("the disk is full")

    monkeypatch.setattr(EmbeddedSandbox, "needs_maintenance", True)
    monkeypatch.setattr(EmbeddedSandbox, "maintain", fail)
    sandbox = torpor.get_sandbox("tidy", Config(home=tmp_path / "home", cache=tmp_path / "cache"))
    sandbox.write_file("/workspace/a", "kept")
    assert sandbox.read_file("/workspace/a").content == b"kept"
