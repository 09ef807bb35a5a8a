"""Faults around the embedded store: killed processes, full disks, folders that cannot be written.

After each, what was acknowledged is there, the error says what happened, and the store works on.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from store_kit import (
    BASE,
    BASE_IMAGE,
    Session,
    committed,
    creation,
    digest,
    file_size_limit,
    files_commit,
    page,
    restore,
)
from torpor import limits
from torpor.errors import (
    SandboxBusyError,
    StorageError,
)
from torpor.stores.embedded import EmbeddedStore

NOBODY = 65534


def child(script: str, *arguments: object) -> "subprocess.Popen[str]":
    """Another process that runs `script` with the store opened as `store` and `arguments` in argv."""
    prologue = (
        "import sys, itertools\n"
        "from pathlib import Path\n"
        "from store_kit import *\n"
        "from torpor.stores.embedded import EmbeddedStore\n"
        "store = EmbeddedStore(Path(sys.argv[1]))\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", prologue + script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def kill_after(process: "subprocess.Popen[str]", lines: int) -> list[str]:
    """Let a child print some lines, kill it wherever it is, and return all lines it managed to print."""
    assert process.stdout is not None
    seen = [process.stdout.readline() for _ in range(lines)]
    process.kill()
    rest, _ = process.communicate()
    return [line for line in [*seen, *rest.splitlines(True)] if line.endswith("\n")]


# Killed processes ------------------------------------------------------------------------------------

_STEPS = """
sandbox = store.sandbox("a")
session = Session(sandbox)
head = sandbox.head()
if head is not None:
    session.tip = head.contexts["c1"].snapshot.tip
    session.executions = head.contexts["c1"].executions
    session.memory = restore(sandbox.records(session.tip))
for n in itertools.count(session.executions + 1):
    data = str(n).encode()
    changes = files_commit({"n": data})
    raw = [(n % 12, 4)] if n % 3 == 0 else ()
    session.step({n % 16: n}, raw, files=changes.files, contents=changes.contents)
    print(n, digest(session.memory), flush=True)
    if n % 5 == 0:
        sandbox.maintain()
"""


def test_a_killed_writer_leaves_the_last_acknowledged_state_or_the_next(home: Path) -> None:
    memories: dict[int, str] = {}
    for lines in (1, 2, 7, 40, 13):
        for line in kill_after(child(_STEPS, home), lines):
            number, memory = line.split()
            memories[int(number)] = memory
        store = EmbeddedStore(home)
        sandbox = store.sandbox("a")
        head = sandbox.head()
        assert head is not None
        row = head.contexts["c1"]
        assert head.generation == row.executions in (max(memories), max(memories) + 1)
        wanted = head.manifest.entries["n"].digest
        assert wanted is not None
        assert sandbox.contents([wanted])[wanted] == str(row.executions).encode()
        assert row.snapshot is not None
        memory = digest(restore(sandbox.records(row.snapshot.tip)))
        assert memory == memories.setdefault(row.executions, memory)
        for earlier in range(max(1, head.generation - limits.REWINDABLE_GENERATIONS + 1), head.generation):
            snapshot = sandbox.at(earlier).contexts["c1"].snapshot
            assert snapshot is not None
            # A generation that was committed but not acknowledged was never printed.
            found = digest(restore(sandbox.records(snapshot.tip)))
            assert found == memories.setdefault(earlier, found)
        store.close()


_COMINGS_AND_GOINGS = """
store.sandbox("source").commit(0, files_commit({"x": b"1", "y": page(1)}))
store.export("source", Path(sys.argv[2]), with_base_images=False)
for n in itertools.count():
    store.fork("source", f"fork{n}", None, 9)
    store.import_(Path(sys.argv[2]), f"import{n}")
    store.sandbox(f"new{n}").commit(0, files_commit({"x": b"1", "y": page(1)}))
    if n > 2:
        store.delete(f"fork{n - 3}")
        store.delete(f"import{n - 3}")
        store.delete(f"new{n - 3}")
    print(n, flush=True)
