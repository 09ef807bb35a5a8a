"""One execution from the command line: through the SDK, streamed, and cancelled by Ctrl-C."""

import threading
from dataclasses import dataclass, field

import torpor
from torpor.cli import results
from torpor.cli.interrupt import cancel_on_interrupt, die_on_interrupt
from torpor.cli.progress import CompileProgress
from torpor.models import ExecutionResult


@dataclass(frozen=True, slots=True)
class Request:
    """What to run, where, and under which limits (seconds, fuel units, bytes).

    Without `sandbox` nothing is kept. With `context` the binding may be None: it is the context's own.
    """

    code: str
    binding: str | None
    sandbox: "torpor.Sandbox | None" = None
    context: str | None = None
    env: dict[str, str] = field(default_factory=dict)
    timeout: float | None = None
    fuel: int | None = None
    memory: int | None = None
    stdin: bytes | None = None


def execute(request: Request, *, stream: bool) -> tuple[ExecutionResult, bool]:
    """The result, and whether Ctrl-C ended it. With `stream`, output is shown as it is written."""
    binding = request.binding or _binding_of_context(request)
    if binding is not None:
        with die_on_interrupt(), CompileProgress() as progress:
            torpor.compile_engines((binding,), progress=progress)
    cancel = threading.Event()
    with cancel_on_interrupt(cancel):
        result = _run(request, stream, cancel)
    return result, cancel.is_set() and result.error is not None


def _binding_of_context(request: Request) -> str | None:
    """None when there is no such context, which the execution then says."""
    contexts = request.sandbox.interpreter.list_code_contexts() if request.sandbox is not None else ()
    return next((context.binding for context in contexts if context.id == request.context), None)


def _run(request: Request, stream: bool, cancel: threading.Event) -> ExecutionResult:
    on_output = results.write_chunk if stream else None
    if request.sandbox is None:
        assert request.binding is not None
        return torpor.run_code(
            request.binding,
            request.code,
            env_vars=request.env,
            timeout=request.timeout,
            fuel=request.fuel,
            memory=request.memory,
            stdin=request.stdin,
            on_output=on_output,
            cancel=cancel,
        )
    return request.sandbox.interpreter.run_code(
        request.code,
        context=request.context,
        binding=request.binding,
        env_vars=request.env,
        timeout=request.timeout,
        fuel=request.fuel,
        memory=request.memory,
        stdin=request.stdin,
        on_output=on_output,
        cancel=cancel,
    )
