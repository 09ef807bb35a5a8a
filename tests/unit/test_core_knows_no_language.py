"""A language is a folder under engines/: nothing in the core may ask which one it is."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "src" / "torpor"
#: Names of languages and their bindings. The core is written in Python, so that name alone is allowed there
#: in lower case and in examples of documentation.
NAMES = re.compile(r"\b(javascript|typescript|perl|ruby|quickjs|zeroperl)\b", re.IGNORECASE)
COMPARISON = re.compile(r"\b(language|binding)\s*(==|!=|in)\s*[\"'(\[{]")


def strip_prose(source: str) -> str:
    """The source without comments and docstrings, which may speak of languages."""
    return re.sub(r'(""").*?\1|#[^\n]*', "", source, flags=re.DOTALL)


@pytest.mark.parametrize("file", sorted(CORE.rglob("*.py")), ids=lambda file: str(file.relative_to(CORE)))
def test_no_file_of_the_core_names_a_language(file: Path) -> None:
    code = strip_prose(file.read_text())
    assert not NAMES.search(code)
    assert not COMPARISON.search(code)


def test_every_engine_is_a_folder_with_an_entry_point_of_its_own() -> None:
    for folder in (ROOT / "engines").iterdir():
        if folder.is_dir():
            assert '[project.entry-points."torpor.engines"]' in (folder / "pyproject.toml").read_text()
