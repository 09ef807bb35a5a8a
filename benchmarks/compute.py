"""How fast guests compute, beside the Python of this machine."""

from functools import partial

from benchmarks.contestants import NATIVE
from benchmarks.lab import Lab
from benchmarks.results import Series, Table
from benchmarks.timing import Measure, interleaved
from benchmarks.wasi_calls import in_guest

_ENOUGH = 15
_HEAD = "import time\nbegan = time.perf_counter()\n"
_TAIL = "\nvalue = (time.perf_counter() - began) * 1e3\nvalue"
#: name -> (preparation, what is timed)
_PROGRAMS = {
    "loop of 500,000 additions": ("", "total = 0\nfor i in range(500_000): total += i"),
    "recursive fib(22)": (
        "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)",
        "fib(22)",
    ),
    "sort of 100,000 floats": (
        "import random\nrandom.seed(1)\nvalues = [random.random() for _ in range(100_000)]",
        "sorted(values)",
    ),
    "json dumps and loads of 2,000 objects": (
        "import json\nrows = [{'id': i, 'name': f'name {i}', 'tags': ['a', 'b']} for i in range(2000)]",
        "json.loads(json.dumps(rows))",
    ),
    "regular expression over 300 kB": (
        "import re\ntext = 'lorem ipsum 12-34 dolor ' * 13_000",
        "re.findall(r'(\\d+)-(\\d+)', text)",
    ),
    "string of 100,000 parts": ("", "text = ''.join(f'{i},' for i in range(100_000))"),
    "numpy matmul 300 x 300": (
        "import numpy as np\nmatrix = np.random.default_rng(1).random((300, 300))",
        "matrix @ matrix",
    ),
    "pandas groupby over 200,000 rows": (
        "import numpy as np, pandas as pd\nrng = np.random.default_rng(1)\n"
        "frame = pd.DataFrame({'key': rng.integers(0, 100, 200_000), 'value': rng.random(200_000)})",
        "frame.groupby('key')['value'].mean()",
    ),
}


def compute(lab: Lab) -> list[Table]:
    lab.say("measuring computation")
    sandbox = lab.sandbox()
    tables = []
    with lab.peers(NATIVE) as peers:
        for title, (before, timed) in _PROGRAMS.items():
            code = f"{before}\n{_HEAD}{timed}{_TAIL}"
            contestants: dict[str, Measure] = {"Torpor": partial(in_guest, sandbox, code)}
            contestants |= {p.peer.name: p.measure(code) for p in peers if lab.works(p, code)}
            found = interleaved(contestants, lab.at_least(_ENOUGH))
            series = tuple(Series(name, values) for name, values in found.items())
            tables.append(Table(f"Computing: {title}", "ms", series, baseline=NATIVE.name))
    return tables
