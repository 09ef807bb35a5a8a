"""Ruby's tutorials as sessions."""

from tests.contract.tutorials.ruby.language_library import SNIPPETS as LANGUAGE_LIBRARY
from tests.contract.tutorials.ruby.language_syntax import SNIPPETS as LANGUAGE_SYNTAX
from tests.contract.tutorials.ruby.twenty_minutes import SNIPPETS as TWENTY_MINUTES
from tests.contract.tutorials.snippets import Session

SESSIONS = (
    Session(
        "ruby-twenty-minutes",
        '"Ruby in Twenty Minutes" and irb',
        TWENTY_MINUTES,
        chapters=("Interactive Ruby", "Methods", "Classes", "Objects for many", "irb"),
    ),
    Session(
        "ruby-language",
        "the introduction of Ruby's official documentation",
        (*LANGUAGE_SYNTAX, *LANGUAGE_LIBRARY),
        chapters=(
            "Literals",
            "Assignment",
            "Control expressions",
            "Pattern matching",
            "Methods",
            "Modules and classes",
            "Refinements",
            "Exceptions",
            "Strings",
            "Regular expressions",
            "Collections",
            "Enumerators and fibers",
            "Files",
            "Standard library",
            "Miscellaneous",
        ),
    ),
)
