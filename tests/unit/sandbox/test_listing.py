"""A sandbox that cannot be read must not hide the others."""

from pathlib import Path

import torpor
from torpor.config import Config
from torpor.sandbox.host import host_for


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
