"""Exit statuses, as docs/cli.md promises them.

0    done
1    the code failed (an exception, or a limit)
n    the code ended itself with status n, as sys.exit(n) does; this may be any of the others
2    wrong usage or bad input; nothing was changed
3    Torpor itself failed
130  interrupted by Ctrl-C
141  the reader of a listing went away
"""

from torpor.errors import SandboxError
from torpor.models import ExecutionResult

OK = 0
FAILED = 1
USAGE = 2
TORPOR = 3
INTERRUPTED = 130
BROKEN_PIPE = 141

#: A process's status is one byte.
_STATUS_MASK = 0xFF


def of_result(result: ExecutionResult) -> int:
    """The status of an execution."""
    if result.exit_status is not None:
        return result.exit_status & _STATUS_MASK
    return FAILED if result.error is not None else OK


def of_error(error: SandboxError) -> int:
    """The status of an exception: the caller's mistakes are 4xx."""
    return USAGE if 400 <= error.http_status < 500 else TORPOR
