"""`torpor run` and the REPL, with the first engine installed."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from torpor.cli import exits
from torpor.engines import installed_bindings

Torpor = Callable[..., Any]
COMMAND = [sys.executable, "-c", "from torpor.cli.main import run; run()"]


def test_a_stateless_run_prints_output_then_value_and_keeps_nothing(torpor_cli: Torpor) -> None:
    ended = torpor_cli("run", "-c", "print('out'); 6 * 7")
    assert (ended.status, ended.out, ended.err) == (exits.OK, "out\n42\n", "")
    assert torpor_cli("sandbox", "ls", "-o", "json").json == []


def test_a_sandbox_keeps_variables_between_runs(torpor_cli: Torpor, tmp_path: Path) -> None:
    file = tmp_path / "cell"
    file.write_text("x = 41")
    assert torpor_cli("run", "-s", "demo", str(file)).status == exits.OK
    assert torpor_cli("run", "-s", "demo", "-c", "x + 1").out == "42\n"
    [context] = torpor_cli("context", "ls", "demo", "-o", "json").json
    assert context["executions"] == 2


def test_a_context_is_made_used_and_deleted(torpor_cli: Torpor) -> None:
    made = torpor_cli("context", "new", "demo", "--cwd", "sub", "-e", "K=V").out.strip()
    code = "import os; os.environ['K']"
    assert torpor_cli("run", "-s", "demo", "--context", made, "-c", code).out == "'V'\n"
    assert torpor_cli("context", "rm", "demo", made).status == exits.OK
    assert torpor_cli("run", "-s", "demo", "--context", made, "-c", "1").status == exits.USAGE


def test_env_and_stdin_reach_the_code(torpor_cli: Torpor, tmp_path: Path) -> None:
    typed = tmp_path / "typed"
    typed.write_text("hello\n")
    code = "import os; print(input() + os.environ['END'])"
    assert torpor_cli("run", "-e", "END=!", "--stdin", str(typed), "-c", code).out == "hello!\n"


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("1 / 0", exits.FAILED),
        ("import sys; sys.exit(0)", 0),
        ("import sys; sys.exit(7)", 7),
        ("import sys; sys.exit('why')", 1),
        ("while True: pass", exits.FAILED),
    ],
)
def test_the_exit_status_is_the_codes(torpor_cli: Torpor, code: str, status: int) -> None:
    assert torpor_cli("run", "--fuel", "1000000", "-c", code).status == status


def test_a_failure_shows_its_traceback_and_a_limit_what_stands_again(torpor_cli: Torpor) -> None:
    failed = torpor_cli("run", "-s", "demo", "-c", "print('before')\n1 / 0")
    assert failed.out == "before\n"
    assert "line 2" in failed.err
    assert failed.err.rstrip().endswith("ZeroDivisionError: division by zero")
    limited = torpor_cli("run", "-s", "demo", "--timeout", "500ms", "-c", "while True: pass")
    assert "execution 1 stands again" in limited.err


def test_json_prints_the_result_and_nothing_else(torpor_cli: Torpor) -> None:
    ended = torpor_cli("run", "-s", "demo", "--json", "-c", "print('é'); [1]")
    document = ended.json
    assert document["logs"]["stdout"] == ["é"]
    assert document["results"][0]["json"] == [1]
    assert document["executionCount"] == 1
    assert ended.err == ""


def test_json_stays_json_whatever_a_guest_says(torpor_cli: Torpor) -> None:
    document = torpor_cli("run", "--json", "-c", r"raise ValueError('\ud800')").json
    assert document["error"]["name"] == "ValueError"


def test_images_are_saved_where_asked(torpor_cli: Torpor, tmp_path: Path) -> None:
    code = (
        "class Picture:\n"
        "    def _repr_png_(self): return b'\\x89PNG'\n"
        "    def __repr__(self): return 'a picture'\n"
        "Picture()"
    )
    ended = torpor_cli("run", "--save", str(tmp_path / "made"), "-c", code)
    assert ended.out == "a picture\n"
    assert (tmp_path / "made" / "result-1.png").read_bytes() == b"\x89PNG"


def test_piped_cells_run_one_after_the_other(home: Path) -> None:
    typed = "x = 2\ndef f():\n    return x\n\nf()\n1 / 0\n:env A=1\nimport os; os.environ['A']\n:quit\n3\n"
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [*COMMAND, "repl", "-s", "demo"]
    ended = subprocess.run(command, input=typed, capture_output=True, text=True, env=buffered)
    assert ended.stdout.splitlines() == ["2", "A", "'1'"]
    assert "ZeroDivisionError" in ended.stderr
    assert ended.returncode == exits.OK


def test_reset_forgets_variables_and_rewind_brings_them_back(home: Path) -> None:
    typed = "x = 2\n:reset\n'x' in globals()\n:rewind 1\nx\n"
    ended = subprocess.run([*COMMAND, "repl", "-s", "demo"], input=typed, capture_output=True, text=True)
    assert ended.stdout.splitlines() == ["False", "2"]


def test_ctrl_c_cancels_and_leaves_the_sandbox_as_it_was(torpor_cli: Torpor) -> None:
    torpor_cli("run", "-s", "demo", "-c", "x = 1")
    code = "x = 2\nprint('running', flush=True)\nwhile True: pass"
    process = subprocess.Popen(
        [*COMMAND, "run", "-s", "demo", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == exits.INTERRUPTED
    assert "Traceback" not in err
    assert torpor_cli("run", "-s", "demo", "-c", "x").out == "1\n"


def test_a_reader_that_goes_away_is_no_error_and_what_ran_is_kept(torpor_cli: Torpor) -> None:
    code = "for n in range(20_000): print(n)\nx = n"
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run(
        [*COMMAND, "run", "-s", "demo", "-c", code], stdout=write, stderr=subprocess.PIPE, text=True
    )
    os.close(write)
    assert (ended.returncode, ended.stderr) == (exits.OK, "")
    assert torpor_cli("run", "-s", "demo", "-c", "x").out == "19999\n"


def test_a_listing_whose_reader_went_away_ends_quietly(home: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run([*COMMAND, "doctor"], stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (exits.BROKEN_PIPE, "")


def test_engines_are_listed(torpor_cli: Torpor) -> None:
    listed = torpor_cli("engines", "ls", "-o", "json").json
    assert [engine["binding"] for engine in listed] == list(installed_bindings())
    assert {"language", "engine", "compiled"} <= set(listed[0])


def test_only_an_installed_binding_runs(torpor_cli: Torpor) -> None:
    for command in (("run", "-b", "NONE", "-c", "1"), ("repl", "-s", "demo", "-b", "NONE")):
        refused = torpor_cli(*command)
        assert refused.status == exits.USAGE
        assert "NONE" in refused.err
