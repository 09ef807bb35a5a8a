"""stdout, stderr and stdin."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_python.common import value
from tests.contract.expectations import Step

STREAMS = (
    value(
        "stdout and stderr keep their order",
        "import sys\nprint('a'); print('b', file=sys.stderr); print('c', end=''); print('d', file=sys.stderr); print('e')",
        output="a\nb\ncd\ne\n",
        stderr="b\nd\n",
    ),
    value("print of a lone surrogate", "print('\\ud800!')", stdout="\\ud800!\n"),
    value("print in every plane", "print('é漢😀\\U0010ffff')", stdout="é漢😀\U0010ffff\n"),
    value(
        "input reads stdin",
        Step("a = input('? '); b = input(); (a, b)", stdin="one\nzwei ü\n"),
        text="('one', 'zwei ü')",
        stdout="? ",
    ),
    value("input at the end of stdin", "input()", error="EOFError", line=1),
    value(
        "stdin is new for each execution",
        Step("import sys; sys.stdin.readline()", stdin="a\nb\nc\n"),
        Step("sys.stdin.read()", stdin="new\n"),
        text="'new\\n'",
    ),
    value("all of stdin", Step("import sys; len(sys.stdin.read())", stdin="x" * 100_000), text="100000"),
    value(
        "stdin in bytes", Step("import sys; sys.stdin.buffer.read()", stdin="ü\n"), text="b'\\xc3\\xbc\\n'"
    ),
    value(
        "a closed stdout is back in the next execution",
        "import sys; sys.stdout.close()",
        "print('back')",
        stdout="back\n",
    ),
    value(
        "stdout set to None is back in the next execution",
        "import sys; sys.stdout = None; sys.stderr = None",
        "print('back')",
        stdout="back\n",
    ),
    value(
        "a detached stdout is back in the next execution",
        "import sys; b = sys.stdout.detach()",
        "print('back')",
        stdout="back\n",
    ),
    value(
        "redirecting stdout",
        "import contextlib, io\ns = io.StringIO()\nwith contextlib.redirect_stdout(s): print('x')\n"
        "s.getvalue()",
        text="'x\\n'",
        stdout="",
    ),
    value(
        "a redirection left on ends with the execution",
        "import sys, io; sys.stdout = io.StringIO(); print('lost')",
        "print('seen')",
        stdout="seen\n",
    ),
    value("print without a newline arrives", "print('no newline', end='')", stdout="no newline"),
    value("help does not wait for keys", "help(len)", stdout_has=("Return the number of items",)),
    value("interactive help ends at once", "help()", stdout_has=("help",)),
    value("license does not wait for keys", "print(license)", stdout_has=("license",)),
    value("breakpoint ends cleanly", "breakpoint()", error="SystemExit", exit_status=1),
)
