"""JavaScript's and TypeScript's tutorials as sessions."""

from tests.contract.tutorials.javascript.guide_basics import SNIPPETS as GUIDE_BASICS
from tests.contract.tutorials.javascript.guide_objects import SNIPPETS as GUIDE_OBJECTS
from tests.contract.tutorials.javascript.handbook import SNIPPETS as HANDBOOK
from tests.contract.tutorials.javascript.node_events import SNIPPETS as NODE_EVENTS
from tests.contract.tutorials.javascript.node_files import SNIPPETS as NODE_FILES
from tests.contract.tutorials.snippets import Session

SESSIONS = (
    Session(
        "javascript-guide",
        "the MDN JavaScript guide",
        (*GUIDE_BASICS, *GUIDE_OBJECTS),
        chapters=(
            "Introduction",
            "Grammar and types",
            "Control flow and error handling",
            "Loops and iteration",
            "Functions",
            "Expressions and operators",
            "Numbers and strings",
            "Dates and times",
            "Regular expressions",
            "Indexed collections",
            "Keyed collections",
            "Working with objects",
            "Using classes",
            "Using promises",
            "Typed arrays",
            "Iterators and generators",
            "Meta programming",
            "Internationalization",
            "Modules",
        ),
    ),
    Session(
        "javascript-node",
        "Node.js's own introduction",
        (*NODE_EVENTS, *NODE_FILES),
        chapters=(
            "Introduction",
            "Command line",
            "Modules",
            "Asynchronous work",
            "Events",
            "Buffers",
            "Files",
            "Paths",
            "Addresses",
            "Testing",
        ),
    ),
    Session(
        "typescript",
        "the TypeScript handbook",
        HANDBOOK,
        typescript=True,
        chapters=(
            "The basics",
            "Everyday types",
            "Narrowing",
            "More on functions",
            "Object types",
            "Type manipulation",
            "Classes",
            "Modules",
        ),
    ),
)
