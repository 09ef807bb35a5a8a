"""Files that pretend to be exports: nothing of them becomes visible, and nothing is written elsewhere."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from store_kit import (
    BASE,
    BASE_IMAGE,
    Session,
    digest,
    file_size_limit,
    files_commit,
)
from torpor import limits
from torpor.errors import (
    ValidationFailedError,
)
from torpor.stores.embedded import EmbeddedStore


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
