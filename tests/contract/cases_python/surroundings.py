"""Files, modules, environment variables, and what a sandbox does not have."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_python.common import value
from tests.contract.expectations import Case, Expect, Step

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
