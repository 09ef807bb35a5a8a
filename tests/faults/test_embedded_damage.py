"""Damage to the embedded store's files: it is named, contained, and never taken for data; and what
maintenance does to the files on purpose."""

import mmap
import os
import sqlite3
import sys
from collections.abc import Callable
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
    SandboxError,
    StorageError,
)
from torpor.stores.base import Commit, Head
from torpor.stores.embedded import EmbeddedStore


def folder_of(home: Path, name: str = "a") -> Path:
    return home / "sandboxes" / name


def edit(home: Path, sql: str, *values: object) -> None:
    """Change a closed sandbox's database behind the store's back."""
    connection = sqlite3.connect(folder_of(home) / "state.db")
    with connection:
        assert connection.execute(sql, values).rowcount > 0
    connection.close()


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


@pytest.mark.parametrize("column", ["payload", "extents", "checksum"])
def test_a_damaged_summary_is_passed_over_for_the_records_it_stands_for(
    store: EmbeddedStore, home: Path, column: str
) -> None:
    session = Session(store.sandbox("a"))
    for n in range(limits.MAINTENANCE_GENERATIONS + 2):
        session.step({n % 16: n}, raw=[(0, 4)] if n == 3 else [])
    session.sandbox.maintain()
    session.step({1: 99})
    whole = limits.MAINTENANCE_GENERATIONS + 3
    assert len(session.sandbox.records(session.tip)) == 2 < whole
    store.close()
    edit(home, f"UPDATE summaries SET {column} = 'nonsense'")
    sandbox = EmbeddedStore(home).sandbox("a")
    assert restore(sandbox.records(session.tip)) == session.memory
    assert len(sandbox.records(session.tip)) == whole


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


@pytest.mark.parametrize(
    ("content", "data"),
    [
        (b"text " * 100, b"another content"),
        (b"text " * 100, b""),
        (b"text " * 100, b"\x28\xb5\x2f\xfd"),
        (b"text " * 100, zstandard.compress(b"TEXT " * 100)),
        (b"too short to compress", b"too short to compresS"),
    ],
)
def test_a_damaged_content_is_named_and_never_handed_out(
    store: EmbeddedStore, home: Path, content: bytes, data: bytes
) -> None:
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
    for n in range(250):
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


def test_space_that_nothing_names_keeps_its_bytes_for_some_generations(
    store: EmbeddedStore, home: Path
) -> None:
    session = Session(store.sandbox("a"))
    session.step({0: 1}, raw=[(0, 4)])
    (mapped,) = session.sandbox.records(session.tip)[0].extents
    with mapped.file.open("rb") as stream:
        view = mmap.mmap(stream.fileno(), mapped.count * limits.PAGE_BYTES, access=mmap.ACCESS_READ)
    before = bytes(view)
    assert session.memory.startswith(before)
    # One more than can be rewound to: then no generation names the first record's extent any more.
    for n in range(limits.REWINDABLE_GENERATIONS):
        session.step({0: n}, raw=[(0, 4)])
    for n in range(limits.EXTENT_GRACE_GENERATIONS - 1):
        session.sandbox.maintain()
        session.step({0: n}, raw=[(0, 4)])
        assert bytes(view) == before
    for n in range(limits.EXTENT_GRACE_GENERATIONS):
        session.sandbox.maintain()
        session.step({0: n}, raw=[(0, 4)])
    assert restore(session.sandbox.records(session.tip)) == session.memory
    view.close()


def test_space_that_nothing_names_goes_back_to_the_disk(store: EmbeddedStore, home: Path) -> None:
    session = Session(store.sandbox("a"))
    session.step({0: 1}, raw=[(0, 16)])
    file = folder_of(home) / "extents"
    full = file.stat().st_blocks
    session.step({0: 2}, raw=[(0, 4)])
    for n in range(limits.REWINDABLE_GENERATIONS + limits.EXTENT_GRACE_GENERATIONS):
        session.sandbox.commit(n + 2, Commit("context", 9, removed_contexts=("c1",), env={"N": str(n)}))
        session.sandbox.maintain()
    # Elsewhere the space is only used again.
    if sys.platform.startswith("linux"):
        assert file.stat().st_blocks < full / 2


def test_a_damaged_base_image_is_not_exported(store: EmbeddedStore, tmp_path: Path) -> None:
    (tmp_path / "image").write_bytes(BASE_IMAGE)
    kept = store.add_base_image(BASE, tmp_path / "image")
    Session(store.sandbox("a")).step({0: 1})
    kept.write_bytes(b"X" + BASE_IMAGE[1:])
    with pytest.raises(StorageError, match=f"{BASE} are damaged"):
        store.export("a", tmp_path / "exported")
    assert not (tmp_path / "exported").exists()
