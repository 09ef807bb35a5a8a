"""One turn of a guest, whatever happens in it, as data: values, errors, limits, breakdowns."""

import time
from dataclasses import dataclass, replace

from torpor.errors import EngineError
from torpor.interpreter.guest import RunningGuest
from torpor.interpreter.model import Budget, ExecutionRequest, Outcome, Proposal, Watch
from torpor.interpreter.output import OutputCollector
from torpor.interpreter.protocol import Completion, Reply, Request, parse_reply
from torpor.limits import MIB
from torpor.models import ExecutionError, Logs, Usage
from torpor.wasi.errors import GuestExit
from torpor.wasm.errors import GuestTrap, Interrupted, OutOfFuel, StackExhausted

_LIMIT = "ExecutionLimitError"
_ENGINE = "EngineError"


@dataclass(frozen=True, slots=True)
class TurnResult:
    """`reply` None: the guest is broken and must be discarded; `failure` says why."""

    duration_ms: float
    logs: Logs
    usage: Usage
    reply: Reply | None
    failure: ExecutionError | None
    exit_status: int | None
    callback_error: Exception | None

    @property
    def broken(self) -> bool:
        return self.reply is None

    @property
    def completion(self) -> Completion:
        """What a `complete` turn found; nothing when the guest broke down over it."""
        return (self.reply and self.reply.completion) or Completion()

    def broken_by(self, error: Exception) -> "TurnResult":
        """The same turn, whose guest broke down before its state could be taken."""
        why = ExecutionError(_ENGINE, f"the state after the execution could not be taken: {error}")
        return replace(self, reply=None, failure=why)

    def outcome(
        self,
        *,
        notices: tuple[str, ...] = (),
        proposal: Proposal | None = None,
        snapshot_ms: float = 0.0,
    ) -> Outcome:
        reply = self.reply
        return Outcome(
            duration_ms=self.duration_ms,
            logs=self.logs,
            usage=self.usage,
            results=reply.results if reply else (),
            error=reply.error if reply else self.failure,
            exit_status=reply.exit_status if reply else self.exit_status,
            cwd=reply.cwd if reply else None,
            proposal=proposal,
            snapshot_ms=snapshot_ms,
            notices=notices,
            callback_error=self.callback_error,
        )


def run_turn(guest: RunningGuest, message: Request, request: ExecutionRequest, watch: Watch) -> TurnResult:
    """Serve `message` within the request's budget. Never raises for what the guest does."""
    output = OutputCollector(watch.callbacks)
    watch.interruption.deadline = request.budget.deadline
    reply: Reply | None = None
    failure: ExecutionError | None = None
    exit_status: int | None = None
    began = time.perf_counter()
    try:
        raw = guest.turn(
            message.encode(),
            stdin=request.stdin,
            output=output,
            fuel=request.budget.fuel,
            interruption=watch.interruption,
        )
        reply = _judged(parse_reply(raw), guest, request.budget, began)
    except GuestExit as ended:
        failure = _out_of_memory(guest, request.budget)
        if failure is None:
            exit_status = ended.code
            said = f"the interpreter ended itself with status {ended.code}; its state stands as before"
            failure = ExecutionError(_ENGINE, said)
    except GuestTrap as trap:
        failure = _limit_error(trap, guest, request.budget, began)
    except EngineError as error:
        failure = ExecutionError(_ENGINE, error.message)
    duration = round((time.perf_counter() - began) * 1000, 3)
    logs, callback_error = output.finish()
    return TurnResult(duration, logs, _usage(guest, request), reply, failure, exit_status, callback_error)


def _judged(reply: Reply, guest: RunningGuest, budget: Budget, began: float) -> Reply:
    """The reply; when its code was stopped, with the limit as its error. That the host told the guest to
    stop is the host's to know: a guest that says so of itself is broken."""
    if not reply.stopped:
        return reply
    match guest.told_to_stop:
        case "fuel":
            return replace(reply, error=_out_of_fuel(budget))
        case "deadline":
            return replace(reply, error=_timed_out(began))
        case None:
            raise EngineError("the harness says that it was told to stop, which it was not")


def _usage(guest: RunningGuest, request: ExecutionRequest) -> Usage:
    fuel = request.budget.fuel
    return Usage(fuel - guest.fuel_left(), fuel, guest.instance.memory.size)


def _limit_error(trap: GuestTrap, guest: RunningGuest, budget: Budget, began: float) -> ExecutionError:
    """Which limit it was and what to do about it."""
    match trap:
        case OutOfFuel():
            return _out_of_fuel(budget)
        case Interrupted(reason="deadline"):
            return _timed_out(began)
        case Interrupted():
            return ExecutionError(_LIMIT, f"Execution {trap.reason}")
        case StackExhausted():
            return ExecutionError(
                _LIMIT, "Execution stack exhausted: something is nested or recursing too deeply."
            )
        case _:
            failed = ExecutionError(_ENGINE, f"the engine failed: {trap.reason}")
            return _out_of_memory(guest, budget) or failed


def _out_of_memory(guest: RunningGuest, budget: Budget) -> ExecutionError | None:
    """Interpreters that cannot raise an error for it end themselves, or trap, when memory is refused."""
    if not guest.memory_spent:
        return None
    return ExecutionError(
        _LIMIT,
        f"Execution memory exhausted: the interpreter used its {budget.memory_bytes // MIB} MiB and broke "
        "down. Hold less at a time, or raise the limit (TORPOR_MEMORY).",
    )


def _out_of_fuel(budget: Budget) -> ExecutionError:
    return ExecutionError(
        _LIMIT,
        f"Execution fuel exhausted: the code used its {budget.fuel} units of 1,000 instructions. Do "
        "less in one execution, or raise the limit (TORPOR_FUEL).",
    )


def _timed_out(began: float) -> ExecutionError:
    return ExecutionError(
        _LIMIT,
        f"Execution timed out after {time.perf_counter() - began:.1f} s. Do less in one execution, "
        "or give it more time (timeout).",
    )
