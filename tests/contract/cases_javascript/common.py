"""What the tables of JavaScript cases share."""

from tests.contract.expectations import Case, Expect, Step

#: The formats of a result that is text alone, and of one that is JSON too.
VALUE = "text/plain"
WITH_JSON = ("application/json", "text/plain")


def value(name: str, *steps: str | Step, may_fail_before: bool = False, **expect: object) -> Case:
    """A case without files: its steps, and what is expected of the last."""
    return Case(name, steps, Expect(**expect), may_fail_before=may_fail_before)  # type: ignore[arg-type]
