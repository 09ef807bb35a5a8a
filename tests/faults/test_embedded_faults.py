"""Faults of the embedded store: killed processes, full disks, damaged files, hostile imports.

After each, what was acknowledged is there, the error says what happened, and the store works on.
"""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import zstandard

from store_kit import (
    BASE,
    BASE_IMAGE,
    Session,
    committed,
    creation,
    digest,
    files_commit,
    page,
    restore,
)
from torpor import limits
from torpor.errors import (
    CorruptSnapshotError,
    SandboxBusyError,
    SandboxError,
    StorageError,
    ValidationFailedError,
)
from torpor.stores.base import Head
from torpor.stores.embedded import EmbeddedStore

NOBODY = 65534


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def store(home: Path) -> Iterator[EmbeddedStore]:
    store = EmbeddedStore(home)
    yield store
    store.close()


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


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes: writes fail as they do on a full disk, at a chosen place."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def folder_of(home: Path, name: str = "a") -> Path:
    return home / "sandboxes" / name


def edit(home: Path, sql: str, *values: object) -> None:
    """Change a closed sandbox's database behind the store's back."""
    connection = sqlite3.connect(folder_of(home) / "state.db")
    with connection:
        assert connection.execute(sql, values).rowcount > 0
    connection.close()


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


# Damaged files ---------------------------------------------------------------------------------------


def test_an_unnamed_tail_of_the_extent_file_is_ignored_and_written_over(
    store: EmbeddedStore, home: Path
) -> None:
    session = Session(store.sandbox("a"))
    session.step({0: 1}, raw=[(0, 4)])
    with (folder_of(home) / "extents").open("ab") as stream:
        stream.write(b"torn" * 1000)
    session.step({4: 2}, raw=[(4, 4)])
    assert restore(session.sandbox.records(session.tip)) == session.memory
    assert (folder_of(home) / "extents").stat().st_size == 8 * limits.PAGE_BYTES


def test_a_shortened_extent_file_damages_only_what_it_held(store: EmbeddedStore, home: Path) -> None:
    session = Session(store.sandbox("a"))
    session.step({0: 1}, raw=[(0, 4)])
    sound, memory = session.tip, session.memory
    session.step({4: 2}, raw=[(4, 4)])
    store.close()
    os.truncate(folder_of(home) / "extents", 5 * limits.PAGE_BYTES)
    sandbox = EmbeddedStore(home).sandbox("a")
    with pytest.raises(CorruptSnapshotError, match="cut short"):
        sandbox.records(session.tip)
    assert restore(sandbox.records(sound)) == memory
    assert committed(sandbox.rewind(2, 1, at=9)).generation == 3


@pytest.mark.parametrize("damage", ["flip", "cut", "empty"])
def test_a_damaged_record_is_named_and_the_ones_before_it_stay(
    store: EmbeddedStore, home: Path, damage: str
) -> None:
    session = Session(store.sandbox("a"))
    session.step({0: 1})
    memory = session.memory
    session.step({0: 2})
    payload = session.sandbox.records("c1-2")[-1].payload
    store.close()
    damaged = {"flip": payload[:-1] + bytes([payload[-1] ^ 1]), "cut": payload[:-1], "empty": b""}[damage]
    edit(home, "UPDATE records SET payload = ? WHERE id = 'c1-2'", damaged)
    sandbox = EmbeddedStore(home).sandbox("a")
    with pytest.raises(CorruptSnapshotError, match="c1-2"):
        sandbox.records("c1-2")
    assert restore(sandbox.records("c1-1")) == memory


def test_a_damaged_record_stops_merging_but_not_committing(store: EmbeddedStore, home: Path) -> None:
    session = Session(store.sandbox("a"))
    for n in range(limits.MAX_CHAIN_RECORDS + 8):
        session.step({n % 16: n})
    store.close()
    edit(home, "UPDATE records SET checksum = x'00' WHERE id = 'c1-3'")
    session.sandbox = EmbeddedStore(home).sandbox("a")
    with pytest.raises(CorruptSnapshotError, match="c1-3"):
        session.sandbox.maintain()
    assert not session.sandbox.needs_maintenance
    assert session.step({0: 5}).generation == limits.MAX_CHAIN_RECORDS + 9


