"""Why a guest's call did not return. Internal to the layers above; users see `ExecutionLimitError`."""

from torpor.errors import EngineError


class GuestTrap(Exception):  # noqa: N818 - a trap is what it is called
    """The guest stopped for good; its instance must be discarded. `reason` is for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class OutOfFuel(GuestTrap):
    """The fuel of this call is used up."""


class StackExhausted(GuestTrap):
    """The guest recursed beyond its stack."""


class Interrupted(GuestTrap):
    """The deadline passed or somebody cancelled; `reason` says which."""


class InstantiationError(EngineError):
    """The module cannot be made an instance: imports missing, memory over the cap."""
