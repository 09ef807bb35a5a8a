"""What is known of a sandbox, and the ways to go back, to copy it and to carry it away."""

from dataclasses import replace
from pathlib import Path

import pytest

import torpor
from tests.contract.sandbox_kit import new_id, run, value
from torpor import limits
from torpor.config import Config
from torpor.sandbox.host import host_for
from torpor.sandbox.sandbox import Sandbox
from torpor.stores.base import Commit


def test_info_tells_of_contexts_files_and_snapshots(sandbox: Sandbox) -> None:
    sandbox.mkdir("d")
    sandbox.write_file("d/file", "12345")
    sandbox.set_env_vars({"A": "1"})
    context = sandbox.interpreter.create_code_context("PYTHON")
    fresh = sandbox.get_info()
    assert [(one.id, one.executions, one.snapshot) for one in fresh.contexts] == [(context.id, 0, None)]
    value(sandbox, "x = bytes(range(256)) * 4096", context)
    info = sandbox.get_info()
    assert (info.id, info.generation, info.env_vars) == (sandbox.id, 5, {"A": "1"})
    assert (info.workspace.files, info.workspace.bytes) == (2, 5)  # directories count
    assert fresh.created_at == info.created_at <= info.last_used
    [one] = info.contexts
    assert one.snapshot is not None
    assert one.snapshot.bytes == one.snapshot.pages * limits.WASM_PAGE_BYTES
    assert 0 < one.snapshot.stored_bytes < one.snapshot.bytes
    assert one.created_at <= one.snapshot.taken_at <= one.last_used
    assert not one.snapshot.stale
    assert info.stored_bytes > 0


def test_history_names_every_change_newest_first(sandbox: Sandbox) -> None:
    value(sandbox, "x = 1")
    sandbox.write_file("file", "text")
    sandbox.set_env_vars({"A": "1"})
    sandbox.interpreter.create_code_context("PYTHON")
    sandbox.rewind(2)
    kinds = [(entry.generation, entry.kind) for entry in sandbox.history()]
    assert kinds == [(5, "rewind"), (4, "context"), (3, "env"), (2, "files"), (1, "execution")]
    assert sandbox.history()[-1].summary == "x = 1"
    assert all(entry.rewindable for entry in sandbox.history())


def test_a_rewind_can_be_rewound(sandbox: Sandbox) -> None:
    value(sandbox, "x = 1; open('file', 'w').write('1')")
    value(sandbox, "x = 2; open('file', 'w').write('2')")
    for generation, expected in ((1, "(1, '1')"), (2, "(2, '2')")):
        sandbox.rewind(generation)
        assert value(sandbox, "x, open('file').read()") == expected
    for unknown in (0, -1, 99):
        with pytest.raises(torpor.GenerationNotFoundError):
            sandbox.rewind(unknown)
        with pytest.raises(torpor.GenerationNotFoundError):
            sandbox.fork("contract-unknown", at=unknown)


def test_a_fork_differs_from_its_origin_in_chance_only(sandbox: Sandbox, shared_config: Config) -> None:
    value(sandbox, "import os, random, uuid, numpy as np; x = 1")
    copy = sandbox.fork(new_id())
    with pytest.raises(torpor.ValidationFailedError):
        sandbox.fork(copy.id)
    for one in (sandbox, copy):
        one._host.runtime.forget(one.id)
    for chance in ("random.random()", "np.random.rand()", "uuid.uuid4()", "os.urandom(8)"):
        assert value(sandbox, chance) != value(copy, chance), chance
    value(copy, "x = 2")
    assert (value(sandbox, "x"), value(copy, "x")) == ("1", "2")
    sandbox.destroy()
    assert value(copy, "x") == "2"
    copy.destroy()


def test_an_exported_sandbox_lives_on_under_another_id(
    sandbox: Sandbox, shared_config: Config, tmp_path: Path
) -> None:
    value(sandbox, "f = open('log', 'a'); f.write('one,'); x = lambda: 7")
    sandbox.export(tmp_path / "file", with_base_images=False)
    sandbox.destroy()
    copy = torpor.import_sandbox(tmp_path / "file", new_id(), shared_config)
    assert value(copy, "f.write('two'); f.flush(); open('log').read(), x()") == "('one,two', 7)"
    with pytest.raises(torpor.ValidationFailedError):
        torpor.import_sandbox(tmp_path / "file", copy.id, shared_config)
    copy.destroy()


def test_an_export_with_its_images_needs_nothing_of_its_origin(
    sandbox: Sandbox, config: Config, tmp_path: Path
) -> None:
    value(sandbox, "x = {'kept': True}")
    sandbox.export(tmp_path / "file")
    copy = torpor.import_sandbox(tmp_path / "file", config=config)
    assert copy.id == sandbox.id
    assert value(copy, "x") == "{'kept': True}"
    host_for(config).close()


def test_a_snapshot_of_another_engine_build_is_discarded_and_said_so(sandbox: Sandbox) -> None:
    value(sandbox, "x = 1; open('file', 'w').write('text')")
    with sandbox._host.ledger(sandbox.id).writing() as turn:
        [row] = turn.require_head(sandbox.id).contexts.values()
        assert row.snapshot is not None
        other = replace(row, snapshot=replace(row.snapshot, build="another build"))
        turn.commit(Commit("context", row.last_used, contexts=(other,)))
    assert sandbox.get_info().contexts[0].snapshot is None
    result = run(sandbox, "'x' in globals(), open('file').read()")
    assert result.text == "(False, 'text')"
    assert len(result.notices) == 1
    assert "another build" in result.notices[0]
    assert result.execution_count == 2
    assert run(sandbox, "x = 3").notices == ()
    assert sandbox.get_info().contexts[0].snapshot is not None


def test_completion_offers_names_and_changes_nothing(sandbox: Sandbox) -> None:
    value(sandbox, "delightful = 1")
    before = sandbox.get_info()
    completion = sandbox.interpreter.complete("print(deligh", 12, binding="PYTHON")
    assert completion.matches == ("delightful",)
    assert completion.start == 6
    assert sandbox.get_info() == before
    assert value(sandbox, "delightful") == "1"