def test_damaged_extents_are_noticed_before_they_are_copied(
    store: EmbeddedStore, home: Path, tmp_path: Path
) -> None:
    session = Session(store.sandbox("a"))
    session.step({0: 1}, raw=[(0, 4)])
    with (folder_of(home) / "extents").open("r+b") as stream:
        stream.write(b"X")
    with pytest.raises(CorruptSnapshotError, match="c1-1"):
        store.fork("a", "b", None, at=9)
    with pytest.raises(CorruptSnapshotError, match="c1-1"):
        store.export("a", tmp_path / "exported", with_base_images=False)
    assert store.list() == ("a",)
    assert not (tmp_path / "exported").exists()


@pytest.mark.parametrize("data", [b"another content", b"", b"\x28\xb5\x2f\xfd"])
def test_a_damaged_content_is_named_and_never_handed_out(
    store: EmbeddedStore, home: Path, data: bytes
) -> None:
    content = b"text " * 100
    store.sandbox("a").commit(0, files_commit({"x": content}))
    store.close()
    edit(home, "UPDATE contents SET data = ?", data)
    with pytest.raises(StorageError, match=digest(content)):
        EmbeddedStore(home).sandbox("a").contents([digest(content)])


@pytest.mark.parametrize("damage", ["header", "empty", "cut", "text"])
def test_a_damaged_database_is_an_error_and_stays_as_it_is(
    store: EmbeddedStore, home: Path, damage: str
) -> None:
    store.sandbox("a").commit(0, files_commit({"x": b"1"}))
    store.close()
    file = folder_of(home) / "state.db"
    sound = file.read_bytes()
    damaged = {
        "header": b"\xff" * 100 + sound[100:],
        "empty": b"",
        "cut": sound[:1000],
        "text": b"not a database\n" * 500,
    }[damage]
    file.write_bytes(damaged)
    store = EmbeddedStore(home)
    uses: list[Callable[[], object]] = [
        lambda: store.sandbox("a").head(),
        lambda: store.sandbox("a").commit(1, files_commit({"x": b"2"})),
        lambda: store.sandbox("a").commit(0, creation()),
        lambda: store.sandbox("a").maintain(),
        lambda: store.fork("a", "b", None, at=9),
    ]
    for use in uses:
        with pytest.raises(StorageError, match=r"left as it is|Check the disk"):
            use()
    assert file.read_bytes() == damaged
    assert store.list() == ("a",)
    assert store.expired(10**15) == ()
    assert store.delete("a")
    assert isinstance(store.sandbox("a").commit(0, creation()), Head)
    store.close()


def test_damage_anywhere_in_the_database_is_a_typed_error_or_harmless(home: Path) -> None:
    store = EmbeddedStore(home)
    session = Session(store.sandbox("a"))
    for n in range(5):
        session.step({n: n})
    store.close()
    file = folder_of(home) / "state.db"
    sound = file.read_bytes()
    for start in range(0, len(sound), 2048):
        file.write_bytes(sound[:start] + b"\xa5" * 64 + sound[start + 64 :])
        store = EmbeddedStore(home)
        try:
            sandbox = store.sandbox("a")
            sandbox.head()
            sandbox.records(session.tip)
            sandbox.history()
        except SandboxError:
            pass
        finally:
            store.close()


def test_a_database_of_another_version_is_left_alone(store: EmbeddedStore, home: Path) -> None:
    store.sandbox("a").commit(0, creation())
    store.close()
    connection = sqlite3.connect(folder_of(home) / "state.db")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = (folder_of(home) / "state.db").read_bytes()
    with pytest.raises(StorageError, match="another version of Torpor"):
        EmbeddedStore(home).sandbox("a").head()
    assert (folder_of(home) / "state.db").read_bytes() == before


def test_a_lost_database_is_not_taken_for_a_new_sandbox(store: EmbeddedStore, home: Path) -> None:
    store.sandbox("a").commit(0, creation())
    store.close()
    (folder_of(home) / "state.db").unlink()
    with pytest.raises(StorageError):
        EmbeddedStore(home).sandbox("a").head()


