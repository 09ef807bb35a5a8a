"""A store in a home of the test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from torpor.stores.embedded import EmbeddedStore


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def store(home: Path) -> Iterator[EmbeddedStore]:
    store = EmbeddedStore(home)
    yield store
    store.close()
