"""An execution that keeps nothing: fresh memory, an empty /workspace."""

from typing import NoReturn

from torpor.errors import EngineError
from torpor.interpreter.engine_host import EngineHost
from torpor.interpreter.interpreter import Interpreter
from torpor.interpreter.model import ExecutionRequest, Outcome, Sources, Watch


def execute_stateless(host: EngineHost, request: ExecutionRequest, watch: Watch) -> Outcome:
    """Run code in an interpreter of its own, which is gone afterwards."""
    interpreter = Interpreter(host)
    try:
        return interpreter.execute(request, _NOTHING, watch)
    finally:
        interpreter.close()


def _nothing_to_pull(wanted: object) -> NoReturn:
    raise EngineError(f"a stateless execution has nothing to pull, but {wanted} was asked for")


_NOTHING = Sources(_nothing_to_pull, _nothing_to_pull, _nothing_to_pull)
