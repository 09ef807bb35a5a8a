"""Wrong usage: one clear line on standard error, status 2, and no Python traceback."""

from pathlib import Path

import pytest

from torpor import errors
from torpor.cli import exits, options
from torpor.cli.main import main
from torpor.config import Config
from torpor.errors import ValidationFailedError


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "nonsense"),
        (["run"], "-c CODE, FILE"),
        (["run", "-c", "1", "file"], "one way"),
        (["run", "-c"], "-c"),
        (["run", "--nope", "-c", "1"], "--nope"),
        (["run", "no-such-file"], "no-such-file: No such file"),
        (["run", "-c", "1", "-b", "B", "-e", "NOVALUE"], "KEY=VALUE"),
        (["run", "-c", "1", "-b", "B", "--timeout", "soon"], "--timeout"),
        (["run", "-c", "1", "-b", "B", "--memory", "lots"], "--memory"),
        (["run", "-c", "1", "-b", "B", "--fuel", "-1"], "--fuel"),
        (["run", "-c", "1", "-b", "B", "--context", "x"], "-s ID"),
        (["run", "-b", "B", "--stdin", "-", "-"], "Standard input"),
        (["sandbox", "nonsense"], "nonsense"),
        (["sandbox", "rewind", "demo", "x"], "x"),
        (["files", "ls", "demo", "-o", "xml"], "xml"),
        (["wasi", "run", "--dir", "::x", "m.wasm"], "HOST::GUEST"),
        (["wasi", "run", "no-such-module.wasm"], "no-such-module.wasm"),
    ],
)
def test_wrong_usage_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert main(arguments) == exits.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    [line] = err.splitlines()
    assert line.startswith("torpor: ")
    assert said in line


@pytest.mark.parametrize(
    "arguments", [["-h"], ["run", "--help"], ["files", "ls", "-h"], ["wasi", "run", "--help"]]
)
def test_help_goes_to_standard_output(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(arguments) == exits.OK
    assert capsys.readouterr().out.startswith("Usage: torpor")


@pytest.mark.parametrize("arguments", [[], ["files"]])
def test_a_command_that_needs_another_shows_its_help(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert main(arguments) == exits.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert "Commands:" in err


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (errors.ValidationFailedError, exits.USAGE),
        (errors.SandboxNotFoundError, exits.USAGE),
        (errors.SandboxBusyError, exits.USAGE),
        (errors.EngineNotInstalledError, exits.USAGE),
        (errors.StorageError, exits.TORPOR),
        (errors.EngineError, exits.TORPOR),
        (errors.SandboxError, exits.TORPOR),
    ],
)
def test_whose_fault_it_was(kind: type[errors.SandboxError], status: int) -> None:
    assert exits.of_error(kind("why")) == status


def test_a_bad_setting_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORPOR_TIMEOUT", "soon")
    assert main(["run", "-c", "1"]) == exits.USAGE
    assert "TORPOR_TIMEOUT" in capsys.readouterr().err


def test_pairs_keep_what_follows_the_first_equals_sign() -> None:
    assert options.pairs(["A=1", "B=x=y", "A=2", "C="]) == {"A": "2", "B": "x=y", "C": ""}


def test_the_binding_asked_for_comes_first_and_the_configured_one_before_the_default(
    tmp_path: Path,
) -> None:
    config = Config(tmp_path, tmp_path, binding="CONFIGURED")
    assert options.pick_binding("ASKED", Path("x.py"), config) == "ASKED"
    assert options.pick_binding(None, Path("x.unknown-ending"), config) == "CONFIGURED"
    assert options.pick_binding(None, None, config) == "CONFIGURED"


def test_the_default_engine_is_the_one_that_comes_with_torpor(tmp_path: Path) -> None:
    config = Config(tmp_path, tmp_path)
    assert options.pick_binding(None, None, config) == "PYTHON"
    assert options.pick_binding(None, Path("script"), config) == "PYTHON"


def test_a_file_that_no_installed_engine_runs_is_refused_with_the_command_that_helps(tmp_path: Path) -> None:
    with pytest.raises(errors.EngineNotInstalledError, match=r"\.cobol .* pip install .*-b"):
        options.pick_binding(None, Path("x.cobol"), Config(tmp_path, tmp_path))


def test_code_is_read_from_a_file_as_text(tmp_path: Path) -> None:
    file = tmp_path / "code"
    file.write_bytes("'é'\r\n".encode())
    source = options.read_source(None, str(file), stdin_taken=False)
    assert (source.code, source.file) == ("'é'\r\n", file)
    file.write_bytes(b"\xff")
    with pytest.raises(ValidationFailedError, match="UTF-8"):
        options.read_source(None, str(file), stdin_taken=False)
