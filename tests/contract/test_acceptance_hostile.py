"""Code that means harm or goes wrong: each case ends clearly within its limits, and the session lives on."""

import itertools
import threading
from dataclasses import dataclass, field
from typing import Any

import pytest

import torpor
from torpor import limits
from torpor.config import Config
from torpor.interpreter.guest import RunningGuest
from torpor.models import ExecutionResult
from torpor.sandbox.host import host_for
from torpor.sandbox.sandbox import Sandbox
from torpor.wasm.errors import GuestTrap

LIMIT = "ExecutionLimitError"
ENGINE = "EngineError"
_numbers = itertools.count()


@dataclass(frozen=True)
class Hostile:
    """`error` None: the code succeeds. `rolls_back`: nothing of the execution may be left."""

    name: str
    code: str
    error: str | None
    says: str = ""
    rolls_back: bool = False
    limits: dict[str, Any] = field(default_factory=dict)


QUICK = {"timeout": 0.5}
FUEL = {"fuel": 500_000}
CASES = (
    # Time and fuel
    Hostile("an endless loop, by fuel", "while True: pass", LIMIT, "TORPOR_FUEL", True, FUEL),
    Hostile("an endless loop, by time", "while True: pass", LIMIT, "timeout", True, QUICK),
    Hostile("a sleep", "import time; time.sleep(60)", LIMIT, "timeout", True, QUICK),
    Hostile(
        "a sleep that catches everything",
        "import time\nwhile True:\n  try: time.sleep(60)\n  except BaseException: pass",
        LIMIT, "timeout", True, QUICK,
    ),
    Hostile("a regular expression", "import re; re.match('(a+)+$', 'a' * 40 + 'b')", LIMIT, "", True, QUICK),
    Hostile(
        "an endless repr",
        "class A:\n  def __repr__(self):\n    while True: pass\nA()",
        LIMIT, "", True, FUEL,
    ),
    Hostile("an endless sort in C", "sorted(iter(int, 1))", LIMIT, "", True, FUEL),
    # Memory and stack
    Hostile("more bytes than an address has", "x = bytearray(10**10)", "OverflowError"),
    Hostile("a gigabyte at once", "x = bytearray(10**9)", "MemoryError"),
    Hostile(
        "a list that doubles",
        "x = [0]\nwhile True: x += x",
        "MemoryError", limits={"memory": 192 * limits.MIB},
    ),
    Hostile("a call of itself", "def f(): f()\nf()", "RecursionError"),
    Hostile(
        "a repr of one another",
        "class A:\n  def __repr__(self): return repr(B())\n"
        "class B:\n  def __repr__(self): return str([A()])\nA()",
        "RecursionError",
    ),
    Hostile(
        "a sort that sorts",
        "class K:\n  def __lt__(self, other): return sorted([K(), K()]) == 1\nsorted([K(), K()])",
        "RecursionError",
    ),
    Hostile(
        "json that encodes itself",
        "import json\nclass E(json.JSONEncoder):\n"
        "  def default(self, o): return self.encode([o])\njson.dumps(object(), cls=E)",
        "RecursionError",
    ),
    Hostile(
        "a list nested too deeply to be freed",
        "a = []\nfor _ in range(10**5): a = [a]\ndel a",
        LIMIT,
        "stack",
        True,
    ),
    # The file system
    Hostile("a file of the host", "open('/etc/passwd')", "FileNotFoundError"),
    Hostile("a way up", "open('/workspace/../../etc/passwd')", "PermissionError"),
    Hostile("an absolute link", "import os; os.symlink('/etc', 'e')", "PermissionError"),
    Hostile("a link upwards", "import os; os.symlink('../../etc', 'e'); open('e/passwd')", "PermissionError"),
    Hostile("a link to itself", "import os; os.symlink('e', 'e'); open('e')", "OSError"),
    Hostile(
        "a sparse file",
        "f = open('s', 'wb'); f.seek(10 * 2**30); f.write(b'x'); f.close()",
        "OSError", "large",
    ),
    Hostile("a long file", "open('s', 'wb').truncate(10 * 2**30)", "OSError", "large"),
    Hostile("too many open files", "x = [open('f', 'a') for _ in range(10_000)]", "OSError", "descriptors"),
    Hostile(
        "too many open devices",
        "x = [open('/dev/null') for _ in range(10_000)]",
        "OSError", "descriptors",
    ),
    Hostile("removing the workspace", "import os; os.rmdir('/workspace')", "OSError"),
    Hostile("removing a device", "import os; os.unlink('/dev/torpor')", "OSError", "Read-only"),
    # Leaving the sandbox
    Hostile("a socket", "import socket; socket.socket()", "OSError"),
    Hostile("a shell", "import os; os.system('ls')", "OSError", "processes"),
    Hostile("a process", "import subprocess; subprocess.Popen(['ls'])", "OSError", "processes"),
    Hostile("a fork", "import os; os.fork()", "AttributeError"),
    Hostile("a thread", "import threading; threading.Thread(target=print).start()", "RuntimeError", "thread"),
    Hostile("foreign memory", "import ctypes; ctypes.string_at(0)", "OSError", "unavailable"),
    # Ending and breaking the interpreter
    Hostile("an exit", "import os; os._exit(3)", ENGINE, "status 3", True),
    Hostile("an abort", "import os; os.abort()", ENGINE, "", True),
    Hostile(
        "closed folders",
        "import os\nfor n in range(3, 9):\n  try: os.close(n)\n  except OSError: pass",
        ENGINE, "", True,
    ),
    # The harness's device
    Hostile("garbage on the device", "open('/dev/torpor', 'w').write('garbage\\n')", ENGINE, "JSON", True),
    Hostile("bytes on the device", "open('/dev/torpor', 'wb').write(b'\\xff\\x00\\n')", ENGINE, "JSON", True),
    Hostile("half a frame", "open('/dev/torpor', 'w').write('{')", ENGINE, "JSON", True),
    Hostile(
        "a false end",
        "open('/dev/torpor', 'w').write('{\"type\": \"done\", \"cwd\": \"/etc\"}\\n')",
        ENGINE, "", True,
    ),
    Hostile(
        "a flooded device",
        "f = open('/dev/torpor', 'wb')\nfor _ in range(100):\n  f.write(b'x' * 2**20)",
        ENGINE, "", True,
    ),
)  # fmt: skip


