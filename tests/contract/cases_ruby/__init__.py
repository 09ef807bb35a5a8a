"""What Ruby code does in Torpor: one table, for any surface that executes code in a context."""

from tests.contract.cases_ruby.damage import VANDALISM
from tests.contract.cases_ruby.errors import ERRORS
from tests.contract.cases_ruby.state import ENDINGS, STATE
from tests.contract.cases_ruby.streams import LIMITS, STREAMS
from tests.contract.cases_ruby.surroundings import ENVIRONMENT, FILES, LIBRARIES, MACHINE
from tests.contract.cases_ruby.values import VALUES

CASES = (
    *VALUES,
    *STATE,
    *ENDINGS,
    *ERRORS,
    *STREAMS,
    *VANDALISM,
    *FILES,
    *ENVIRONMENT,
    *LIBRARIES,
    *MACHINE,
    *LIMITS,
)
assert len({case.name for case in CASES}) == len(CASES)