def test_extent_space_is_used_again(store: EmbeddedStore, home: Path) -> None:
    session = Session(store.sandbox("a"))
    sizes = []
    for n in range(400):
        session.step({n % 4: n}, raw=[(0, 8)])
        if session.sandbox.needs_maintenance:
            session.sandbox.maintain()
            sizes.append((folder_of(home) / "extents").stat().st_size)
    assert restore(session.sandbox.records(session.tip)) == session.memory
    assert sizes[-1] <= sizes[len(sizes) // 2] < 200 * 8 * limits.PAGE_BYTES


def test_space_in_the_database_is_given_back(store: EmbeddedStore, home: Path) -> None:
    sandbox = store.sandbox("a")
    big = b"".join(map(page, range(4000)))
    sandbox.commit(0, files_commit({"x": big}))
    for n in range(1, limits.REWINDABLE_GENERATIONS + 2):
        sandbox.commit(n, files_commit({}, deleted=["x"]))
    full = sandbox.stored_bytes()
    sandbox.maintain()
    assert full > len(big)
    assert sandbox.stored_bytes() < len(big) / 4


# Hostile imports -------------------------------------------------------------------------------------


@pytest.fixture
def archive(store: EmbeddedStore, tmp_path: Path) -> Path:
    (tmp_path / "image").write_bytes(BASE_IMAGE)
    store.add_base_image(BASE, tmp_path / "image")
    session = Session(store.sandbox("a"))
    changes = files_commit({"x": b"content"})
    session.step({0: 1}, raw=[(2, 3)], files=changes.files, contents=changes.contents)
    session.step({1: 2})
    store.export("a", tmp_path / "exported")
    return tmp_path / "exported"


def refuse(archive: Path, tmp_path: Path, reason: str = "cannot be imported") -> None:
    """Importing fails as bad input, and leaves nothing behind, here or elsewhere."""
    before = sorted(tmp_path.rglob("*"))
    target = EmbeddedStore(tmp_path / "target")
    with pytest.raises(ValidationFailedError, match=reason):
        target.import_(archive)
    assert target.list() == ()
    new = set(tmp_path.rglob("*")) - set(before)
    assert {path.relative_to(tmp_path).parts[0] for path in new} <= {"target"}
    assert [path for path in new if path.is_file()] == []


def rewrite(
    archive: Path, change: Callable[[dict[str, object]], None], blobs: dict[str, bytes] | None = None
) -> Path:
    """The archive with its manifest changed and members replaced or added."""
    result = archive.with_name("rewritten")
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(result, "w") as target:
        document = json.loads(source.read("manifest.json"))
        change(document)
        members = {name: source.read(name) for name in source.namelist() if name != "manifest.json"}
        for name, data in (members | (blobs or {})).items():
            target.writestr(name, data)
        target.writestr("manifest.json", json.dumps(document))
    return result


def _entry(document: dict[str, object], path: str) -> dict[str, object]:
    entries = document["head"]["entries"]  # type: ignore[index]
    return next(entry for entry in entries if entry["path"] == path)


HOSTILE: dict[str, Callable[[dict], object]] = {  # type: ignore[type-arg]
    "unknown version": lambda d: d.update(version=2),
    "unknown format": lambda d: d.update(format="zip"),
    "parent path": lambda d: _entry(d, "x").update(path="../x"),
    "absolute path": lambda d: _entry(d, "x").update(path="/etc/passwd"),
    "dot path": lambda d: _entry(d, "x").update(path="./x"),
    "null in path": lambda d: _entry(d, "x").update(path="x\0"),
    "no parent": lambda d: _entry(d, "x").update(path="no/x"),
    "path twice": lambda d: d["head"]["entries"].append(_entry(d, "x")),
    "wrong file size": lambda d: _entry(d, "x").update(size=6),
    "negative size": lambda d: _entry(d, "x").update(size=-1),
    "huge number": lambda d: _entry(d, "x").update(mtime=2**64),
    "true as a number": lambda d: _entry(d, "x").update(mtime=True),
    "unknown kind": lambda d: _entry(d, "x").update(kind="device"),
    "digest with a path": lambda d: _entry(d, "x").update(digest="../../x"),
    "content not there": lambda d: _entry(d, "x").update(digest="0" * 64),
    "id with a path": lambda d: d["head"].update(sandbox_id="../a"),
    "record twice": lambda d: d["records"].append(d["records"][0]),
    "record before its parent": lambda d: d["records"].reverse(),
    "record not there": lambda d: d["records"].pop(),
    "extent of another size": lambda d: d["records"][0]["extents"][0].update(count=2),
    "context twice": lambda d: d["head"]["contexts"].append(d["head"]["contexts"][0]),
    "too many contexts": lambda d: d["head"].update(
        contexts=[d["head"]["contexts"][0] | {"id": str(n)} for n in range(9)]
    ),
    "held content not there": lambda d: d["head"]["contexts"][0].update(held_contents=["0" * 64]),
    "environment too large": lambda d: d["head"].update(env={"A": "x" * 70_000}),
    "environment of numbers": lambda d: d["head"].update(env={"A": 1}),
    "idle time not a number": lambda d: d["head"].update(idle_ttl=float("nan")),
    "too large in all": lambda d: d["blobs"].update(dict.fromkeys(list(d["blobs"])[:1], 2**40)),
    "blob not there": lambda d: d["blobs"].update({"0" * 64: 1}),
    "blob not listed": lambda d: d["blobs"].pop(next(iter(d["blobs"]))),
    "blob smaller than it is": lambda d: d["blobs"].update({BASE: 10}),
    "blob larger than it is": lambda d: d["blobs"].update({BASE: len(BASE_IMAGE) + 1}),
    "no head": lambda d: d.pop("head"),
    "lists instead of objects": lambda d: d.update(head=[], records={}),
}


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_manifest_is_refused(
    archive: Path, tmp_path: Path, change: Callable[[dict[str, object]], None]
) -> None:
    refuse(rewrite(archive, change), tmp_path)


def test_the_rewritten_archive_is_accepted_when_nothing_is_changed(archive: Path, tmp_path: Path) -> None:
    target = EmbeddedStore(tmp_path / "target")
    assert target.import_(rewrite(archive, lambda d: None)).generation == 1
    target.close()


def test_a_member_with_a_path_is_refused(archive: Path, tmp_path: Path) -> None:
    for name in ("../outside", "/outside", "blobs/../../outside", "extra"):
        refuse(rewrite(archive, lambda d: None, {name: b"x"}), tmp_path, "parts")
    assert not (tmp_path.parent / "outside").exists()


def test_other_bytes_under_a_digest_are_refused(archive: Path, tmp_path: Path) -> None:
    packed = zstandard.ZstdCompressor().compress(b"CONTENT")
    for data in (packed, b"not zstd", b"", packed[:-3]):
        refuse(rewrite(archive, lambda d: None, {f"blobs/{digest(b'content')}": data}), tmp_path)


def test_a_bomb_is_stopped_at_its_declared_size(archive: Path, tmp_path: Path) -> None:
    bomb = zstandard.ZstdCompressor().compress(bytes(300 * limits.MIB))
    with file_size_limit(64 * limits.MIB):
        refuse(rewrite(archive, lambda d: None, {f"blobs/{BASE}": bomb}), tmp_path, "damaged")


@pytest.mark.parametrize("data", [b"", b"text", b"PK\x03\x04" + bytes(100), b"PK\x05\x06" + bytes(18)])
def test_what_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "file").write_bytes(data)
    refuse(tmp_path / "file", tmp_path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    refuse(tmp_path / "nowhere", tmp_path, "no file")


def test_a_damaged_archive_is_refused_or_means_the_same(
    store: EmbeddedStore, archive: Path, tmp_path: Path
) -> None:
    sound = archive.read_bytes()
    head = store.sandbox("a").head()
    assert head is not None
    for number, position in enumerate(range(0, len(sound), max(1, len(sound) // 150))):
        archive.write_bytes(sound[:position] + bytes([sound[position] ^ 0x41]) + sound[position + 1 :])
        try:
            imported = store.import_(archive, f"copy{number}")
        except ValidationFailedError:
            assert f"copy{number}" not in store.list()
        else:
            assert (imported.contexts, imported.manifest, imported.env) == (
                head.contexts,
                head.manifest,
                head.env,
            )
            assert store.sandbox(f"copy{number}").contents([digest(b"content")])
    for length in range(0, len(sound), max(1, len(sound) // 50)):
        archive.write_bytes(sound[:length])
        with pytest.raises(ValidationFailedError):
            store.import_(archive, "cut")
