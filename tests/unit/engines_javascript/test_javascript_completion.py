"""What is offered at a cursor, without running anything of the user's."""

from collections.abc import Iterator

import pytest

import torpor
from torpor.config import Config

SETUP = """
const settings = { width: 1, height: 2, deep: { inner: 3 },
  get trap() { globalThis.touched = true; throw 1 } }
let sum = 0
function sumOf() {}
class Shape { area() {} static unit = 1 }
const shape = new Shape(), list = [], text = 'x'
const watched = new Proxy({ inside: 1 }, { ownKeys() { globalThis.touched = true; return [] },
  getOwnPropertyDescriptor() { globalThis.touched = true } })
"""


@pytest.fixture(scope="module")
def sandbox(shared_config: Config) -> Iterator[torpor.Sandbox]:
    sandbox = torpor.get_sandbox("javascript-completion", shared_config)
    assert sandbox.interpreter.run_code(SETUP, binding="JAVASCRIPT").error is None
    yield sandbox
    sandbox.destroy()


def offered(sandbox: torpor.Sandbox, code: str) -> tuple[str, ...]:
    return sandbox.interpreter.complete(code, len(code), binding="JAVASCRIPT").matches


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("su", ("sum", "sumOf", "super")),
        ("const x = sum", ("sum", "sumOf")),
        ("settings.", ("width", "height", "deep", "trap", "hasOwnProperty")),
        ("settings.deep.", ("inner",)),
        ("settings?.wi", ("width",)),
        ("shape.ar", ("area",)),
        ("Shape.un", ("unit",)),
        ("list.to", ("toSorted", "toString")),
        ("text.padS", ("padStart",)),
        ("globalThis.proc", ("process",)),
        ("Math.ma", ("max",)),
        ("cons", ("console", "const")),
        ("require('fs/", ("fs/promises",)),
        ("import { join } from 'pa", ("path",)),
        ("😀 + settings.he", ("height",)),
    ],
)
def test_names_are_offered(sandbox: torpor.Sandbox, code: str, expected: tuple[str, ...]) -> None:
    assert set(expected) <= set(offered(sandbox, code))


@pytest.mark.parametrize("code", ["", "1.", "nothing.", "settings.trap.", "watched.", "f().", "'a'.", "{"])
def test_nothing_is_offered(sandbox: torpor.Sandbox, code: str) -> None:
    assert offered(sandbox, code) == ()


def test_the_place_counts_code_points(sandbox: torpor.Sandbox) -> None:
    found = sandbox.interpreter.complete("'😀' + settings.hei.x", 18, binding="JAVASCRIPT")
    assert (found.matches, found.start) == (("height",), 15)


def test_nothing_was_run(sandbox: torpor.Sandbox) -> None:
    for code in ("settings.", "settings.trap.", "watched.", "wat"):
        offered(sandbox, code)
    touched = sandbox.interpreter.run_code("globalThis.touched", binding="JAVASCRIPT")
    assert (touched.error, touched.results) == (None, ())
