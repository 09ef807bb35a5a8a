"""Which delta records may go, and which should become one.

Pure planning over the records' parent links: it knows no storage and never sees a payload. Two
facts make a plan safe. A record that no *tip* (the newest record of a context in a generation that
can still be reached) descends from is never restored again. And a record that is no tip and has
one child is only ever restored together with that child, so the two can be one record under the
child's id.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise

from torpor import limits
from torpor.errors import CorruptSnapshotError


@dataclass(frozen=True, slots=True)
class RecordNode:
    """One record: `size` is what merging it would rewrite, in bytes (raw extents are not rewritten)."""

    id: str
    parent: str | None
    size: int


@dataclass(frozen=True, slots=True)
class Merge:
    """`older` is the parent of `newer`; the result has the id of `newer` and the parent of `older`."""

    older: str
    newer: str


@dataclass(frozen=True, slots=True)
class HistoryPlan:
    """What to forget, and what to merge, in the order given (later merges rely on earlier ones)."""

    unreachable: tuple[str, ...] = ()
    merges: tuple[Merge, ...] = ()


def plan_history(
    records: Iterable[RecordNode], tips: Collection[str], longest: int = limits.MAX_CHAIN_RECORDS
) -> HistoryPlan:
    """Plan the upkeep of `records` given the live `tips`.

    Only chains of more than `longest` records are touched. In those, neighbours of comparable size
    are merged, oldest first, as in a log-structured merge tree: the records left over grow
    geometrically towards the old end, so their number stays logarithmic and so does the number of
    times a byte is rewritten. If that is not enough, the cheapest pairs follow until the chain fits
    or nothing in it may be merged. Raises CorruptSnapshotError for a missing parent or a loop.
    """
    nodes = {record.id: record for record in records}
    reachable = _reachable(nodes, tips)
    forest = _Forest([nodes[record_id] for record_id in reachable], tips)
    for tip in sorted(tips):
        _shorten(forest, tip, longest)
    unreachable = tuple(record_id for record_id in nodes if record_id not in reachable)
    return HistoryPlan(unreachable, tuple(forest.merges))


def _reachable(nodes: dict[str, RecordNode], tips: Collection[str]) -> set[str]:
    seen: set[str] = set()
    for tip in tips:
        path: set[str] = set()
        record_id: str | None = tip
        while record_id is not None and record_id not in seen:
            if record_id in path or record_id not in nodes:
                what = "is its own ancestor" if record_id in path else "is missing"
                raise CorruptSnapshotError(
                    f"The snapshot {tip} is damaged: its record {record_id} {what}. Rewind to an earlier "
                    "generation.",
                    context={"record": record_id, "tip": tip},
                )
            path.add(record_id)
            record_id = nodes[record_id].parent
        seen |= path
    return seen


class _Forest:
    """The reachable records while merges are being decided."""

    def __init__(self, records: Collection[RecordNode], tips: Collection[str]) -> None:
        self.parents = {record.id: record.parent for record in records}
        self.sizes = {record.id: record.size for record in records}
        self.tips = frozenset(tips)
        # Merging never changes how many children a surviving record has.
        self.children = Counter(self.parents.values())
        self.merges: list[Merge] = []

    def chain(self, tip: str) -> list[str]:
        chain = []
        record_id: str | None = tip
        while record_id is not None:
            chain.append(record_id)
            record_id = self.parents[record_id]
        return chain[::-1]

    def mergeable(self, older: str) -> bool:
        return older not in self.tips and self.children[older] == 1

    def merge(self, older: str, newer: str) -> None:
        self.merges.append(Merge(older, newer))
        self.parents[newer] = self.parents.pop(older)
        self.sizes[newer] += self.sizes.pop(older)


def _shorten(forest: _Forest, tip: str, longest: int) -> None:
    chain = forest.chain(tip)
    if len(chain) <= longest:
        return
    chain = _merge_comparable(forest, chain)
    while len(chain) > longest and (pair := _cheapest_pair(forest, chain)):
        forest.merge(*pair)
        chain.remove(pair[0])


def _merge_comparable(forest: _Forest, chain: list[str]) -> list[str]:
    left: list[str] = []
    for newer in chain:
        while left and forest.mergeable(left[-1]) and _comparable(forest, left[-1], newer):
            forest.merge(left.pop(), newer)
        left.append(newer)
    return left


def _comparable(forest: _Forest, older: str, newer: str) -> bool:
    return forest.sizes[older] <= limits.MERGE_SIZE_RATIO * forest.sizes[newer]


def _cheapest_pair(forest: _Forest, chain: list[str]) -> tuple[str, str] | None:
    pairs = [(older, newer) for older, newer in pairwise(chain) if forest.mergeable(older)]
    return min(pairs, key=lambda pair: forest.sizes[pair[0]] + forest.sizes[pair[1]], default=None)
