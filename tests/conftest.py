"""What all tests share: engines compiled once for this machine; everything else in folders of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import torpor
from torpor.config import Config
from torpor.sandbox import host as sandbox_host
from torpor.sandbox.host import EmbeddedHost, host_for

_SHARED_HOME = "shared-home"


@pytest.fixture(scope="session")
def cache() -> Path:
    """The machine's own cache: compiling an engine takes about a minute."""
    return Config.from_environment().cache


@pytest.fixture(scope="session")
def shared_config(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Config:
    """One home for tests that use sandboxes of their own; its engines are ready."""
    config = Config(home=tmp_path_factory.mktemp(_SHARED_HOME), cache=cache)
    torpor.compile_engines(config=config)
    return config


@pytest.fixture(autouse=True)
def closed_hosts() -> Iterator[None]:
    """What a test opened is closed after it: thousands of tests share a process, and its descriptors."""
    before = set(sandbox_host._hosts)
    yield
    for host in set(sandbox_host._hosts) - before:
        if not host.config.home.name.startswith(_SHARED_HOME):
            host.close()


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