@pytest.fixture
def sandbox(shared_config: Config) -> Sandbox:
    """A session with something to lose."""
    sandbox = torpor.get_sandbox(f"hostile-{next(_numbers)}", shared_config)
    run(sandbox, "marker = [1, 2, 3]; open('marker', 'w').write('here')")
    return sandbox


def run(sandbox: Sandbox, code: str, **options: Any) -> ExecutionResult:
    return sandbox.interpreter.run_code(code, binding="PYTHON", **options)


def assert_usable(sandbox: Sandbox) -> None:
    """Earlier variables and files are there, and printing, files and values work."""
    result = run(sandbox, "print('out')\nopen('later', 'w').close()\nmarker, open('marker').read()")
    assert result.error is None, result.error
    assert result.text == "([1, 2, 3], 'here')"
    assert result.logs.stdout[-1] == "out"
    assert sandbox.read_file("marker").content == b"here"
    assert sandbox.exists("later")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_hostile_code(case: Hostile, sandbox: Sandbox) -> None:
    before = sandbox.get_info()
    result = run(sandbox, f"touched = open('touched', 'w').write('x')\n{case.code}", **case.limits)
    assert (result.error.name if result.error else None) == case.error, result.error
    assert result.error is None or case.says in result.error.message
    assert result.rolled_back_to == (1 if case.rolls_back else None)
    assert result.usage is not None
    assert result.usage.fuel_consumed <= result.usage.fuel_limit
    after = sandbox.get_info()
    assert after.contexts[0].executions == 2
    assert sandbox.exists("touched") != case.rolls_back
    if case.rolls_back:
        assert after.workspace == before.workspace
        assert run(sandbox, "'touched' in globals()").text == "False"
    sandbox._host.runtime.forget(sandbox.id)
    assert_usable(sandbox)


def test_a_sleep_is_cancelled(sandbox: Sandbox) -> None:
    cancel = threading.Event()
    code = "import time\nprint('on', flush=True)\ntime.sleep(60)"
    result = run(sandbox, code, on_stdout=lambda _: cancel.set(), cancel=cancel)
    assert result.error is not None
    assert (result.error.name, result.error.message) == (LIMIT, "Execution cancelled")
    assert result.logs.stdout == ("on",)
    assert_usable(sandbox)


