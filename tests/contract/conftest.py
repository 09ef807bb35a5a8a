"""A sandbox of each test's own in the shared home."""

from collections.abc import Iterator

import pytest

import torpor
from tests.contract.sandbox_kit import new_id
from torpor.config import Config
from torpor.sandbox.sandbox import Sandbox


@pytest.fixture
def sandbox(shared_config: Config) -> Iterator[Sandbox]:
    """One that does not exist yet."""
    sandbox = torpor.get_sandbox(new_id(), shared_config)
    yield sandbox
    sandbox.destroy()
