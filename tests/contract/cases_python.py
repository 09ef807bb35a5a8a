"""What Python code does in Torpor: one table, for any surface that executes code in a context."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.expectations import Case, Expect, Step

VALUE = "text/plain"
WITH_JSON = ("application/json", "text/plain")


def value(name: str, *steps: str | Step, **expect: object) -> Case:
    return Case(name, steps, Expect(**expect))  # type: ignore[arg-type]


VALUES = (
    value("none gives no result", "None", text=None, shown=0),
    value("an integer", "144", text="144", formats=(VALUE,)),
    value("a bool is text", "True", text="True", formats=(VALUE,)),
    value("exact digits", "2**70", text="1180591620717411303424"),
    value("negative zero", "-0.0", text="-0.0"),
    value("nan is text", "float('nan')", text="nan", formats=(VALUE,)),
    value("infinity is text", "float('inf')", text="inf", formats=(VALUE,)),
    value("a string is quoted", "'hi'", text="'hi'", formats=(VALUE,)),
    value("a string with a quote", '"it\'s"', text='"it\'s"'),
    value("the empty string is a result", "''", text="''"),
    value("bytes", "b'x'", text="b'x'"),
    value("an empty list is json", "[]", text="[]", json=[], formats=WITH_JSON),
    value("an empty dict is json", "{}", text="{}", json={}, formats=WITH_JSON),
    value(
        "subclasses of dict are json",
        "import collections\ncollections.Counter('aab')",
        text="Counter({'a': 2, 'b': 1})",
        json={"a": 2, "b": 1},
    ),
    value("a tuple is text", "(1, 2)", text="(1, 2)", formats=(VALUE,)),
    value("a set is text", "{1}", text="{1}", formats=(VALUE,)),
    value("a range is text", "range(3)", text="range(0, 3)", formats=(VALUE,)),
    value(
        "a namedtuple is text",
        "import collections\ncollections.namedtuple('P', 'x y')(1, 2)",
        text="P(x=1, y=2)",
        formats=(VALUE,),
    ),
    value("a tuple inside a list is a json array", "[(1, 2)]", json=[[1, 2]], text="[(1, 2)]"),
    value("a set inside a list makes it text", "[{1}]", text="[{1}]", formats=(VALUE,)),
    value("nan inside makes it text", "[float('nan')]", text="[nan]", formats=(VALUE,)),
    value("infinity deep inside makes it text", "{'a': [float('-inf')]}", formats=(VALUE,)),
    value("a cycle is text", "a = [1]; a.append(a); a", text="[1, [...]]", formats=(VALUE,)),
    value(
        "keys that are not strings become strings",
        "{1: 'a', 2.5: 'b', True: 'c', None: 'd'}",
        json={"1": "c", "2.5": "b", "null": "d"},
    ),
    value("a tuple as key makes it text", "{(1, 2): 3}", text="{(1, 2): 3}", formats=(VALUE,)),
    value("big integers are exact in json", "[2**70]", json=[2**70]),
    value("floats are exact in json", "[0.1, 1e300, 5e-324]", json=[0.1, 1e300, 5e-324]),
    value("lone surrogates in json", "['\\ud800']", json=["\ud800"], text="['\\ud800']"),
    value("a broken repr is an error", "class A:\n  def __repr__(self): 1/0\nA()", error="ZeroDivisionError"),
    value("a semicolon does not hide the value", "1 + 1;", text="2"),
    value("an assignment has no value", "x = 5", text=None),
    value("a statement has no value", "for i in range(3): i", text=None),
    value("only the last expression is the value", "1\n2\n3", text="3", shown=0),
    value("a comment after the value", "7  # seven\n# end", text="7"),
    value("code of comments only", "# nothing", text=None),
    value("the last value is _", "41", "_ + 1", text="42"),
    value("the user's own _ is kept", "_ = 'mine'", "99", "_", text="'mine'"),
    value("a huge integer", "2**100000", text_has=("99900209",), formats=(VALUE,)),
    value("a huge integer inside a list", "[10**5000]", formats=(VALUE,)),
    value(
        "a container nested deeper than json allows",
        "a = []\nfor _ in range(500): a = [a]\na",
        formats=(VALUE,),
        text_has=("[[[[",),
    ),
    value(
        "a container nested deeper than repr allows",
        "a = []\nfor _ in range(100_000): a = [a]\nimport sys\nb = a\na",
        error="RecursionError",
    ),
    value("text in every plane", "'aé漢😀\\U00020000\\U0010fffd'", text="'aé漢😀\U00020000\\U0010fffd'"),
    value("characters outside the basic plane in json", "['😀']", json=["😀"]),
)

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
    value("a failed execution keeps what it did before", "y = 1\n1/0", "y", text="1"),
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

ERRORS = (
    value(
        "line ends of other systems",
        "a = 1\r\nb = '\x0c\u2028'\r1/0",
        error="ZeroDivisionError",
        line=3,
        traceback_has=("    1/0",),
    ),
    value(
        "a traceback shows the user's frames and lines only",
        "def f(x):\n    return 1 / x\n\nf(0)",
        error="ZeroDivisionError",
        message="division by zero",
        line=2,
        traceback=(
            "Traceback (most recent call last):",
            '  File "<cell 1>", line 4, in <module>',
            "    f(0)",
            "    ~^^^",
            '  File "<cell 1>", line 2, in f',
            "    return 1 / x",
            "           ~~^~~",
            "ZeroDivisionError: division by zero",
        ),
    ),
    value(
        "a function of an earlier cell shows its own lines",
        "# first\ndef f(x):\n    return 1 / x",
        "\nf(0)",
        error="ZeroDivisionError",
        line=2,
        traceback=(
            "Traceback (most recent call last):",
            '  File "<cell 2>", line 2, in <module>',
            "    f(0)",
            "    ~^^^",
            '  File "<cell 1>", line 3, in f',
            "    return 1 / x",
            "           ~~^~~",
            "ZeroDivisionError: division by zero",
        ),
    ),
    value(
        "a syntax error has a caret",
        "x = 1\ny = = 2",
        error="SyntaxError",
        message="invalid syntax",
        line=2,
        traceback=(
            '  File "<cell 1>", line 2',
            "    y = = 2",
            "        ^",
            "SyntaxError: invalid syntax",
        ),
    ),
    value("an error in an indented block", "if True:\nx = 1", error="IndentationError", line=2),
    value(
        "nothing runs of code that does not compile",
        "ran = True\nx = = 2",
        "'ran' in globals()",
        text="False",
    ),
    value(
        "a hint for a misspelt name",
        "hello = 1\nhelo",
        error="NameError",
        message="name 'helo' is not defined",
        traceback_has=("Did you mean: 'hello'?",),
    ),
    value(
        "a chained exception",
        "raise ValueError('b') from KeyError('a')",
        error="ValueError",
        traceback_has=(
            "KeyError: 'a'",
            "The above exception was the direct cause of the following exception:",
        ),
    ),
    value(
        "an exception while handling another",
        "try:\n  1/0\nexcept Exception:\n  raise TypeError('t')",
        error="TypeError",
        line=4,
        traceback_has=("During handling of the above exception",),
    ),
    value(
        "a note",
        "e = ValueError('v'); e.add_note('look here'); raise e",
        error="ValueError",
        traceback_has=("look here",),
    ),
    value(
        "an exception group",
        "raise ExceptionGroup('g', [ValueError(1), TypeError(2)])",
        error="ExceptionGroup",
        message="g (2 sub-exceptions)",
        traceback_has=("+---------------- 1 ----------------", "| ValueError: 1"),
    ),
    value(
        "an exception of the user's own class",
        "class Oops(Exception): pass\nraise Oops('x')",
        error="Oops",
        message="x",
    ),
    value(
        "an exception whose text raises",
        "class E(Exception):\n  def __str__(self): 1/0\nraise E()",
        error="E",
        line=3,
        message="<the message of this E cannot be told>",
    ),
    value(
        "an exception with an endless chain",
        "a, b = ValueError('a'), ValueError('b')\na.__context__ = b\nb.__context__ = a\nraise a",
        error="ValueError",
        message="a",
    ),
    value("KeyboardInterrupt is an error", "raise KeyboardInterrupt", error="KeyboardInterrupt"),
    value(
        "unbounded recursion is an error",
        "def f(): return f()\nf()",
        error="RecursionError",
        traceback_has=("[Previous line repeated",),
    ),
    value("the context lives on after it", "def f(): return f()\nf()", "1", text="1"),
    value(
        "a raised recursion limit is held at a safe height",
        "import sys; sys.setrecursionlimit(10**9)\ndef f(): return f()\ntry: f()\n"
        "except RecursionError as e: ok = True\nok",
        text="True",
    ),
    value(
        "a recursion through repr is an error",
        "import sys; sys.setrecursionlimit(10**9)\nclass A:\n  def __repr__(self): return repr(A())\n"
        "try: repr(A())\nexcept RecursionError: ok = True\nok",
        text="True",
    ),
    value("too much memory is an error", "bytearray(10**9)", error="MemoryError"),
    value(
        "a long message is cut",
        "raise ValueError('x' * 100_000)",
        error="ValueError",
        message_has=("100,000 characters in all",),
    ),
    value(
        "a long traceback is cut in its middle",
        "raise ValueError('x\\n' * 1000)",
        error="ValueError",
        traceback_has=("Traceback (most recent call last):", "lines left out"),
        line=1,
    ),
    value(
        "what was printed before an error stays",
        "print('before'); 1/0",
        error="ZeroDivisionError",
        stdout="before\n",
    ),
    value("the error of an eval is at its line", "\neval('1 +')", error="SyntaxError", line=2),
    value("a null byte in the code", "x = 1\0", error="SyntaxError"),
)
ERRORS = tuple(
    Case(
        c.name, c.steps, c.expect, may_fail_before=c.name.startswith(("the context lives on", "nothing runs"))
    )
    for c in ERRORS
)
STATE = tuple(Case(c.name, c.steps, c.expect, may_fail_before="failed" in c.name) for c in STATE)

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

ASYNC = (
    value("await at the top", "import asyncio\nawait asyncio.sleep(0.001, 5)", text="5"),
    value(
        "async for and async with at the top",
        "import contextlib\n@contextlib.asynccontextmanager\nasync def c(): yield 1\n"
        "async def g():\n  for i in range(3): yield i\nout = []\n"
        "async for i in g(): out.append(i)\nasync with c() as one: out.append(one)\nout",
        json=[0, 1, 2, 1],
    ),
    value("asyncio.run", "import asyncio\nasync def f(): return 6\nasyncio.run(f())", text="6"),
    value(
        "asyncio.run twice",
        "import asyncio\nasync def f(): return 6\nasyncio.run(f())",
        "asyncio.run(f())",
        text="6",
    ),
    value(
        "gather runs side by side",
        "import asyncio, time\nt = time.monotonic()\n"
        "r = await asyncio.gather(*(asyncio.sleep(0.05, n) for n in range(20)))\n"
        "sum(r), time.monotonic() - t < 0.9",
        text="(190, True)",
    ),
    value(
        "queues and tasks",
        "import asyncio\nasync def main():\n  q = asyncio.Queue(1)\n  async def put():\n"
        "    for i in range(3): await q.put(i)\n  t = asyncio.create_task(put())\n"
        "  got = [await q.get() for _ in range(3)]\n  await t\n  return got\nasyncio.run(main())",
        json=[0, 1, 2],
    ),
    value(
        "a timeout",
        "import asyncio\ntry: await asyncio.wait_for(asyncio.sleep(9), 0.01)\n"
        "except TimeoutError: r = 'late'\nr",
        text="'late'",
    ),
    value(
        "a task group",
        "import asyncio\nasync with asyncio.TaskGroup() as g:\n  t = g.create_task(asyncio.sleep(0, 3))\n"
        "t.result()",
        text="3",
    ),
    value("to_thread runs in place", "import asyncio\nawait asyncio.to_thread(lambda: 8)", text="8"),
    value(
        "a task goes on in the next cell",
        "import asyncio\nasync def work():\n  await asyncio.sleep(0.001); return 'done'\n"
        "t = asyncio.create_task(work()); await asyncio.sleep(0)",
        "t.done()",
        "await t",
        text="'done'",
    ),
    value(
        "waiting for nothing is an error",
        "import asyncio\nawait asyncio.Future()",
        error="RuntimeError",
        message_has=("would wait for ever",),
    ),
    value(
        "and the loop lives on",
        "import asyncio\nawait asyncio.Future()",
        "await asyncio.sleep(0, 1)",
        text="1",
    ),
    value(
        "an error in a task shows the user's frames",
        "import asyncio\nasync def f(): 1/0\nawait asyncio.gather(f())",
        error="ZeroDivisionError",
        line=2,
        traceback=(
            "Traceback (most recent call last):",
            '  File "<cell 1>", line 3, in <module>',
            "    await asyncio.gather(f())",
            '  File "<cell 1>", line 2, in f',
            "    async def f(): 1/0",
            "                   ~^~",
            "ZeroDivisionError: division by zero",
        ),
    ),
    value(
        "asyncio.run inside a running loop says so",
        "import asyncio\nawait asyncio.sleep(0)\nc = asyncio.sleep(0)\n"
        "try: asyncio.run(c)\nfinally: c.close()",
        error="RuntimeError",
        message_has=("running event loop",),
    ),
    value(
        "time.sleep",
        "import time; t = time.monotonic(); time.sleep(0.02); time.monotonic() - t >= 0.02",
        text="True",
    ),
)
ASYNC = tuple(
    Case(c.name, c.steps, c.expect, may_fail_before=c.name.startswith("and the loop")) for c in ASYNC
)

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

VANDALISM = (
    value(
        "builtins set to nonsense",
        "import builtins\nfor n in ('len', 'repr', 'isinstance', 'str', 'print', 'compile', 'exec', 'type', 'getattr'):\n"
        "  setattr(builtins, n, None)",
        "{'a': 1}",
        json={"a": 1},
    ),
    value(
        "errors are told with broken builtins",
        "import builtins\nbuiltins.len = builtins.isinstance = None\n1/0",
        error="ZeroDivisionError",
        line=3,
        traceback_has=("    1/0", "ZeroDivisionError: division by zero"),
    ),
    value(
        "a user's change to builtins is kept",
        "import builtins; builtins.abs = lambda n: 'mine'",
        "abs(-1)",
        text="'mine'",
    ),
    value("print replaced in the namespace", "print = None", "1", text="1"),
    value(
        "modules of the harness's kind are taken apart",
        "import json, json.encoder, traceback, linecache, ast, io, re, tokenize, os, posix\n"
        "for m in (json, json.encoder, traceback, linecache, ast, re, tokenize):\n"
        "  for n in list(vars(m)):\n    if not n.startswith('__'): setattr(m, n, None)\n"
        "for n in ('open', 'read', 'write', 'close', 'getcwd', 'chdir'): setattr(os, n, None); setattr(posix, n, None)",
        "1/0",
        error="ZeroDivisionError",
        traceback_has=("    1/0",),
    ),
    value(
        "sys.modules is cleared",
        "import sys; sys.modules.clear()",
        "import json; json.dumps([1])",
        text="'[1]'",
    ),
    value("__main__ is removed", "import sys; z = 4; del sys.modules['__main__']", "z", text="4"),
    value("sys.path is emptied", "import sys; sys.path.clear(); sys.meta_path.clear()", "1 + 1", text="2"),
    value(
        "attributes of sys are deleted",
        "import sys; del sys.stdout, sys.stderr, sys.stdin, sys.path, sys.modules",
        "print('x'); 2",
        text="2",
        stdout="x\n",
    ),
    value(
        "a trace function is left on",
        "import sys\ndef t(*a): raise ValueError\nsys.settrace(t)",
        "5",
        text="5",
    ),
    value(
        "a profile function is left on",
        "import sys\nsys.setprofile(lambda *a: print('!'))",
        "5",
        text="5",
        stdout="",
    ),
    value("warnings are errors", "import warnings; warnings.simplefilter('error')", "6", text="6"),
    value(
        "an excepthook of the user's is not used",
        "import sys; sys.excepthook = sys.displayhook = None",
        "1/0",
        error="ZeroDivisionError",
    ),
    value("a repr that is no string", "class A:\n  def __repr__(self): return 5\nA()", error="TypeError"),
    value(
        "a repr that returns a subclass of str",
        "class S(str):\n  def encode(self, *a): 1/0\n  def __len__(self): 1/0\nclass A:\n  def __repr__(self): return S('fine')\nA()",
        text="fine",
    ),
    value(
        "an object that answers to every name",
        "class A:\n  def __getattr__(self, n): return A()\n"
        "  def __call__(self, *a, **k): return A()\n  def __repr__(self): return 'A'\nA()",
        text="A",
        formats=(VALUE,),
    ),
    value(
        "an object whose __class__ raises",
        "class A:\n  @property\n  def __class__(self): 1/0\n  def __repr__(self): return 'A'\nA()",
        text="A",
    ),
    value(
        "an object that claims to be a dict",
        "class A:\n  __class__ = dict\n  def __repr__(self): return 'A'\nA()",
        text="A",
        formats=(VALUE,),
    ),
    value(
        "an html representation that raises",
        "class A:\n  def _repr_html_(self): 1/0\n  def __repr__(self): return 'A'\nA()",
        text="A",
        formats=(VALUE,),
    ),
    value(
        "an html representation that is no string",
        "class A:\n  def _repr_html_(self): return 5\nA()",
        formats=(VALUE,),
    ),
    value(
        "a bundle with names that are no MIME types",
        "class A:\n  def _repr_mimebundle_(self, **k): return {'nonsense': 'x', 5: 'y', 'a/b c': 'z', 'text/html': '<b>'}\nA()",
        formats=("text/html", VALUE),
    ),
    value("a dict whose items raise", "class D(dict):\n  def items(self): 1/0\nD(a=1)", text="{'a': 1}"),
    value(
        "a metaclass with a name that raises",
        "class M(type):\n  @property\n  def __name__(c): 1/0\n"
        "class E(Exception, metaclass=M): pass\nraise E('x')",
        error="E",
        message="x",
    ),
    value(
        "the event loop is closed",
        "import asyncio; asyncio.get_event_loop().close()",
        "await asyncio.sleep(0, 1)",
        text="1",
    ),
    value(
        "os.environ is replaced",
        "import os; os.environ = {}",
        "import os; type(os.environ).__name__",
        text="'_Environ'",
    ),
    value("display is removed", "import builtins; del builtins.display", "display(1)", shown_texts=("1",)),
    value(
        "a recursion limit is left low",
        "import sys; sys.setrecursionlimit(30)",
        "1/0",
        error="ZeroDivisionError",
        traceback_has=("    1/0",),
    ),
    value(
        "a recursion limit is the user's to keep",
        "import sys; sys.setrecursionlimit(1234)",
        "sys.getrecursionlimit()",
        text="1234",
    ),
    value(
        "a monitoring tool is left on",
        "import sys\nm = sys.monitoring; m.use_tool_id(2, 'mine')\n"
        "m.register_callback(2, m.events.LINE, lambda *a: 1/0)\nm.set_events(2, m.events.LINE)",
        "9",
        text="9",
    ),
    value(
        "asyncio is taken apart",
        "import asyncio, asyncio.events, asyncio.base_events as b\n"
        "for m in (asyncio, asyncio.events, b, b.BaseEventLoop):\n"
        "  for n in list(vars(m)):\n    if not n.startswith('__'): setattr(m, n, None)",
        "await 5",
        "6",
        text="6",
    ),
    value("os.environ is taken apart", "import os; del os.environ._data", "7", text="7"),
    value(
        "contextlib is taken apart", "import contextlib; contextlib.suppress = None", "print(1)", stdout="1\n"
    ),
    value(
        "numpy's generator is replaced",
        "import numpy as np; np.random.set_bit_generator(np.random.PCG64())",
        "1",
        text="1",
    ),
    value(
        "stdout is given another write",
        "import sys; sys.stdout.write = lambda s: 0",
        "print(1)",
        stdout="1\n",
    ),
    value(
        "stdout is given another encoding",
        "import sys; sys.stdout.reconfigure(encoding='utf-16', line_buffering=False)",
        "print('é')",
        stdout="é\n",
    ),
    value("descriptors are closed", "import os; os.close(1)", "8", text="8"),
    value(
        "a callback of the collector raises", "import gc; gc.callbacks.append(lambda *a: 1/0)", "7", text="7"
    ),
    value("a gc threshold of one", "import gc; gc.set_threshold(1)", "[1]", json=[1]),
)
VANDALISM = tuple(
    Case(
        c.name,
        c.steps,
        c.expect,
        may_fail_before=c.name
        in ("a trace function is left on", "a monitoring tool is left on", "asyncio is taken apart"),
    )
    for c in VANDALISM
)

FILES = (
    Case(
        "a module in /workspace",
        ("import helper; helper.n()",),
        Expect(text="9"),
        {"helper.py": "def n(): return 9\n"},
    ),
    value(
        "a module written a moment ago",
        "open('fresh.py', 'w').write('v = 1')",
        "import fresh; fresh.v",
        text="1",
    ),
    value(
        "a module written in the same execution",
        "open('same.py', 'w').write('v = 2')\nimport same\nsame.v",
        text="2",
    ),
    value(
        "a package",
        "import os; os.mkdir('pk'); open('pk/__init__.py', 'w').close(); open('pk/m.py', 'w').write('v = 3')",
        "from pk import m; m.v",
        text="3",
    ),
    value(
        "an edited module is reloaded on demand",
        "open('ed.py', 'w').write('v = 1'); import ed",
        "open('ed.py', 'w').write('v = 22')",
        "import importlib; (ed.v, importlib.reload(ed).v)",
        text="(1, 22)",
    ),
    value(
        "no bytecode is left behind",
        "open('nb.py', 'w').write(''); import nb, os; os.listdir('.')",
        json=["nb.py"],
    ),
    Case(
        "files cannot take the standard library's place",
        (
            "import json, random, string, colorsys; [hasattr(m, 'stolen') for m in (json, random, string, colorsys)]",
        ),
        Expect(json=[False] * 4),
        {f"{m}.py": "stolen = 1\n" for m in ("json", "random", "string", "colorsys")},
    ),
    Case(
        "a traceback through a module shows its lines",
        ("import bad\nbad.f()",),
        Expect(
            error="ValueError",
            line=2,
            traceback_has=('File "/workspace/bad.py", line 2, in f', "raise ValueError('x')"),
        ),
        {"bad.py": "def f():\n    raise ValueError('x')\n"},
    ),
    Case(
        "a module that does not compile",
        ("import broken",),
        Expect(error="SyntaxError", line=1),
        {"broken.py": "x = = 1"},
    ),
    value(
        "a changed folder is kept",
        "import os; os.mkdir('d'); os.chdir('d')",
        "import os; os.getcwd()",
        text="'/workspace/d'",
        cwd="/workspace/d",
    ),
    value(
        "a folder that is gone",
        "import os; os.mkdir('d'); os.chdir('d'); os.rmdir('/workspace/d')",
        "import os; os.getcwd()",
        text="'/workspace'",
        cwd="/workspace",
    ),
    value(
        "modules of /workspace are found from elsewhere",
        "import os; open('m1.py', 'w').write('v = 5'); os.mkdir('d'); os.chdir('d')",
        "import m1; m1.v",
        text="5",
    ),
    value(
        "temporary files",
        "import tempfile, os\nwith tempfile.NamedTemporaryFile() as f: f.write(b'x')\n"
        "with tempfile.TemporaryFile() as f: f.write(b'x'); f.seek(0); got = f.read()\n"
        "with tempfile.TemporaryDirectory() as d: pass\n(got, os.listdir('/workspace'))",
        text="(b'x', [])",
    ),
    value(
        "importing matplotlib leaves no file",
        "import matplotlib.pyplot as plt, os; plt.figure(); plt.close()\nsorted(os.listdir('/workspace'))",
        json=[],
    ),
    value(
        "sqlite in a file",
        "import sqlite3; c = sqlite3.connect('a.db'); c.execute('create table t(x)')\n"
        "c.execute('insert into t values (5)'); c.commit(); c.close()",
        "sqlite3.connect('a.db').execute('select x from t').fetchall()",
        json=[[5]],
    ),
)

ENVIRONMENT = (
    value(
        "a variable of the call",
        Step("import os; os.environ['GREETING']", env={"GREETING": "grüß"}),
        text="'grüß'",
    ),
    value(
        "it is gone in the next execution",
        Step("import os; os.environ['A'] = 'b'; os.putenv('C', 'd')", env={"E": "f"}),
        "import os; [n in os.environ for n in 'ACE']",
        json=[False, False, False],
    ),
)

MACHINE = (
    value(
        "os.system says why it fails",
        "import os; os.system('ls')",
        error="OSError",
        message_has=("no processes",),
    ),
    value(
        "os.popen says why it fails",
        "import os; os.popen('ls')",
        error="OSError",
        message_has=("no processes",),
    ),
    value(
        "subprocess says why it fails",
        "import subprocess; subprocess.run(['ls'])",
        error="OSError",
        message_has=("does not support processes",),
    ),
    value(
        "a thread says why it fails",
        "import threading; threading.Thread(target=print).start()",
        error="RuntimeError",
        message="can't start new thread",
    ),
    value(
        "a socket says why it fails",
        "import socket; socket.create_connection(('127.0.0.1', 80))",
        error="OSError",
        message_has=("no network",),
    ),
    value(
        "a download says why it fails",
        "import urllib.request; urllib.request.urlopen('http://a.test/')",
        error="URLError",
        message_has=("no network",),
    ),
)

RICH = (
    value(
        "a data frame is text and html",
        "import pandas as pd; pd.DataFrame({'a': [1, 2]})",
        text_has=("   a\n0  1",),
        formats=("text/html", VALUE),
    ),
    value(
        "display shows at once and in order",
        "print('a'); display(1, [2]); print('b'); 3",
        text="3",
        shown=2,
        shown_texts=("1", "[2]"),
        shown_formats=((VALUE,), WITH_JSON),
        stdout="a\nb\n",
    ),
    value(
        "a raw bundle",
        "display({'text/html': '<b>x</b>', 'text/plain': 'x'}, raw=True)",
        shown=1,
        shown_formats=(("text/html", VALUE),),
        text=None,
    ),
    value(
        "IPython.display",
        "from IPython.display import display, HTML, Markdown, SVG, Latex, JSON, Image, clear_output\n"
        "clear_output(); display(HTML('<i>h</i>'), Markdown('*m*'), SVG('<svg/>'), Latex('$x$'), JSON({'a': 1}),"
        " Image(b'\\x89PNG\\r\\n'))",
        shown_formats=(
            ("text/html", VALUE),
            ("text/markdown", VALUE),
            ("image/svg+xml", VALUE),
            ("text/latex", VALUE),
            WITH_JSON,
            ("image/png", VALUE),
        ),
    ),
    value(
        "the usual methods",
        "class A:\n  def _repr_html_(self): return '<b>'\n  def _repr_markdown_(self): return '**'\n"
        "  def _repr_png_(self): return b'png'\n  def __repr__(self): return 'A'\nA()",
        text="A",
        formats=("image/png", "text/html", "text/markdown", VALUE),
    ),
    value(
        "a bundle of the object's own",
        "class A:\n  def _repr_mimebundle_(self, include, exclude): return {'text/html': 'h'}\n"
        "  def __repr__(self): return 'A'\nA()",
        text="A",
        formats=("text/html", VALUE),
    ),
    value(
        "an open figure is shown once and closed",
        "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])",
        text=None,
        shown=1,
        shown_formats=(("image/png", VALUE),),
    ),
    value(
        "it is not shown again",
        "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])",
        "plt.get_fignums()",
        json=[],
        shown=0,
    ),
    value(
        "show shows at that point",
        "import matplotlib.pyplot as plt\nplt.plot([1]); plt.show(); display('after')",
        shown=2,
        shown_formats=(("image/png", VALUE), (VALUE,)),
        stderr="",
    ),
    value(
        "a figure as the value is not shown twice",
        "import matplotlib.pyplot as plt\nf = plt.figure(); f.gca(); f",
        shown=0,
        formats=("image/png", VALUE),
        text="<Figure size 640x480 with 1 Axes>",
    ),
    value(
        "two figures in their order",
        "import matplotlib.pyplot as plt\nfor n in (1, 2): plt.figure(); plt.plot([n])",
        shown=2,
    ),
    value(
        "a saved figure",
        "import matplotlib.pyplot as plt, os\nplt.plot([1]); plt.savefig('f.png'); plt.close()\n"
        "os.path.getsize('f.png') > 1000",
        text="True",
        shown=0,
    ),
    value(
        "use('Agg') changes nothing",
        "import matplotlib; matplotlib.use('Agg')\nimport matplotlib.pyplot as plt\n"
        "plt.plot([1]); plt.show()",
        shown=1,
        stderr="",
    ),
    value("a pillow image", "from PIL import Image; Image.new('RGB', (2, 2))", formats=("image/png", VALUE)),
    value(
        "too many displays",
        "for i in range(100): display(i)\n'end'",
        text="'end'",
        shown=63,
        stderr_has=("37 results are left out",),
    ),
)

LIMITS = (
    value(
        "results that are too large together",
        "for _ in range(30): display({'text/html': 'x' * 900_000}, raw=True)\n'end'",
        text="'end'",
        shown=13,
        stderr_has=("17 results are left out",),
    ),
    value(
        "characters that JSON must escape",
        "for _ in range(30): display({'text/html': '\\x01' * 900_000}, raw=True)\n'end'",
        text="'end'",
        shown=2,
    ),
    value(
        "a long text is cut and its size told",
        "'x' * 3_000_000",
        truncated={"text/plain": 3_000_002},
        text_has=("3,000,002 bytes in all",),
    ),
    value("the state is kept", "big = 'x' * 3_000_000; big", "len(big)", text="3000000"),
    value(
        "json over the limit is left out",
        "[0] * 1_000_000",
        truncated={"text/plain": 3_000_000, "application/json": 2_000_001},
        formats=(VALUE,),
    ),
    value(
        "html over the limit is left out",
        "class A:\n  def _repr_html_(self): return 'h' * 2_000_000\nA()",
        truncated={"text/html": 2_000_000},
        formats=(VALUE,),
    ),
    value(
        "a text of many bytes a character is cut at a character",
        "'漢' * 1_000_000",
        truncated={"text/plain": 3_000_002},
        text_has=("漢漢",),
    ),
)

CASES = (
    *VALUES, *STATE, *ERRORS, *ENDINGS, *ASYNC, *STREAMS, *VANDALISM, *FILES, *ENVIRONMENT, *MACHINE, *RICH, *LIMITS,
)  # fmt: skip
assert len({case.name for case in CASES}) == len(CASES)
