"""What every language promises alike: one table of rows, one column a language."""

from tests.contract.languages.errors import ERRORS
from tests.contract.languages.hostile import HOSTILE
from tests.contract.languages.state import ENDINGS, STATE
from tests.contract.languages.surroundings import STREAMS, SURROUNDINGS
from tests.contract.languages.values import VALUES

ROWS = (*VALUES, *STATE, *ENDINGS, *ERRORS, *STREAMS, *SURROUNDINGS, *HOSTILE)
assert len({row.name for row in ROWS}) == len(ROWS)
