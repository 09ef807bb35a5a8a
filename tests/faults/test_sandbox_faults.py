"""Processes that die, race or take over: what was acknowledged stays, and nobody waits for the dead."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import torpor
from torpor.cli import exits
from torpor.config import Config
from torpor.sandbox.host import host_for
from torpor.sandbox.sandbox import Sandbox

COMMAND = (sys.executable, "-c", "from torpor.cli.main import run; run()")
#: Counts in a sandbox through the SDK and says each number once the execution was acknowledged.
COUNTER = """
import sys
import torpor

sandbox = torpor.get_sandbox("demo")
for _ in range(int(sys.argv[1])):
    result = sandbox.interpreter.run_code(
        "n = globals().get('n', 0) + 1; open('n', 'w').write(str(n)); n", binding="PYTHON"
    )
    print(result.text, flush=True)
"""

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def sandbox(config: Config) -> Iterator[Sandbox]:
    """In this process; its other users wait at most half a second."""
    patient = Config(home=config.home, cache=config.cache, lease=0.5)
    yield torpor.get_sandbox("demo", patient)
    host_for(patient).close()


@pytest.fixture
def start(config: Config) -> Iterator[Start]:
    """Start a child on the test's home; whatever still runs at the end is killed."""
    children: list[subprocess.Popen[str]] = []
    environment = {**os.environ, "TORPOR_HOME": str(config.home), "TORPOR_CACHE": str(config.cache)}

    def run(*command: str) -> subprocess.Popen[str]:
        child = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        children.append(child)
        return child

    yield run
    for child in children:
        child.kill()
        child.communicate()


def run(sandbox: Sandbox, code: str) -> str | None:
    result = sandbox.interpreter.run_code(code, binding="PYTHON")
    assert result.error is None, result.error
    return result.text


def first_line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def test_a_killed_execution_never_happened_and_holds_nobody_up(sandbox: Sandbox, start: Start) -> None:
    run(sandbox, "x = 1; open('file', 'w').write('before')")
    code = "x = 2; open('file', 'w').write('after'); print('on', flush=True)\nwhile True: pass"
    child = start(*COMMAND, "run", "-s", "demo", "-c", code)
    assert first_line(child) == "on"
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert run(sandbox, "x, open('file').read()") == "(1, 'before')"
    assert sandbox.get_info().contexts[0].executions == 2


def test_a_first_execution_that_is_killed_leaves_no_sandbox(config: Config, start: Start) -> None:
    child = start(*COMMAND, "run", "-s", "demo", "-c", "print('on', flush=True)\nwhile True: pass")
    assert first_line(child) == "on"
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert torpor.list_sandboxes(config) == ()
    assert run(torpor.get_sandbox("demo", config), "1") == "1"


def test_kills_at_any_moment_lose_nothing_that_was_acknowledged(sandbox: Sandbox, start: Start) -> None:
    moments, acknowledged = random.Random(7), 0
    for _ in range(4):
        child = start(sys.executable, "-c", COUNTER, "1000")
        for _ in range(moments.randint(1, 9)):
            acknowledged = int(first_line(child))
        time.sleep(moments.uniform(0, 0.03))
        child.kill()
        rest, _ = child.communicate()
        acknowledged = int((rest.split() or [acknowledged])[-1])
        found = int(run(sandbox, "n") or 0)
        # The one under way may have been committed before its answer came out.
        assert found in (acknowledged, acknowledged + 1)
        assert sandbox.read_file("n").content == str(found).encode()
        acknowledged = found


def test_processes_that_race_lose_no_increment(sandbox: Sandbox, start: Start) -> None:
    children = [start(sys.executable, "-c", COUNTER, "15") for _ in range(2)]
    said: list[int] = []
    for child in children:
        out, err = child.communicate()
        assert child.returncode == 0, err
        said += [int(word) for word in out.split()]
    assert sorted(said) == list(range(1, 31))
    assert run(sandbox, "n") == "30"


def test_a_sandbox_in_use_elsewhere_is_busy_but_readable(sandbox: Sandbox, start: Start) -> None:
    run(sandbox, "open('file', 'w').write('text')")
    child = start(*COMMAND, "run", "-s", "demo", "-c", "print('on', flush=True)\nwhile True: pass")
    assert first_line(child) == "on"
    with pytest.raises(torpor.SandboxBusyError):
        sandbox.interpreter.run_code("1", binding="PYTHON")
    with pytest.raises(torpor.SandboxBusyError):
        sandbox.write_file("file", "other")
    with pytest.raises(torpor.SandboxBusyError):
        sandbox.destroy()
    assert sandbox.read_file("file").content == b"text"
    assert sandbox.get_info().contexts[0].executions == 1


