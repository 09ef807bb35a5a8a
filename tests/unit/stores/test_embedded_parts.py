"""The parts of the embedded store that others rely on blindly: names, ranges, hole punching."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torpor.limits import PAGE_BYTES
from torpor.stores.embedded.durable import punch_hole
from torpor.stores.embedded.extents import joined, subtract
from torpor.stores.embedded.names import folder_name, id_of_folder

IDS = st.text("abzABZ019._-", min_size=1, max_size=63)
RANGES = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), max_size=8)


@given(first=IDS, second=IDS)
def test_no_two_ids_share_a_folder_even_where_case_does_not_count(first: str, second: str) -> None:
    names = folder_name(first), folder_name(second)
    assert (names[0].lower() == names[1].lower()) == (first == second)
    assert id_of_folder(names[0]) == first


@given(IDS)
def test_a_folder_name_is_an_ordinary_one(sandbox_id: str) -> None:
    name = folder_name(sandbox_id)
    assert len(name) < 255
    assert not name.startswith(".")
    assert Path("/x", name).parent == Path("/x")


@pytest.mark.parametrize("name", ["A", "a.b", ".", "..", "=4", "=zz", "=2E", "=61", "", "a\n", "=" * 3, "é"])
def test_a_folder_that_no_id_has_is_not_taken_for_one(name: str) -> None:
    assert id_of_folder(name) is None


def _covered(ranges: list[tuple[int, int]]) -> set[int]:
    return {position for offset, length in ranges for position in range(offset, offset + length)}


@given(whole=RANGES, parts=RANGES)
def test_what_is_left_of_ranges(whole: list[tuple[int, int]], parts: list[tuple[int, int]]) -> None:
    left = subtract(whole, parts)
    assert _covered(left) == _covered(whole) - _covered(parts)
    assert all(length > 0 for _, length in left)


@given(st.sets(st.integers(0, 40)))
def test_neighbours_are_joined(positions: set[int]) -> None:
    ranges = joined((position, 1) for position in positions)
    assert _covered(ranges) == positions
    ends = [offset + length for offset, length in ranges]
    assert not set(ends) & {offset for offset, _ in ranges}


def test_a_punched_range_reads_as_zeros_and_its_neighbours_stay(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x" * PAGE_BYTES * 8)
    descriptor = os.open(file, os.O_RDWR)
    os.fsync(descriptor)
    before = os.fstat(descriptor).st_blocks
    punched = punch_hole(descriptor, PAGE_BYTES * 2, PAGE_BYTES * 4)
    os.fsync(descriptor)
    after = os.fstat(descriptor).st_blocks
    os.close(descriptor)
    x, zero = b"x" * PAGE_BYTES, bytes(PAGE_BYTES)
    assert file.read_bytes() == (x * 2 + zero * 4 + x * 2 if punched else x * 8)
    assert after < before if punched else after == before
