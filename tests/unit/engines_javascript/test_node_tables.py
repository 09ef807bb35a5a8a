"""What expressions give in the guest is what Node 20 gave for them: values shown, modules, `Intl`.

The tables in `node_tables/` were made by Node 20.20 in UTC; an expression's text is its `util.inspect`,
or the name and message of what it throws.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

import pytest

import torpor
from torpor.config import Config

TABLES = Path(__file__).parent / "node_tables"
NAMES = ("api", "inspect", "intl")


class Row(TypedDict):
    """An expression and the lines of its text."""

    code: str
    shown: list[str]


def rows(name: str) -> list[Row]:
    table: list[Row] = json.loads((TABLES / f"{name}.json").read_text())
    return table


_RUN = """
const inspect = require("util").inspect, texts = {};
for (const code of JSON.parse(require("fs").readFileSync("codes.json", "utf8"))) {
  try { texts[code] = inspect((0, eval)("(" + code + "\\n)")); }
  catch (error) { texts[code] = `THROWS ${error.name}: ${error.message}`; }
}
require("fs").writeFileSync("texts.json", JSON.stringify(texts));
"""


@pytest.fixture(scope="module")
def texts(shared_config: Config) -> Mapping[str, str]:
    """Every expression's text, all evaluated in one context."""
    sandbox = torpor.get_sandbox("node-tables", shared_config)
    sandbox.write_file("codes.json", json.dumps([row["code"] for name in NAMES for row in rows(name)]))
    result = sandbox.interpreter.run_code(_RUN, binding="JAVASCRIPT")
    assert result.error is None
    answered: dict[str, str] = json.loads(sandbox.read_file("texts.json").content)
    sandbox.destroy()
    return answered


@pytest.mark.parametrize("name", NAMES)
def test_expressions_give_what_they_give_in_node(name: str, texts: Mapping[str, str]) -> None:
    wanted = {row["code"]: "\n".join(row["shown"]) for row in rows(name)}
    assert {code: texts[code] for code in wanted} == wanted
