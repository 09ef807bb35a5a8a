"""Each way of finding changed pages notices every write, wherever it is forced."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from torpor.errors import ValidationFailedError
from torpor.limits import PAGE_BYTES
from torpor.wasm import dirty, linux
from torpor.wasm.memory import pages_at

PAGES = 2000


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "image").write_bytes(os.urandom(PAGES * PAGE_BYTES))
    address = linux.map_anonymous(2 * PAGES * PAGE_BYTES)
    with (tmp_path / "image").open("rb") as image:
        linux.map_file(address, PAGES * PAGE_BYTES, image.fileno(), 0)
    yield address
    linux.unmap(address, 2 * PAGES * PAGE_BYTES)


@pytest.mark.parametrize("name", dirty.TRACKERS)
def test_no_write_is_missed(name: str, scratch: int) -> None:
    tracker = dirty.make_tracker(name)
    tracker.arm(scratch, PAGES * PAGE_BYTES)
    written: set[int] = set()
    for round_ in range(3):
        # Every other page: far more ranges than fit where Linux repeats itself.
        fresh = set(range(round_, PAGES, 3))
        pages_at(scratch, PAGES * PAGE_BYTES)[sorted(fresh), 7] += np.uint64(1)
        found = tracker.dirty_pages(PAGES * PAGE_BYTES)
        assert fresh <= set(found.tolist())
        assert (np.diff(found) > 0).all()
        written |= fresh
    tracker.close()


def test_write_protection_reports_a_page_once(scratch: int) -> None:
    if dirty.why_not("write-protect"):
        pytest.fail(f"this machine should have userfaultfd: {dirty.why_not('write-protect')}")
    tracker = dirty.WriteProtectTracker(protect_from=0)
    tracker.arm(scratch, PAGES * PAGE_BYTES)
    pages_at(scratch, PAGES * PAGE_BYTES)[11, 0] = 1
    assert tracker.dirty_pages(PAGES * PAGE_BYTES).tolist() == [11]
    assert tracker.dirty_pages(PAGES * PAGE_BYTES).tolist() == []
    tracker.close()


def test_protection_begins_when_many_pages_were_written(scratch: int) -> None:
    tracker = dirty.WriteProtectTracker(protect_from=50)
    tracker.arm(scratch, PAGES * PAGE_BYTES)
    memory = pages_at(scratch, PAGES * PAGE_BYTES)
    memory[:20, 0] += np.uint64(1)
    assert tracker.dirty_pages(PAGES * PAGE_BYTES).tolist() == list(range(20))
    assert tracker.dirty_pages(PAGES * PAGE_BYTES).tolist() == list(range(20))
    memory[:60, 0] += np.uint64(1)
    assert tracker.dirty_pages(PAGES * PAGE_BYTES).tolist() == list(range(60))
    memory[70, 0] += np.uint64(1)
    memory[5, 0] += np.uint64(1)
    assert tracker.dirty_pages(PAGES * PAGE_BYTES).tolist() == [5, 70]
    tracker.close()


@pytest.mark.parametrize("name", dirty.TRACKERS)
def test_a_grown_memory_is_watched_too(name: str, scratch: int) -> None:
    tracker = dirty.make_tracker(name)
    tracker.arm(scratch, PAGES * PAGE_BYTES)
    grown = PAGES + 100
    pages_at(scratch, grown * PAGE_BYTES)[PAGES + 5, 0] = 1
    assert PAGES + 5 in tracker.dirty_pages(grown * PAGE_BYTES)
    pages_at(scratch, grown * PAGE_BYTES)[PAGES + 6, 0] = 1
    assert PAGES + 6 in tracker.dirty_pages(grown * PAGE_BYTES)
    tracker.close()


def test_an_unknown_way_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValidationFailedError, match="write-protect, scan, pagemap, compare"):
        dirty.make_tracker("telepathy")


def test_where_the_kernel_forbids_userfaultfd_the_next_rung_is_taken() -> None:
    program = (
        "from torpor.wasm import dirty, linux\n"
        "def forbidden(): raise PermissionError(1, 'Operation not permitted')\n"
        "linux.open_userfaultfd = forbidden\n"
        "print(dirty.best_tracker(), '|', dirty.why_not('write-protect'))\n"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert output.stdout.split("|")[0].strip() == "scan"
    assert "not permitted" in output.stdout


def test_nothing_of_linux_is_touched_at_import() -> None:
    program = (
        "import sys; import torpor.wasm.dirty, torpor.wasm.memory, torpor.wasm.instance\n"
        "print('torpor.wasm.linux' in sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert output.stdout.strip() == "False"


def test_elsewhere_than_on_linux_everything_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    for cached in (dirty.why_not, dirty.best_tracker):
        cached.cache_clear()
    try:
        assert dirty.best_tracker() == "compare"
    finally:
        monkeypatch.undo()
        for cached in (dirty.why_not, dirty.best_tracker):
            cached.cache_clear()
