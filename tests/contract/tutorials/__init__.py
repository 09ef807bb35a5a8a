"""The official tutorials of the languages as REPL sessions: binding -> sessions.

The course is each tutorial's, the code is our own. What is expected is what the real interpreter gives, which
`tests.contract.tutorials.verify` establishes; the engines are compared with the same tables.
"""

from tests.contract.tutorials import javascript, perl, ruby
from tests.contract.tutorials.snippets import Session

SESSIONS: dict[str, tuple[Session, ...]] = {
    "JAVASCRIPT": javascript.SESSIONS,
    "PERL": perl.SESSIONS,
    "RUBY": ruby.SESSIONS,
}
