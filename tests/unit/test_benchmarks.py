"""The benchmarks' statistics, the interleaving timer and the rendering. No time is asserted."""

import gc
import json
import os
from pathlib import Path

import pytest
from benchmarks import render
from benchmarks.contestants import NATIVE, Peer, PeerFailedError, PeerProcess
from benchmarks.results import Machine, Report, Series, Table
from benchmarks.timing import blocks, interleaved, repeated

MACHINE = Machine(
    date="2026-01-02 03:04 +0000",
    cpu="A Processor",
    cores=4,
    memory_bytes=8 * 1024**3,
    kernel="Linux 6.9",
    virtual="virtual machine",
    python="3.11.7",
    wasmtime="50.0.1",
    torpor="0.1.0",
    dirty_pages="scan",
    disk="ext4",
    load_before=(0.1, 0.2, 0.3),
    load_after=(1.1, 1.2, 1.3),
)
OURS = Series("Torpor", (4.0, 1.0, 3.0), target=3.0)
PEER = Series("a | peer", (30.0, 60.0))
TABLE = Table("A step", "ms", (OURS, PEER), baseline="Torpor", note="Some note.")
REPORT = Report(MACHINE, (TABLE,), ("that peer: not installed",))


def test_a_series_shows_its_median_and_extremes() -> None:
    assert (OURS.median, OURS.low, OURS.high, OURS.count) == (3.0, 1.0, 4.0, 3)


def test_a_median_of_an_even_number_lies_between() -> None:
    assert PEER.median == 45.0


def test_a_series_without_values_is_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        Series("empty", ())


@pytest.mark.parametrize(("target", "met"), [(3.0, True), (2.9, False), (None, None)])
def test_a_target_is_for_the_median(target: float | None, met: bool | None) -> None:
    assert Series("x", (1.0, 3.0, 100.0), target).met is met


def test_ratios_are_of_medians_and_to_the_baseline() -> None:
    assert TABLE.ratio(PEER) == 15.0
    assert TABLE.ratio(OURS) is None
    assert Table("t", "ms", (OURS, PEER)).ratio(PEER) is None


def test_a_ratio_to_nothing_is_no_number() -> None:
    assert OURS.ratio_to(Series("zero", (0.0,))) is None


def test_contestants_take_turns_and_their_first_runs_are_dropped() -> None:
    order: list[str] = []
    collecting: set[bool] = set()

    def contestant(name: str) -> float:
        order.append(name)
        collecting.add(gc.isenabled())
        return float(len(order))

    found = interleaved({"a": lambda: contestant("a"), "b": lambda: contestant("b")}, repeat=2, warm_up=1)
    assert order == ["a", "b"] * 3
    assert found == {"a": (3.0, 5.0), "b": (4.0, 6.0)}
    assert collecting == {False}
    assert gc.isenabled()


def test_repeated_gives_as_many_values_as_asked_for() -> None:
    assert repeated(lambda: 1.5, 4) == (1.5,) * 4


def test_blocks_keep_order_and_the_rest() -> None:
    assert blocks([1.0, 2.0, 3.0], 2) == [(1.0, 2.0), (3.0,)]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (0.0123, "0.012"), (1.234, "1.23"), (45.67, "45.7"), (123.4, "123"), (1234.5, "1,234")],
)
def test_numbers_are_shown_with_three_digits(value: float, shown: str) -> None:
    assert render.number(value) == shown


def test_the_text_has_machine_rows_targets_and_what_was_skipped() -> None:
    text = render.text(REPORT)
    lines = text.splitlines()
    assert "A Processor, 4 cores, 8 GiB, virtual machine" in lines
    assert "before 0.1 0.2 0.3, after 1.1 1.2 1.3" in text
    assert next(line.split() for line in lines if line.startswith("  Torpor")) == [
        *("Torpor", "3", "1", "4", "3", "<=", "3:", "met")
    ]
    assert next(line.split() for line in lines if "peer" in line) == [
        *("a", "|", "peer", "45", "30", "60", "2", "15x")
    ]
    assert lines[-1] == "  that peer: not installed"


def test_a_missed_target_is_said_so() -> None:
    assert "<= 0.5: MISSED" in render.table_text(Table("t", "ms", (Series("x", (1.0,), 0.5),)))


def test_markdown_escapes_cells_and_leaves_out_empty_columns() -> None:
    shown = render.markdown(REPORT)
    assert "| a \\| peer | 45 | 30 | 60 | 2 | 15x |  |" in shown
    assert "- that peer: not installed" in shown
    bare = render.markdown(Report(MACHINE, (Table("t", "kB", (Series("x", (1.0,)),)),)))
    assert "|  | median | min | max | n |\n|---|--:|--:|--:|--:|\n| x | 1 | 1 | 1 | 1 |" in bare
    assert "Not measured" not in bare


def test_json_has_every_value() -> None:
    document = json.loads(render.to_json(REPORT))
    ours = document["tables"][0]["series"][0]
    assert ours == {"label": "Torpor", "values": [4.0, 1.0, 3.0], "target": 3.0, "median": 3.0}
    assert document["machine"]["cpu"] == "A Processor"
    assert document["skipped"] == ["that peer: not installed"]


def test_a_peer_measures_in_its_own_process(tmp_path: Path) -> None:
    with PeerProcess(NATIVE, tmp_path) as peer:
        assert peer.ask("import os; print('noise'); value = os.getppid()") == os.getpid()
        assert peer.ask("value = 2 + 2.5") == 4.5


def test_a_peer_that_fails_says_why_and_goes_on(tmp_path: Path) -> None:
    with PeerProcess(NATIVE, tmp_path) as peer:
        with pytest.raises(PeerFailedError, match="native Python: ZeroDivisionError"):
            peer.ask("value = 1 / 0")
        assert peer.ask("value = 1") == 1


def test_a_peer_that_cannot_start_says_why(tmp_path: Path) -> None:
    with (
        PeerProcess(Peer("absent", "benchmarks.peers.absent"), tmp_path) as peer,
        pytest.raises(PeerFailedError, match=r"absent: it ended: .*No module named benchmarks.peers.absent"),
    ):
        peer.ask("value = 1")
