"""What Python code does in Torpor: one table, for any surface that executes code in a context."""

from tests.contract.cases_python.concurrency import ASYNC
from tests.contract.cases_python.damage import VANDALISM
from tests.contract.cases_python.errors import ERRORS
from tests.contract.cases_python.shown import LIMITS, RICH
from tests.contract.cases_python.state import ENDINGS, STATE
from tests.contract.cases_python.streams import STREAMS
from tests.contract.cases_python.surroundings import ENVIRONMENT, FILES, MACHINE
from tests.contract.cases_python.values import VALUES

CASES = (
    *VALUES,
    *STATE,
    *ENDINGS,
    *ERRORS,
    *ASYNC,
    *STREAMS,
    *VANDALISM,
    *FILES,
    *ENVIRONMENT,
    *MACHINE,
    *RICH,
    *LIMITS,
)
assert len({case.name for case in CASES}) == len(CASES)
