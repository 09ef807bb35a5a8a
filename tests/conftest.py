"""What all tests share: engines compiled once for this machine; everything else in folders of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import torpor
from torpor.config import Config
from torpor.sandbox.host import EmbeddedHost, host_for


@pytest.fixture(scope="session")
def cache() -> Path:
    """The machine's own cache: compiling an engine takes about a minute."""
    return Config.from_environment().cache


@pytest.fixture(scope="session")
def shared_config(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Config:
    """One home for tests that use sandboxes of their own; its engines are ready."""
    config = Config(home=tmp_path_factory.mktemp("home"), cache=cache)
    torpor.compile_engines(config=config)
    return config


@pytest.fixture
def config(shared_config: Config, tmp_path: Path) -> Config:
    """A home of the test's own."""
    return Config(home=tmp_path / "home", cache=shared_config.cache)


@pytest.fixture
def host(config: Config) -> Iterator[EmbeddedHost]:
    """The process's host for `config`, closed afterwards."""
    host = host_for(config)
    yield host
    host.close()
