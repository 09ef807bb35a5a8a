"""When a guest that asks is told to stop, and that only such a guest may say that it was."""

import time

import pytest

from torpor.interpreter.soft_stop import SoftStop
from torpor.wasm.imports import HostFunction

FOREVER = 2**63 - 1


class Fuel:
    left = 1_000


@pytest.fixture
def fuel() -> Fuel:
    return Fuel()


def ask(stop: SoftStop, name: str) -> int | None:
    function = stop.imports()["torpor", name]
    assert isinstance(function, HostFunction)
    return function.call()


def test_a_guest_with_fuel_and_time_goes_on(fuel: Fuel) -> None:
    stop = SoftStop(lambda: fuel.left)
    stop.arm(reserve=100, deadline=None)
    assert (ask(stop, "should_stop"), ask(stop, "time_left")) == (0, FOREVER)
    assert stop.reason is None


def test_it_stops_when_only_the_reserve_is_left_and_for_the_whole_turn(fuel: Fuel) -> None:
    stop = SoftStop(lambda: fuel.left)
    stop.arm(reserve=100, deadline=None)
    fuel.left = 100
    assert ask(stop, "should_stop") == 1
    fuel.left = 1_000
    assert ask(stop, "should_stop") == 1
    assert stop.reason == "fuel"
    stop.arm(reserve=100, deadline=None)
    assert ask(stop, "should_stop") == 0


def test_it_stops_at_the_deadline_and_knows_how_long_it_may_wait(fuel: Fuel) -> None:
    stop = SoftStop(lambda: fuel.left)
    stop.arm(reserve=100, deadline=time.monotonic() + 3600)
    left = ask(stop, "time_left")
    assert left is not None
    assert 3500 * 10**9 < left <= 3600 * 10**9
    assert ask(stop, "should_stop") == 0
    stop.arm(reserve=100, deadline=time.monotonic() - 1)
    assert (ask(stop, "time_left"), ask(stop, "should_stop")) == (0, 1)
    assert stop.reason == "deadline"


def test_without_a_reserve_fuel_is_left_to_the_trap(fuel: Fuel) -> None:
    stop = SoftStop(lambda: fuel.left)
    fuel.left = 0
    assert ask(stop, "should_stop") == 0
