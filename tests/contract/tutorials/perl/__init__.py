"""Perl's tutorials as sessions. Perl has no REPL of its own, so most snippets print what they are about."""

from tests.contract.tutorials.perl.data import SNIPPETS as DATA
from tests.contract.tutorials.perl.files import SNIPPETS as FILES
from tests.contract.tutorials.perl.introduction_basics import SNIPPETS as INTRODUCTION_BASICS
from tests.contract.tutorials.perl.introduction_programs import SNIPPETS as INTRODUCTION_PROGRAMS
from tests.contract.tutorials.perl.objects import SNIPPETS as OBJECTS
from tests.contract.tutorials.perl.text import SNIPPETS as TEXT
from tests.contract.tutorials.snippets import Session

SESSIONS = (
    Session(
        "perl-introduction",
        "perlintro",
        (*INTRODUCTION_BASICS, *INTRODUCTION_PROGRAMS),
        every_value=False,
        chapters=(
            "Safety net",
            "Basic syntax",
            "Variable types",
            "Variable scoping",
            "Conditional and looping constructs",
            "Operators and functions",
            "Files",
            "Regular expressions",
            "Subroutines",
            "Object-oriented Perl",
            "Modules",
        ),
    ),
    Session(
        "perl-data",
        "perlreftut, perllol and perldsc",
        DATA,
        every_value=False,
        chapters=(
            "References",
            "Lists of lists",
            "Hashes of lists",
            "Lists of hashes",
            "Hashes of hashes",
            "More elaborate records",
            "Slices",
        ),
    ),
    Session(
        "perl-text",
        "perlrequick and perlretut",
        TEXT,
        every_value=False,
        chapters=(
            "Simple matching",
            "Character classes",
            "Alternatives and anchors",
            "Grouping",
            "Repetitions",
            "Using regular expressions",
            "Search and replace",
            "Splitting",
            "Modifiers",
            "Looking around",
            "Unicode",
            "Operators on text",
        ),
    ),
    Session(
        "perl-files-and-objects",
        "perlopentut and perlootut",
        (*FILES, *OBJECTS),
        every_value=False,
        chapters=(
            "Opening text files",
            "Opening binary files",
            "Low-level opens and folders",
            "Objects",
            "Inheritance",
            "Accessors",
            "Destruction",
            "Overloading",
            "Errors",
            "Tied variables",
            "Sorting objects",
        ),
    ),
)
