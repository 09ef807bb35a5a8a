"""What lives on from one execution to the next, and how code ends itself."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_python.common import value

STATE = (
    value("variables live on", "x = 20", "x += 1", "x * 2", text="42"),
    value("functions live on", "def f(n):\n    return n * 2", "f(21)", text="42"),
    value("classes live on", "class A:\n    def __init__(self, n): self.n = n", "a = A(3)", "a.n", text="3"),
    value(
        "closures live on",
        "def counter():\n  n = 0\n  def up():\n    nonlocal n; n += 1; return n\n  return up",
        "up = counter(); up()",
        "up()",
        text="2",
    ),
    value(
        "a suspended generator lives on",
        "g = (n * n for n in range(9)); next(g)",
        "next(g)",
        "next(g)",
        text="4",
    ),
    value("imports live on", "import math as m", "m.floor(2.5)", text="2"),
    value("a failed execution keeps what it did before", "y = 1\n1/0", "y", text="1", may_fail_before=True),
    value("iterators live on", "it = iter('abc'); next(it)", "list(it)", json=["b", "c"]),
    value("__name__ is __main__", "__name__", text="'__main__'"),
    value("__main__ is the namespace", "import sys; q = 5; sys.modules['__main__'].q", text="5"),
    value(
        "instances of classes in __main__ can be pickled",
        "import pickle\nclass P:\n    x = 1",
        "p = P(); p.x = 2\ntype(pickle.loads(pickle.dumps(p))) is P",
        text="True",
    ),
    value(
        "dataclasses",
        "from dataclasses import dataclass\n@dataclass\nclass D:\n    a: int\n    b: str = 'x'",
        "D(1)",
        text="D(a=1, b='x')",
    ),
    value(
        "future imports live on",
        "from __future__ import annotations",
        "def f(x: undefined): ...\nf.__annotations__",
        json={"x": "undefined"},
    ),
    value(
        "decimal's precision lives on",
        "import decimal; decimal.getcontext().prec = 5",
        "decimal.Decimal(1) / 3",
        text="Decimal('0.33333')",
    ),
    value(
        "context variables live on, also through await",
        "import contextvars, asyncio; v = contextvars.ContextVar('v', default=0)",
        "v.set(7); await asyncio.sleep(0)",
        "v.get()",
        text="7",
    ),
    value(
        "the shared generators are seeded apart",
        "import random, numpy as np\n(random.random(), random.random()) != (np.random.rand(), np.random.rand())",
        text="True",
    ),
    value(
        "a user's own generator is not reseeded",
        "import random; r = random.Random(42); a = r.random()",
        "import random; s = random.Random(42); s.random(); r.random() == s.random()",
        text="True",
    ),
    value(
        "nothing of the harness is in the namespace",
        "sorted(n for n in dir() if not n.startswith('__'))",
        json=[],
    ),
)

ENDINGS = (
    value(
        "exit() ends the execution with status 0", "print(1); exit(); print(2)", stdout="1\n", exit_status=0
    ),
    value("and not the context", "x = 3; quit()", "x", text="3"),
    value(
        "an exit status is kept",
        "import sys; sys.exit(3)",
        error="SystemExit",
        message="3",
        exit_status=3,
        line=1,
    ),
    value("an exit status is a byte", "raise SystemExit(-1)", error="SystemExit", exit_status=255),
    value(
        "an exit message goes to stderr",
        "import sys; sys.exit('bye')",
        error="SystemExit",
        message="bye",
        exit_status=1,
        stderr="bye\n",
    ),
    value(
        "an exit inside a function of asyncio",
        "import asyncio\nasync def f(): raise SystemExit(4)\nasyncio.run(f())",
        error="SystemExit",
        exit_status=4,
    ),
    value("an exit that is caught is none", "try: exit()\nexcept SystemExit: 'caught'\n'on'", text="'on'"),
)