def test_a_busy_sandbox_is_told_on_the_command_line(sandbox: Sandbox, start: Start) -> None:
    slow = start(*COMMAND, "run", "-s", "demo", "-c", "print('on', flush=True)\nwhile True: pass")
    assert first_line(slow) == "on"
    quick = start("env", "TORPOR_LEASE=100ms", *COMMAND, "run", "-s", "demo", "-c", "1")
    _, err = quick.communicate()
    assert quick.returncode == exits.USAGE
    assert "demo" in err
    assert "Traceback" not in err


SETUP = """
import itertools, numpy as np
x = {'deep': [1, (2, 3)]}
double = lambda n: 2 * n
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
    def __repr__(self): return f'Point({self.x}, {self.y})'
points = [Point(1, 2)]; points.append(points[0])
def squares():
    for n in itertools.count():
        got = yield n * n
        if got: print('got', got)
running = squares(); [next(running) for _ in range(4)]
log = open('log.txt', 'a'); log.write('one,')
raw = open('raw', 'w+b', buffering=0); raw.write(b'abcdef'); raw.seek(2)
rng = np.random.default_rng(7); first = rng.random(5)
open('helper.py', 'w').write('calls = 0\\ndef call():\\n    global calls; calls += 1; return calls\\n')
import helper; helper.call()
"""


def test_another_process_continues_every_kind_of_state(sandbox: Sandbox, start: Start) -> None:
    _, err = (child := start(*COMMAND, "run", "-s", "demo", "-c", SETUP)).communicate()
    assert (child.returncode, err) == (0, "")
    assert run(sandbox, "x, double(21)") == "({'deep': [1, (2, 3)]}, 42)"
    assert run(sandbox, "points, points[0] is points[1], isinstance(points[0], Point)") == (
        "([Point(1, 2), Point(1, 2)], True, True)"
    )
    assert run(sandbox, "running.send('hello')") == "16"
    assert run(sandbox, "log.write('two,'); log.flush(); open('log.txt').read()") == "'one,two,'"
    assert run(sandbox, "raw.read(2), raw.write(b'X'), raw.tell()") == "(b'cd', 1, 5)"
    assert run(sandbox, "helper.call(), helper.__file__") == "(2, '/workspace/helper.py')"
    native = np.random.default_rng(7)
    native.random(5)
    expected = [value.hex() for value in native.random(5).tolist()]
    assert run(sandbox, "[value.hex() for value in rng.random(5).tolist()]") == repr(expected)
    out, _ = start(
        *COMMAND, "run", "-s", "demo", "-c", "log.write('three'); log.close(); next(running)"
    ).communicate()
    assert out == "25\n"
    assert sandbox.read_file("log.txt").content == b"one,two,three"
    assert sandbox.read_file("raw").content == b"abcdXf"
    assert run(sandbox, "log.closed, next(running), helper.call()") == "(True, 36, 3)"


def test_an_open_file_outlives_its_name_in_other_hands(sandbox: Sandbox, start: Start) -> None:
    run(sandbox, "held = open('file', 'w+'); held.write('kept'); held.flush()")
    sandbox.delete_file("file")
    other = sandbox.interpreter.create_code_context("PYTHON")
    for n in range(40):  # far beyond what can be rewound, so that old contents are forgotten
        assert sandbox.interpreter.run_code(f"open('{n}', 'w').write('{n}')", other).error is None
    child = start(*COMMAND, "run", "-s", "demo", "-c", "_ = held.seek(0); held.read()")
    assert child.communicate() == ("'kept'\n", "")


def test_a_live_context_notices_what_another_process_did(sandbox: Sandbox, start: Start) -> None:
    run(sandbox, "x = 1")
    start(*COMMAND, "run", "-s", "demo", "-c", "x = 2; open('new', 'w').write('there')").communicate()
    assert run(sandbox, "x, open('new').read()") == "(2, 'there')"
    start(*COMMAND, "sandbox", "rm", "demo").communicate()
    assert sandbox.list_files() == ()
    result = sandbox.interpreter.run_code("x", binding="PYTHON")
    assert result.error is not None
    assert result.error.name == "NameError"