def test_a_call_that_was_cancelled_before_it_began_does_nothing(sandbox: Sandbox) -> None:
    cancel = threading.Event()
    cancel.set()
    result = run(sandbox, "while True: pass", cancel=cancel)
    assert result.error is not None
    assert result.error.message == "Execution cancelled"
    assert result.usage is not None
    assert result.usage.fuel_consumed < result.usage.fuel_limit // 10
    assert result.rolled_back_to == 1
    assert_usable(sandbox)


def test_output_over_the_limit_is_cut_and_its_size_told(sandbox: Sandbox) -> None:
    result = run(sandbox, "x = 5; print('x' * 10**7)")
    assert result.error is None
    assert result.logs.truncated_bytes == 10**7 + 1
    text = "".join(chunk.text for chunk in result.logs.chunks)
    assert text.startswith("x" * limits.MAX_OUTPUT_BYTES + "\n[output cut: ")
    assert str(10**7 + 1) in text[limits.MAX_OUTPUT_BYTES :]
    assert run(sandbox, "x").text == "5"


def test_memory_that_is_free_again_is_not_stored(sandbox: Sandbox) -> None:
    run(sandbox, "kept = bytes(range(256)) * 40_000")
    result = run(sandbox, "secret = 'hush' * 20_000_000; size = len(secret.encode()); del secret")
    assert result.error is None
    assert sandbox.history()[0].stored_bytes < 20_000_000
    host_for(sandbox._host.config).runtime.forget(sandbox.id)
    assert run(sandbox, "size, kept == bytes(range(256)) * 40_000").text == "(80000000, True)"


