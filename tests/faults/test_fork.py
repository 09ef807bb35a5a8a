"""A process that used Torpor and then forks: parent and child both go on, each with what is committed."""

import subprocess
import sys

from torpor.config import Config

PROGRAM = """
import asyncio, os, sys, traceback
from pathlib import Path
import torpor
from torpor import aio
from torpor.config import Config

config = Config(home=Path(sys.argv[1]), cache=Path(sys.argv[2]))
sandbox = torpor.get_sandbox("forked", config)
run = lambda code, **options: sandbox.interpreter.run_code(code, binding="PYTHON", **options)
assert run("x = 1").error is None
assert asyncio.run(aio.get_sandbox("forked", config).exists("from-child")) is False

child = os.fork()
if child == 0:
    try:
        # The same object: its live context, database and threads are the parent's.
        assert run("x").text == "1"
        assert run("x = 2; y = [0] * 100_000").error is None
        sandbox.write_file("from-child", "c")
        assert asyncio.run(aio.get_sandbox("forked", config).exists("from-child")) is True
        stopped = run("while True: pass", timeout=0.5)
        assert stopped.error.name == "ExecutionLimitError"
        assert torpor.get_sandbox("other", config).interpreter.run_code("7", binding="PYTHON").text == "7"
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    sys.exit(0)
_, status = os.waitpid(child, 0)
assert status == 0, status
assert run("x, len(y)").text == "(2, 100000)"
assert sandbox.exists("from-child")
assert run("x = 3").error is None
print("both went on")
"""

LEASE = """
import os, sys, threading
from pathlib import Path
import torpor
from torpor.config import Config

config = Config(home=Path(sys.argv[1]), cache=Path(sys.argv[2]), lease=5)
sandbox = torpor.get_sandbox("forked", config)
began = threading.Event()
slow = threading.Thread(
    target=sandbox.interpreter.run_code,
    args=("print('on', flush=True); import time; time.sleep(1)",),
    kwargs={"binding": "PYTHON", "on_output": lambda _: began.set()},
)
slow.start()
began.wait()
child = os.fork()
if child == 0:
    sys.stdin.read()
    os._exit(0)
slow.join()
# The child still has a copy of every descriptor that was open when it was made.
print(sandbox.interpreter.run_code("1", binding="PYTHON").text)
"""


def run_program(program: str, config: Config, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", "-c", program, str(config.home), str(config.cache)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)  # type: ignore[call-overload, no-any-return]


def test_parent_and_child_go_on_from_what_is_committed(config: Config) -> None:
    ended = run_program(PROGRAM, config)
    assert (ended.stdout, ended.stderr) == ("both went on\n", "")


def test_a_child_does_not_keep_the_lease_of_a_running_execution(config: Config) -> None:
    # Standard input ends with the parent's pipe, so that the child ends with this test.
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", LEASE, str(config.home), str(config.cache)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "1\n", process.communicate(timeout=60)[1]
    process.communicate(timeout=60)
