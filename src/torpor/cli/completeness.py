"""Whether what was typed so far is a whole cell, or the next line still belongs to it.

A rule for any language: brackets and multi-line quotes must be closed, a line must not end in one of
the characters that announce more, an indented block ends with a blank line, and where the language opens
blocks with words, as many words must close them. Two blank lines always end a cell, so that a wrong guess
never traps anyone.
"""

import re

from torpor.engines import BlockWords

_OPENING, _CLOSING = "([{", ")]}"
_ANNOUNCES_MORE = (":", "\\", ",")
_QUOTES = "\"'`"
#: A line that only decorates the next one.
_DECORATOR = re.compile(r"\s*@[\w.]+(\(.*\))?\s*")


def is_complete(text: str, words: BlockWords | None = None) -> bool:
    """Whether Enter should run `text`, whose lines are separated by newlines. `words` are the engine's."""
    lines = text.split("\n")
    blank = not lines[-1].strip()
    if blank and (len(lines) == 1 or not lines[-2].strip()):
        return True
    is_open, start = _scan(text)
    if is_open or (words is not None and _open_blocks(text, words) > 0):
        return False
    if blank:
        return True
    last = lines[-1].rstrip()
    if last.endswith(_ANNOUNCES_MORE) or _DECORATOR.fullmatch(last):
        return False
    in_block = start > 0 and text[start].isspace()
    return not in_block


def _open_blocks(text: str, words: BlockWords) -> int:
    """How many blocks words have opened and none has closed."""
    opened, closed = (len(re.findall(pattern, text, re.MULTILINE)) for pattern in (words.opens, words.closes))
    return opened - closed


def continuation_indent(text: str) -> str:
    """The white space that the line after `text` should begin with."""
    last = text.split("\n")[-1]
    indent = last[: len(last) - len(last.lstrip())]
    return indent + "    " if last.rstrip().endswith((":", *_OPENING)) else indent


def _scan(text: str) -> tuple[bool, int]:
    """Whether a bracket or quote is open at the end, and where the last statement's first line begins."""
    depth = position = start = 0
    while position < len(text):
        character = text[position]
        if character in _QUOTES:
            end = _end_of_quote(text, position)
            if end is None:
                return True, start
            position = end
            continue
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth = max(depth - 1, 0)
        elif character == "\n" and depth == 0:
            start = position + 1
        position += 2 if character == "\\" else 1
    return depth > 0, start


def _end_of_quote(text: str, start: int) -> int | None:
    """Where the quoted text that begins at `start` ends; None when it is multi-line and still open.

    A quote that is not closed on its line is taken for an apostrophe and skipped alone.
    """
    quote = text[start]
    mark = quote * 3 if text.startswith(quote * 3, start) else quote
    many_lines = len(mark) > 1 or quote == "`"
    position = start + len(mark)
    while position < len(text):
        if text.startswith(mark, position):
            return position + len(mark)
        if text[position] == "\n" and not many_lines:
            break
        position += 2 if text[position] == "\\" else 1
    return None if many_lines else start + 1
