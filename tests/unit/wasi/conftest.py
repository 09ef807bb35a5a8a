"""Guests over a /workspace in memory, with a clock that the tests move."""

import pytest
from wasi_guest import Guest

from torpor.limits import KIB, WorkspaceQuota
from torpor.wasi.preview1 import Preview1
from torpor.workspace.filetree import Tree

QUOTA = WorkspaceQuota(file_bytes=64 * KIB, total_bytes=100 * KIB, entries=20, open_files=12)


class FakeClock:
    """Time that passes only when told to, or while sleeping."""

    def __init__(self, start: int = 1_000_000) -> None:
        self.now = start
        self.slept: list[int] = []

    def realtime(self) -> int:
        return 1_700_000_000_000_000_000 + self.now

    def monotonic(self) -> int:
        return self.now

    def cpu(self) -> int:
        return self.now // 2

    def sleep(self, nanoseconds: int) -> None:
        self.slept.append(nanoseconds)
        self.now += nanoseconds


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def tree():
    return Tree("/workspace", QUOTA)


@pytest.fixture
def guest(tree, clock):
    args, env = ["prog", "two words"], {"A": "1"}
    guest = Guest(Preview1(args=args, env=env, preopens=[tree], clock=clock, quota=QUOTA))
    yield guest
    guest.wasi.close()
    guest.instance.close()
