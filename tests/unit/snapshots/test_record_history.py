"""Planning which records go and which are merged: nothing reachable changes, chains stay short,
and bytes are rewritten rarely."""

import math
from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torpor import limits
from torpor.errors import CorruptSnapshotError
from torpor.snapshots.history import HistoryPlan, Merge, RecordNode, plan_history

LONGEST = limits.MAX_CHAIN_RECORDS - limits.MAINTENANCE_GENERATIONS


class Forest:
    """Records as a store holds them. `effect` is what a record does: the original records it stands for."""

    def __init__(self) -> None:
        self.nodes: dict[str, RecordNode] = {}
        self.effect: dict[str, tuple[str, ...]] = {}
        self.rewritten = 0

    def add(self, record_id: str, parent: str | None, size: int) -> None:
        self.nodes[record_id] = RecordNode(record_id, parent, size)
        self.effect[record_id] = (record_id,)

    def chain(self, tip: str) -> list[str]:
        chain = [tip]
        while (parent := self.nodes[chain[-1]].parent) is not None:
            chain.append(parent)
        return chain[::-1]

    def restored(self, tip: str) -> list[str]:
        return [original for record_id in self.chain(tip) for original in self.effect[record_id]]

    def apply(self, plan: HistoryPlan) -> None:
        for record_id in plan.unreachable:
            del self.nodes[record_id]
        for merge in plan.merges:
            older, newer = self.nodes.pop(merge.older), self.nodes[merge.newer]
            assert newer.parent == older.id
            assert older.id not in {node.parent for node in self.nodes.values() if node is not newer}
            size = older.size + newer.size
            self.nodes[newer.id] = RecordNode(newer.id, older.parent, size)
            self.effect[newer.id] = self.effect[older.id] + self.effect[newer.id]
            self.rewritten += size


def line(*sizes: int) -> list[RecordNode]:
    ids = [None, *(str(n) for n in range(len(sizes)))]
    return [
        RecordNode(str(record_id), parent, size)
        for (parent, record_id), size in zip(pairwise(ids), sizes, strict=True)
    ]


def test_records_that_no_tip_needs_are_forgotten() -> None:
    records = [*line(1, 1, 1), RecordNode("side", "0", 1), RecordNode("above", "2", 1)]
    assert plan_history(records, {"2"}) == HistoryPlan(("side", "above"))
    assert plan_history(records, set()).unreachable == ("0", "1", "2", "side", "above")


def test_a_chain_within_the_limit_is_left_alone() -> None:
    assert plan_history(line(1, 1, 1), {"2"}, longest=3) == HistoryPlan()


def test_records_of_one_size_are_merged_when_the_chain_is_too_long() -> None:
    forest = Forest()
    for node in line(1, 1, 1, 1):
        forest.add(node.id, node.parent, node.size)
    plan = plan_history(forest.nodes.values(), {"3"}, longest=3)
    forest.apply(plan)
    assert forest.restored("3") == ["0", "1", "2", "3"]
    assert len(forest.chain("3")) <= 3


def test_a_large_record_is_not_rewritten_for_small_ones() -> None:
    plan = plan_history(line(1_000_000, 1, 1, 1, 1), {"4"}, longest=4)
    assert Merge("1", "2") in plan.merges
    assert all(merge.older != "0" for merge in plan.merges)


def test_a_tip_and_a_fork_in_the_road_are_never_merged_away() -> None:
    records = [*line(1, 1, 1, 1), RecordNode("side", "1", 1)]
    plan = plan_history(records, {"0", "3", "side"}, longest=1)
    assert {merge.older for merge in plan.merges} == {"2"}


@pytest.mark.parametrize(
    "records",
    [
        [RecordNode("tip", "nowhere", 1)],
        [RecordNode("tip", "other", 1), RecordNode("other", "tip", 1)],
        [RecordNode("tip", "tip", 1)],
        [],
    ],
    ids=["missing parent", "loop", "own parent", "missing tip"],
)
def test_a_chain_that_does_not_end_at_the_base_image_is_damage(records: list[RecordNode]) -> None:
    with pytest.raises(CorruptSnapshotError, match="tip"):
        plan_history(records, {"tip"})


@given(
    parents=st.lists(st.integers(0, 40), min_size=1, max_size=40),
    sizes=st.lists(st.integers(0, 1000), min_size=40, max_size=40),
    tips=st.sets(st.integers(0, 39), max_size=8),
    longest=st.integers(1, 12),
)
def test_no_plan_changes_what_a_tip_restores(
    parents: list[int], sizes: list[int], tips: set[int], longest: int
) -> None:
    forest = Forest()
    for number, parent in enumerate(parents):
        # 0 stands for the base image, anything else for one of the records before.
        above = None if parent % (number + 1) == 0 else str(parent % (number + 1) - 1)
        forest.add(str(number), above, sizes[number])
    live = {str(tip) for tip in tips if tip < len(parents)}
    before = {tip: forest.restored(tip) for tip in live}
    reachable = {record_id for chain in before.values() for record_id in chain}
    plan = plan_history(forest.nodes.values(), live, longest)
    assert set(plan.unreachable) == forest.nodes.keys() - reachable
    forest.apply(plan)
    assert {tip: forest.restored(tip) for tip in live} == before
    for tip in live:
        chain = forest.chain(tip)
        children = [node.parent for node in forest.nodes.values()]
        unmergeable = [r for r in chain[:-1] if r in live or children.count(r) > 1]
        assert len(chain) <= max(longest, len(unmergeable) + 1)


SIZES = {
    "equal": lambda n: 5_000,
    "a large one now and then": lambda n: 2_000_000 if n % 200 == 0 else 5_000,
    "growing": lambda n: 100 + n,
    "shrinking": lambda n: 1_000_000 // (n + 1) + 1,
    "ragged": lambda n: 1 + (n * 7919) % 50_000,
}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES.keys())
def test_chains_stay_short_and_bytes_are_rewritten_rarely(size) -> None:  # type: ignore[no-untyped-def]
    forest, tips, written = Forest(), deque[str](maxlen=limits.REWINDABLE_GENERATIONS), 0
    parent, count = None, 3_000
    for n in range(count):
        forest.add(str(n), parent, size(n))
        written += size(n)
        parent = str(n)
        tips.append(parent)
        assert len(forest.chain(parent)) <= limits.MAX_CHAIN_RECORDS
        if n % limits.MAINTENANCE_GENERATIONS == 0:
            forest.apply(plan_history(forest.nodes.values(), set(tips), LONGEST))
    assert forest.restored(str(count - 1)) == [str(n) for n in range(count)]
    assert forest.rewritten <= written * math.log2(count)
