"""What JavaScript code does in Torpor: one table, for any surface that executes code in a context."""

from tests.contract.cases_javascript import node_library
from tests.contract.cases_javascript.damage import VANDALISM
from tests.contract.cases_javascript.errors import ERRORS, LIMITS
from tests.contract.cases_javascript.modules import MODULES, TYPESCRIPT
from tests.contract.cases_javascript.state import ENDINGS, STATE
from tests.contract.cases_javascript.streams import STREAMS
from tests.contract.cases_javascript.surroundings import SURROUNDINGS
from tests.contract.cases_javascript.values import SHOWN, VALUES

CASES = (
    *VALUES,
    *SHOWN,
    *STATE,
    *ENDINGS,
    *ERRORS,
    *STREAMS,
    *MODULES,
    *TYPESCRIPT,
    *VANDALISM,
    *SURROUNDINGS,
    *node_library.CASES,
    *LIMITS,
)
assert len({case.name for case in CASES}) == len(CASES)
