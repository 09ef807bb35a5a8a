"""The form of the table: a row is one promise, its columns are the same few steps in each language.

All columns have the same expectation. Where a language cannot do the same, the row says so in `differs`,
with the reason; a column may not be missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.contract.expectations import Case, Expect, Step

LANGUAGES = ("PYTHON", "JAVASCRIPT", "PERL", "RUBY")
Steps = str | Step | tuple[str | Step, ...]


@dataclass(frozen=True, slots=True)
class Differs:
    """What one language gives instead, field by field, and why that is right for it."""

    reason: str
    expect: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """`expect` has the fields of `Expect`, about the last step of each column."""

    name: str
    columns: Mapping[str, tuple[str | Step, ...]]
    expect: Mapping[str, Any]
    differs: Mapping[str, Differs] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    may_fail_before: bool = False

    def case(self, language: str) -> Case:
        """The row's column as a case of its own."""
        other = self.differs.get(language)
        expect = {**self.expect, **(other.expect if other else {})}
        return Case(self.name, self.columns[language], Expect(**expect), self.files, self.may_fail_before)


def row(
    name: str,
    *,
    python: Steps,
    javascript: Steps,
    perl: Steps,
    ruby: Steps,
    differs: Mapping[str, Differs] | None = None,
    files: Mapping[str, str] | None = None,
    may_fail_before: bool = False,
    **expect: Any,
) -> Row:
    given = zip(LANGUAGES, (python, javascript, perl, ruby), strict=True)
    columns = {language: steps if isinstance(steps, tuple) else (steps,) for language, steps in given}
    return Row(name, columns, expect, differs or {}, files or {}, may_fail_before)
