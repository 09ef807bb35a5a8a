"""Running code in the sandboxes of the contract tests. Guest code is only what a test needs to see a rule."""

import itertools
from typing import Any

from torpor.models import ExecutionResult
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
