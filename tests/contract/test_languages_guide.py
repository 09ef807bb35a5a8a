"""docs/languages.md: its sessions are executed, and its table is what the engines declare."""

import re
from pathlib import Path

import pytest

from tests.contract.documents import ROOT, blocks, console_examples, languages, run_console
from tests.contract.languages.rows import LANGUAGES
from torpor.config import Config, parse_size
from torpor.engines import get_engine, how_to_install, optional_engines

GUIDE = ROOT / "docs" / "languages.md"
CELLS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in GUIDE.read_text().splitlines()
    if line.startswith("| ")
]
ROWS = {cells[0]: cells[1:] for cells in CELLS}


def test_the_sessions_of_the_guide(shared_config: Config, tmp_path: Path) -> None:
    assert languages(GUIDE) == {"console"}
    environ = {"TORPOR_HOME": str(tmp_path), "TORPOR_CACHE": str(shared_config.cache)}
    for block in blocks(GUIDE, "console"):
        run_console(console_examples(block), tmp_path, environ)


@pytest.mark.parametrize(("column", "binding"), tuple(enumerate(LANGUAGES)), ids=LANGUAGES)
def test_the_table_is_what_an_engine_declares(column: int, binding: str) -> None:
    engine = get_engine(binding)
    assert ROWS["binding"][column] == f"`{binding}`"
    assert tuple(re.findall(r"`(\S+)`", ROWS["file endings"][column])) == engine.file_extensions
    assert engine.name.startswith(ROWS["interpreter"][column])
    assert int(ROWS["fuel of one execution"][column].replace(",", "")) == engine.limits.fuel
    assert parse_size(ROWS["memory"][column]) == engine.limits.memory_bytes
    softly = ROWS["out of fuel or past the deadline"][column] == "stopped; state kept"
    assert softly == (engine.limits.reserve_fuel > 0)


@pytest.mark.parametrize("binding", [one for one in LANGUAGES if one != "PYTHON"])
def test_each_engine_can_be_added_by_name(binding: str) -> None:
    assert binding.lower() in optional_engines()
    assert how_to_install(binding) == f"pip install 'torpor[{binding.lower()}]'"
    assert f"`torpor[{binding.lower()}]`" in ROWS["install with pip"]