def test_a_guest_that_breaks_while_it_tidies_up_is_rolled_back(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(self: RunningGuest) -> None:
        raise GuestTrap("broken")

    run(sandbox, "kept = 7")
    monkeypatch.setattr(RunningGuest, "tidy", break_down)
    result = run(sandbox, "kept = 8; big = bytes(range(256)) * 400_000")
    assert result.error is not None
    assert (result.error.name, result.rolled_back_to) == (ENGINE, 2)
    assert run(sandbox, "kept").text == "7"


def test_a_flood_of_tiny_writes_arrives_whole(sandbox: Sandbox) -> None:
    result = run(sandbox, "import os\nfor n in range(20_000): os.write(1 + n % 2, b'%d,' % (n % 10))")
    streams = {"stdout": "", "stderr": ""}
    for chunk in result.logs.chunks:
        streams[chunk.stream] += chunk.text
    assert streams == {"stdout": "0,2,4,6,8," * 2000, "stderr": "1,3,5,7,9," * 2000}


def test_a_flood_of_results_is_cut_and_told(sandbox: Sandbox) -> None:
    result = run(sandbox, "for n in range(10_000): display(n)\n'last'")
    assert result.error is None
    assert len(result.results) <= limits.MAX_RESULTS
    assert [one.text for one in result.results[:3]] == ["0", "1", "2"]
    assert result.logs.stderr
    assert_usable(sandbox)


def test_a_huge_traceback_and_message_are_cut(sandbox: Sandbox) -> None:
    code = "def f(n):\n  if n: f(n - 1)\n  else: raise ValueError('x' * 10**6 + '\\n' * 10**5)\nf(150)"
    error = run(sandbox, code).error
    assert error is not None
    assert error.name == "ValueError"
    assert len(error.message) <= limits.MAX_ERROR_MESSAGE_CHARS
    assert 0 < len(error.traceback) <= limits.MAX_TRACEBACK_LINES
    assert_usable(sandbox)


def test_a_message_may_hold_anything(sandbox: Sandbox) -> None:
    error = run(sandbox, 'raise ValueError(\'\\x00\\x1b[31m\\ud800\\r\\n{"type": "done"}\\u2028\')').error
    assert error is not None
    assert error.message == '\0\x1b[31m\ud800\r\n{"type": "done"}\u2028'
    assert_usable(sandbox)


def test_bytes_that_are_no_text_are_replaced(sandbox: Sandbox) -> None:
    result = run(sandbox, "import os\n_ = os.write(1, b'a\\xffb\\xe6\\xbc'), os.write(1, b'\\xa2c\\xe6')")
    assert result.logs.stdout == ("a\ufffdb漢c\ufffd",)


def test_a_closed_stdout_is_back_in_the_next_execution(sandbox: Sandbox) -> None:
    result = run(sandbox, "import os, sys; os.close(1); os.close(2); os.close(0)\nprint('lost')")
    assert result.error is None or result.error.name == "OSError"
    assert_usable(sandbox)


def test_closed_folders_are_back_in_the_next_execution(sandbox: Sandbox) -> None:
    """One by one: whichever of them it is, at most this execution has to suffer for it."""
    for number in range(3, 12):
        run(sandbox, f"import os; os.close({number})")
        assert_usable(sandbox)


@pytest.mark.parametrize("forged", ["{}", '{"text/plain": "forged"}'])
def test_forged_results_are_only_results(sandbox: Sandbox, forged: str) -> None:
    """Code can say whatever it likes of itself: it could as well have displayed it."""
    frame = '{"type": "result", "isValue": true, "data": ' + forged + "}\n"
    result = run(sandbox, f"_ = open('/dev/torpor', 'w').write({frame!r})\n'mine'")
    assert [dict(one.data) for one in result.results][-1] == {"text/plain": "'mine'"}
    assert_usable(sandbox)


def test_the_device_tells_code_nothing(sandbox: Sandbox) -> None:
    assert run(sandbox, "open('/dev/torpor', 'rb').read()").text == "b''"


def test_code_may_have_exactly_its_limit(sandbox: Sandbox) -> None:
    code = "n = 7  #" + "é" * ((limits.MAX_CODE_BYTES - 8 - 2) // 2) + "\nn"
    assert len(code.encode()) == limits.MAX_CODE_BYTES
    assert run(sandbox, code).text == "7"
    generation = sandbox.get_info().generation
    with pytest.raises(torpor.ValidationFailedError, match=str(limits.MAX_CODE_BYTES)):
        run(sandbox, code + " ")
    assert sandbox.get_info().generation == generation


def test_an_environment_may_have_exactly_its_limit(sandbox: Sandbox) -> None:
    size = limits.MAX_ENV_BYTES - len("BIG")
    assert run(sandbox, "import os; len(os.environ['BIG'])", env_vars={"BIG": "x" * size}).text == str(size)
    with pytest.raises(torpor.ValidationFailedError):
        run(sandbox, "1", env_vars={"BIG": "x" * (size + 1)})
    assert_usable(sandbox)


def test_text_of_every_plane_goes_everywhere(sandbox: Sandbox) -> None:
    text = "".join(chr(plane * 0x10000 + 0x41) for plane in range(17))
    result = run(
        sandbox,
        f"_ = print({text!r}); open('{text}', 'w', encoding='utf-8').write('{text}')\n"
        f"import os; os.environ['TEXT'] == input() == [{text!r}][0]",
        env_vars={"TEXT": text},
        stdin=text,
    )
    assert result.error is None, result.error
    assert result.logs.stdout == (text,)
    assert result.text == "True"
    assert sandbox.read_file(text).content.decode() == text
    assert text in [entry.name for entry in sandbox.list_files()]


def test_a_flood_of_files_ends_at_the_quota(shared_config: Config) -> None:
    quota = limits.WorkspaceQuota(entries=100)
    config = Config(home=shared_config.home, cache=shared_config.cache, quota=quota)
    sandbox = torpor.get_sandbox(f"hostile-{next(_numbers)}", config)
    run(sandbox, "marker = [1, 2, 3]; open('marker', 'w').write('here')")
    result = run(sandbox, "for n in range(10**6): open(str(n), 'w').close()")
    assert result.error is not None
    assert result.error.name == "OSError"
    assert "space" in result.error.message
    assert sandbox.get_info().workspace.files == 100
    run(sandbox, "import os\nfor n in range(9): os.remove(str(n))")
    assert_usable(sandbox)
    host_for(config).close()


def test_file_bytes_end_at_the_quota(shared_config: Config) -> None:
    quota = limits.WorkspaceQuota(file_bytes=1000, total_bytes=1500)
    config = Config(home=shared_config.home, cache=shared_config.cache, quota=quota)
    sandbox = torpor.get_sandbox(f"hostile-{next(_numbers)}", config)
    assert run(sandbox, "_ = open('a', 'wb').write(bytes(1000))").error is None
    for code in ("open('a', 'ab', 0).write(b'x')", "open('b', 'wb', 0).write(bytes(501))"):
        error = run(sandbox, code).error
        assert error is not None, code
        assert error.name == "OSError"
    assert sandbox.get_info().workspace.bytes <= 1500
    host_for(config).close()