"""


@pytest.mark.parametrize("lines", [1, 4, 9])
def test_no_kill_leaves_half_a_sandbox(home: Path, tmp_path: Path, lines: int) -> None:
    kill_after(child(_COMINGS_AND_GOINGS, home, tmp_path / "exported"), lines)
    store = EmbeddedStore(home)
    assert "source" in store.list()
    for name in store.list():
        head = store.sandbox(name).head()
        assert head is not None
        assert set(head.manifest.entries) == {"", "x", "y"}
        assert store.sandbox(name).contents([digest(page(1))])
    store.delete("source")
    store.sandbox("source").commit(0, creation())
    assert list((home / "workshop").iterdir()) == []
    store.close()


def test_a_killed_holder_frees_the_lease(home: Path, store: EmbeddedStore) -> None:
    holder = child(
        "with store.sandbox('a').lease(0):\n    print('held', flush=True)\n    sys.stdin.read()", home
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    with pytest.raises(SandboxBusyError, match="in use"), store.sandbox("a").lease(0.0):
        pass
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    with store.sandbox("a").lease(30.0):
        pass


def test_one_of_several_processes_wins_a_commit(home: Path, store: EmbeddedStore) -> None:
    store.sandbox("a").commit(0, creation())
    script = (
        "s = store.sandbox('a'); s.head(); print('ready', flush=True); input()\n"
        "print(type(s.commit(1, files_commit({'x': sys.argv[2].encode()}))).__name__)"
    )
    outcomes = _release([child(script, home, number) for number in range(4)])
    assert sorted(outcomes) == ["Conflict"] * 3 + ["Head"]
    head = store.sandbox("a").head()
    assert head is not None
    assert head.manifest.entries["x"].digest == digest(str(outcomes.index("Head")).encode())


def _release(racers: "list[subprocess.Popen[str]]") -> list[str]:
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("\n")
        racer.stdin.flush()
    return [racer.communicate()[0].strip() for racer in racers]


def test_what_a_crash_left_in_the_workshop_goes_and_what_is_in_use_stays(
    home: Path, store: EmbeddedStore
) -> None:
    left = home / "workshop" / "left"
    left.mkdir(parents=True)
    (left / "state.db").write_bytes(b"half")
    builder = child(
        "from torpor.stores.embedded.durable import Workshop\n"
        "with Workshop(Path(sys.argv[1]) / 'workshop').new_folder() as folder:\n"
        "    (folder / 'x').touch(); print(folder, flush=True); sys.stdin.read()",
        home,
    )
    assert builder.stdout is not None
    building = Path(builder.stdout.readline().strip())
    store.sandbox("a").commit(0, creation())
    assert store.list() == ("a",)
    assert not left.exists()
    assert (building / "x").exists()
    builder.kill()
    builder.communicate()
    store.sandbox("b").commit(0, creation())
    assert not building.exists()


# Full disks and folders that cannot be written ---------------------------------------------------------


def test_a_full_disk_refuses_the_commit_and_changes_nothing(store: EmbeddedStore) -> None:
    sandbox = store.sandbox("a")
    sandbox.commit(0, creation())
    before = committed(sandbox.commit(1, files_commit({"x": b"1"})))
    big = b"".join(map(page, range(100)))
    with file_size_limit(200 * limits.KIB), pytest.raises(StorageError, match="disk"):
        sandbox.commit(2, files_commit({"big": big}))
    assert sandbox.head() == before
    after = committed(sandbox.commit(2, files_commit({"big": big})))
    assert EmbeddedStore(store._home).sandbox("a").head() == after
    assert sandbox.contents([digest(big)]) == {digest(big): big}


def test_a_full_disk_refuses_extents_and_the_next_ones_are_sound(store: EmbeddedStore) -> None:
    session = Session(store.sandbox("a"))
    session.step({0: 1}, raw=[(0, 4)])
    memory, tip = session.memory, session.tip
    with file_size_limit(6 * limits.PAGE_BYTES), pytest.raises(StorageError):
        session.step({1: 2}, raw=[(1, 8)])
    session.executions, session.memory, session.tip = 1, memory, tip
    session.step({1: 3}, raw=[(1, 8)])
    assert restore(session.sandbox.records(session.tip)) == session.memory


def test_a_full_disk_leaves_no_half_made_file_or_sandbox(store: EmbeddedStore, tmp_path: Path) -> None:
    store.sandbox("a").commit(0, files_commit({"x": b"".join(map(page, range(100)))}))
    with file_size_limit(100 * limits.KIB):
        with pytest.raises(StorageError):
            store.export("a", tmp_path / "exported")
        with pytest.raises(StorageError):
            store.fork("a", "b", None, at=9)
        with pytest.raises(StorageError):
            store.sandbox("c").commit(0, files_commit({"x": b"".join(map(page, range(50)))}))
    assert store.list() == ("a",)
    assert [entry.name for entry in tmp_path.iterdir()] == ["home"]


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of somebody's whom permissions bind, which they do not for root."""
    folder = Path(tempfile.mkdtemp())
    root = os.geteuid() == 0
    if root:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        subprocess.run(["chmod", "-R", "u+rwx", folder], check=True)
        shutil.rmtree(folder)


def test_a_read_only_folder_is_an_error_that_says_so(unprivileged: Path) -> None:
    store = EmbeddedStore(unprivileged / "home")
    head = committed(store.sandbox("a").commit(0, creation()))
    store.close()
    folders = [unprivileged / "home" / "sandboxes" / "a", unprivileged / "home" / "sandboxes"]
    for folder in folders:
        folder.chmod(0o500)
    with pytest.raises(StorageError, match="cannot be written"):
        store.sandbox("a").commit(1, files_commit({"x": b"1"}))
    with pytest.raises(StorageError, match="cannot be written"):
        store.sandbox("b").commit(0, creation())
    with pytest.raises(StorageError, match="cannot be written"):
        store.delete("a")
    for folder in folders:
        folder.chmod(0o700)
    assert store.sandbox("a").head() == head
    store.close()


def test_a_home_that_cannot_be_made_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = EmbeddedStore(tmp_path / "file")
    with pytest.raises(StorageError):
        store.sandbox("a").commit(0, creation())
    with pytest.raises(StorageError), store.sandbox("a").lease(0.0):
        pass


def test_everything_is_private_whatever_the_umask_says(
    store: EmbeddedStore, home: Path, tmp_path: Path
) -> None:
    old = os.umask(0)
    try:
        Session(store.sandbox("a")).step({0: 1}, raw=[(0, 4)])
        store.sandbox("a").commit(1, creation())
        (tmp_path / "image").write_bytes(BASE_IMAGE)
        store.add_base_image(BASE, tmp_path / "image")
        store.export("a", tmp_path / "exported")
        with store.sandbox("a").lease(0.0):
            pass
    finally:
        os.umask(old)
    found = {entry: entry.stat().st_mode & 0o777 for entry in [home, tmp_path / "exported", *home.rglob("*")]}
    assert len(found) > 8
    assert {e for e, mode in found.items() if mode != (0o700 if e.is_dir() else 0o600)} == set()
