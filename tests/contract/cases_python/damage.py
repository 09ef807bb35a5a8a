"""Code that takes apart what the harness might need."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_python.common import VALUE, value

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
        may_fail_before=True,
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
        may_fail_before=True,
    ),
    value(
        "asyncio is taken apart",
        "import asyncio, asyncio.events, asyncio.base_events as b\n"
        "for m in (asyncio, asyncio.events, b, b.BaseEventLoop):\n"
        "  for n in list(vars(m)):\n    if not n.startswith('__'): setattr(m, n, None)",
        "await 5",
        "6",
        text="6",
        may_fail_before=True,
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
