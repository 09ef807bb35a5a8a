"""What Perl code does in Torpor: one table, for any surface that executes code in a context."""

from tests.contract.cases_perl.damage import VANDALISM
from tests.contract.cases_perl.errors import ERRORS
from tests.contract.cases_perl.library import LIBRARY
from tests.contract.cases_perl.shown import LIMITS
from tests.contract.cases_perl.state import ENDINGS, SCOPES, STATE
from tests.contract.cases_perl.streams import STREAMS
from tests.contract.cases_perl.surroundings import ENVIRONMENT, FILES, MACHINE
from tests.contract.cases_perl.values import CONTEXT, VALUES

CASES = (
    *VALUES,
    *CONTEXT,
    *STATE,
    *SCOPES,
    *ENDINGS,
    *ERRORS,
    *STREAMS,
    *VANDALISM,
    *FILES,
    *ENVIRONMENT,
    *MACHINE,
    *LIBRARY,
    *LIMITS,
)
assert len({case.name for case in CASES}) == len(CASES)
