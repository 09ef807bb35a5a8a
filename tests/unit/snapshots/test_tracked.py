"""A memory survives as image + records: whatever a guest writes comes back, however it is tracked."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
import wasmtime
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from torpor.errors import CorruptSnapshotError
from torpor.limits import EXTENT_PAGES, PAGE_BYTES, WASM_PAGE_BYTES
from torpor.snapshots import records
from torpor.snapshots.model import MappedExtent, NewRecord, StoredRecord
from torpor.snapshots.tracked import TakenDelta, TrackedMemory
from torpor.wasm.dirty import TRACKERS, DirtyTracker, WriteProtectTracker, make_tracker
from torpor.wasm.instance import Instance, InstanceLimits
from torpor.wasm.memory import AddressSpace, CopiedSpace, ImageFile, MappedSpace
from torpor.wasm.runtime import wasm_engine

IMAGE_PAGES = 4 * WASM_PAGE_BYTES // PAGE_BYTES
CAPACITY = 64 * WASM_PAGE_BYTES


@pytest.fixture(scope="module")
def module() -> wasmtime.Module:
    return wasm_engine().compile(wasmtime.wat2wasm('(module (memory (export "memory") 4 64))'))


@pytest.fixture(scope="module")
def image_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("image") / "base"
    path.write_bytes(random.Random(1).randbytes(IMAGE_PAGES * PAGE_BYTES))
    return path


@dataclass
class Line:
    """A memory with the records that were committed of it."""

    module: wasmtime.Module
    image: Path
    folder: Path
    tracker: Callable[[], DirtyTracker]
    space: AddressSpace
    chain: list[StoredRecord] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.extents = self.folder / "extents"
        self.extents.touch()
        self.open()

    def open(self) -> None:
        self.instance = Instance(self.module, {}, InstanceLimits(CAPACITY))
        image = ImageFile(self.image)
        self.tracked = TrackedMemory(self.instance.memory, image, self.space, self.tracker())
        self.tracked.restore(self.chain)
        image.close()

    def close(self) -> None:
        self.tracked.close()
        self.instance.close()

    def reopen(self) -> None:
        self.close()
        self.open()

    def commit(self) -> TakenDelta:
        taken = self.tracked.take()
        stored = []
        with self.extents.open("ab") as file:
            for extent in taken.extents:
                stored.append(MappedExtent(extent.page, extent.count, self.extents, file.tell()))
                file.write(extent.data)
        parent = self.chain[-1].id if self.chain else None
        payload = records.encode(taken.delta)
        self.chain.append(StoredRecord(str(len(self.chain)), parent, payload, tuple(stored)))
        self.tracked.committed(taken, stored)
        return taken

    def content(self) -> bytes:
        memory = self.instance.memory
        return bytes(memory.view[: memory.size])

    def write(self, page: int, data: bytes) -> None:
        start = page * PAGE_BYTES
        self.instance.memory.grow_to(-(-(start + len(data)) // WASM_PAGE_BYTES) * WASM_PAGE_BYTES)
        self.instance.memory.view[start : start + len(data)] = data


WAYS: dict[str, tuple[Callable[[], DirtyTracker], type[MappedSpace | CopiedSpace]]] = {
    **{name: (partial(make_tracker, name), MappedSpace) for name in TRACKERS},
    "protected from the start": (partial(WriteProtectTracker, 0), MappedSpace),
    "protected in the middle": (partial(WriteProtectTracker, 30), MappedSpace),
    "copied": (partial(make_tracker, "compare"), CopiedSpace),
}


@pytest.fixture(params=WAYS)
def line(
    request: pytest.FixtureRequest, module: wasmtime.Module, image_path: Path, tmp_path: Path
) -> Iterator[Line]:
    tracker, space = WAYS[request.param]
    line = Line(module, image_path, tmp_path, tracker, space())
    yield line
    line.close()


def test_small_and_large_changes_come_back(line: Line) -> None:
    noise = random.Random(2)
    for step in range(4):
        line.write(3 + step, b"small change")
        line.write(70, noise.randbytes(PAGE_BYTES * EXTENT_PAGES + 5))
        line.commit()
        line.write(90, noise.randbytes(PAGE_BYTES * 3))
        line.write(IMAGE_PAGES + 40 * step, b"grown")
        line.commit()
        expected = line.content()
        line.reopen()
        assert line.content() == expected


def test_only_what_changed_is_recorded(line: Line) -> None:
    line.write(5, b"x")
    line.commit()
    line.write(6, b"y")
    line.write(7, line.content()[7 * PAGE_BYTES : 8 * PAGE_BYTES])
    taken = line.commit()
    assert taken.delta.pages().tolist() == [6]
    assert line.commit().empty


def test_long_runs_go_to_extents_and_can_be_changed_again(line: Line) -> None:
    line.write(0, b"\7" * PAGE_BYTES * IMAGE_PAGES)
    assert [(e.page, e.count) for e in line.commit().extents] == [(0, IMAGE_PAGES)]
    line.write(9, b"after the run was mapped")
    assert line.commit().delta.pages().tolist() == [9]
    expected = line.content()
    line.reopen()
    assert line.content() == expected


def test_extents_that_are_overwritten_again_and_again_leave_the_right_content(line: Line) -> None:
    noise = random.Random(3)
    for step in range(80):
        line.write(step % 5, noise.randbytes(PAGE_BYTES * EXTENT_PAGES))
        line.commit()
        line.write(step % 7, noise.randbytes(9))
        line.commit()
    assert line.commit().empty
    expected = line.content()
    line.reopen()
    assert line.content() == expected


def test_zeros_in_memory_that_is_new_are_not_stored(line: Line) -> None:
    # From the last page of the image far beyond it, so that one run is partly old.
    line.write(IMAGE_PAGES - 1, b"\7" * PAGE_BYTES * (2 * EXTENT_PAGES))
    line.tracked.take()
    line.write(IMAGE_PAGES, bytes(PAGE_BYTES * (2 * EXTENT_PAGES - 1)))
    taken = line.commit()
    assert taken.extent_pages + len(taken.delta.pages()) == 1
    expected = line.content()
    line.reopen()
    assert line.content() == expected


def test_a_restored_memory_does_not_leak_into_the_image_or_its_siblings(line: Line) -> None:
    before = line.image.read_bytes()
    sibling = Line(line.module, line.image, line.folder, line.tracker, line.space)
    line.write(1, b"mine")
    line.commit()
    assert sibling.content() == before == line.image.read_bytes()
    sibling.close()


writes = st.lists(
    st.tuples(
        st.integers(0, IMAGE_PAGES + 100),
        st.binary(min_size=1, max_size=40),
        st.sampled_from([1, PAGE_BYTES, PAGE_BYTES * (EXTENT_PAGES + 1)]),
    ),
    min_size=1,
    max_size=4,
)


def stored(record: NewRecord) -> StoredRecord:
    extents = tuple(e for e in record.extents if isinstance(e, MappedExtent))
    assert len(extents) == len(record.extents)
    return StoredRecord(record.id, record.parent, record.payload, extents)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(writes, min_size=2, max_size=6), at=st.integers(0, 100))
def test_merging_any_neighbours_changes_nothing(
    steps: list[list[tuple[int, bytes, int]]],
    at: int,
    module: wasmtime.Module,
    image_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    line = Line(
        module, image_path, tmp_path_factory.mktemp("line"), partial(make_tracker, "compare"), MappedSpace()
    )
    try:
        for step in steps:
            for page, data, repeat in step:
                line.write(page, (data * (repeat // len(data) + 1))[: max(repeat, len(data))])
            line.commit()
        expected = line.content()
        while len(line.chain) > 1:
            index = at % (len(line.chain) - 1)
            merged = stored(records.merge(line.chain[index : index + 2]))
            line.chain[index : index + 2] = [merged]
            line.reopen()
            assert line.content() == expected
    finally:
        line.close()


@pytest.mark.parametrize("damage", ["cut", "flip", "magic", "empty", "swap"])
def test_every_damage_of_a_record_is_found(line: Line, damage: str) -> None:
    line.write(2, b"precious")
    line.commit()
    record = line.chain[0]
    payload = bytearray(record.payload)
    if damage == "cut":
        del payload[-1:]
    elif damage == "flip":
        payload[len(payload) // 2] ^= 1
    elif damage == "magic":
        payload[0] ^= 1
    elif damage == "empty":
        payload.clear()
    else:
        payload[-2:] = payload[-1:] + payload[-2:-1] + b"!"
    with pytest.raises(CorruptSnapshotError, match="record 0 is damaged"):
        records.decode(bytes(payload), record.id)
