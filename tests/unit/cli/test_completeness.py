"""When Enter runs a cell in the REPL, and when it only begins the next line."""

import pytest

from torpor.cli.completeness import continuation_indent, is_complete
from torpor.engines import BlockWords

WORDS = BlockWords(opens=r"^\s*def\b|\bdo\s*$", closes=r"^\s*end\b|; end$")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 + 1",
        "x = [1, 2]",
        "print('(')",
        'print("[\\"{")',
        "f(\n  1\n)",
        "f(\n    1\n    )",
        "def f():\n    return 1\n",
        "if x:\n    y\nelse_done = 1",
        "s = '''a\nb'''",
        "s = `a\nb`",
        "it's fine",
        "# don't (but closed)",
        "a = 1 # )",
        "  indented one-liner",
        "unfinished(\n\n",
        "s = '''\n\n",
    ],
)
def test_whole_cells(text: str) -> None:
    assert is_complete(text)


@pytest.mark.parametrize(
    "text",
    [
        "def f():",
        "def f():\n    return 1",
        "if x:\n    y\nelse:",
        "f(",
        "x = [1,",
        "x = {\n  'a': 1",
        "total = 1 + \\",
        "s = '''a",
        's = """a\n',
        "s = `a",
        "a, b,",
        "@cached",
        "@app.get('/x')",
        "f('''(''', [",
        "def f():\n    g(\n    1\n    )",
        "x = 'it' + (",
    ],
)
def test_cells_that_go_on(text: str) -> None:
    assert not is_complete(text)


@pytest.mark.parametrize("text", ["x = 1", "def f\n  1\nend", "def f; end", "a.each do\nend", "def f\n\n\n"])
def test_whole_cells_of_a_language_whose_blocks_are_words(text: str) -> None:
    assert is_complete(text, WORDS)


@pytest.mark.parametrize("text", ["def f", "def f\n  1\n", "def f\n  a.each do\n  end", "a.each do"])
def test_blocks_that_words_have_opened_go_on(text: str) -> None:
    assert not is_complete(text, WORDS)


def test_the_next_line_is_indented_like_the_last_and_deeper_after_an_opening() -> None:
    assert continuation_indent("def f():") == "    "
    assert continuation_indent("def f():\n    if x:") == "        "
    assert continuation_indent("f(\n  1,") == "  "
    assert continuation_indent("x = 1") == ""
