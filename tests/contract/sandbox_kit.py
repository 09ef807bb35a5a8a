"""Running code in the sandboxes of the contract tests. Guest code is only what a test needs to see a rule."""

import itertools
from typing import Any

import torpor
from tests.contract.expectations import Case, Step, step_of
from torpor.config import Config
from torpor.models import ExecutionResult
from torpor.sandbox.host import host_for
from torpor.sandbox.sandbox import Sandbox

_numbers = itertools.count()


def new_id() -> str:
    """An id that no other test uses."""
    return f"contract-{next(_numbers)}"


def run(sandbox: Sandbox, code: str, context: Any = None, **options: Any) -> ExecutionResult:
    """In `context`, or the default one."""
    binding = "PYTHON" if context is None else None
    return sandbox.interpreter.run_code(code, context, binding, **options)


def value(sandbox: Sandbox, code: str, context: Any = None, **options: Any) -> str | None:
    """The text of the value of code that must succeed."""
    result = run(sandbox, code, context, **options)
    assert result.error is None, result.error
    return result.text


def run_step(sandbox: Sandbox, binding: str, step: str | Step) -> ExecutionResult:
    step = step_of(step)
    return sandbox.interpreter.run_code(
        step.code,
        binding=binding,
        stdin=step.stdin,
        env_vars=dict(step.env),
        fuel=step.fuel,
        timeout=step.timeout,
    )


def run_case(config: Config, binding: str, case: Case, *, asleep: bool) -> ExecutionResult:
    """A case's steps in a new sandbox, evicted before each step when `asleep`; the last result."""
    sandbox = torpor.get_sandbox(new_id(), config)
    for path, text in case.files.items():
        sandbox.write_file(path, text)
    results = []
    for step in case.steps:
        if asleep:
            host_for(config).runtime.forget(sandbox.id)
        results.append(run_step(sandbox, binding, step))
    sandbox.destroy()
    if not case.may_fail_before:
        assert [r.error for r in results[:-1]] == [None] * (len(results) - 1)
    return results[-1]
