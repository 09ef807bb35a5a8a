"""What `run` and the REPL show of a result, and where."""

import base64
from pathlib import Path

import pytest

from torpor.cli import exits, results
from torpor.models import ExecutionError, ExecutionResult, Json, OutputChunk, Result

PNG = b"\x89PNG\r\n" + bytes(12_000)


def result(
    *shown: Result, error: ExecutionError | None = None, exit_status: int | None = None, **more: object
) -> ExecutionResult:
    return ExecutionResult(
        code="",
        language="",
        engine="",
        duration_ms=0,
        results=shown,
        error=error,
        exit_status=exit_status,
        **more,  # type: ignore[arg-type]
    )


def bundle(**data: Json) -> Result:
    names = {"text": "text/plain", "png": "image/png", "html": "text/html", "json": "application/json"}
    return Result({names[key]: value for key, value in data.items()})


def png() -> str:
    return base64.b64encode(PNG).decode()


def test_texts_go_to_standard_output_in_their_order(capfd: pytest.CaptureFixture[str]) -> None:
    results.show(result(bundle(text="first"), bundle(text="", html="<b>"), bundle(text="42", json=42)))
    assert capfd.readouterr() == ("first\n\n42\n", "")


def test_an_image_is_mentioned_with_its_true_size(capfd: pytest.CaptureFixture[str]) -> None:
    results.show(result(bundle(text="<Figure>", png=png()), bundle(html="<p>é")))
    out, err = capfd.readouterr()
    assert out == "<Figure>\n"
    assert "image/png 12 KB" in err
    assert "text/html 5 B" in err
    assert "--save" in err


def test_saving_writes_every_representation_but_plain_text(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "folder"
    made = result(bundle(text="<Figure>", png=png()), bundle(html="<p>é", json={"a": [1]}))
    results.save_results(made, folder)
    assert (folder / "result-1.png").read_bytes() == PNG
    assert (folder / "result-2.html").read_text() == "<p>é"
    assert (folder / "result-2.json").read_text() == '{"a": [1]}'
    assert len(list(folder.iterdir())) == 3
    assert "result-1.png" in capfd.readouterr().err


def test_a_mime_type_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    results.save_results(result(Result({"image/../../x": "text", "x/y": png()})), tmp_path / "in")
    assert [file.parent for file in tmp_path.rglob("*") if file.is_file()] == [tmp_path / "in"]


def test_the_traceback_goes_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    error = ExecutionError("ValueError", "bad", ("Traceback:\n", "  line 1\n", "ValueError: bad\n"))
    results.show(result(error=error))
    assert capfd.readouterr() == ("", "Traceback:\n  line 1\nValueError: bad\n")


def test_an_error_without_a_traceback_still_says_what_happened() -> None:
    assert results.error_lines(ExecutionError("ExecutionLimitError", "out of fuel")) == [
        "ExecutionLimitError: out of fuel"
    ]
    assert results.error_lines(ExecutionError("KeyError", "")) == ["KeyError"]


def test_what_a_limit_undid_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    limit = ExecutionError("ExecutionLimitError", "out of fuel")
    results.show(result(error=limit, rolled_back_to=7, notices=("a snapshot was discarded",)))
    err = capfd.readouterr().err
    assert "execution 7" in err
    assert "torpor: a snapshot was discarded" in err
    results.show(result(error=limit, rolled_back_to=0))
    assert "before its first execution" in capfd.readouterr().err


def test_code_that_ends_itself_shows_no_error(capfd: pytest.CaptureFixture[str]) -> None:
    results.show(result(error=ExecutionError("SystemExit", "3"), exit_status=3))
    assert capfd.readouterr() == ("", "")


def test_output_comes_out_as_it_went_in(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    for stream, text in (
        ("stdout", "a\r"),
        ("stderr", "é\x1b[0m"),
        ("stdout", "\udcff"),
        ("stdout", "\ud800"),
    ):
        results.write_chunk(OutputChunk(stream, text, 0))  # type: ignore[arg-type]
    out, err = capfdbinary.readouterr()
    assert out.startswith(b"a\r\xff")
    assert err == "é\x1b[0m".encode()


@pytest.mark.parametrize(
    ("error", "exit_status", "status"),
    [
        (None, None, exits.OK),
        (ExecutionError("E", ""), None, exits.FAILED),
        (None, 0, 0),
        (ExecutionError("SystemExit", "3"), 3, 3),
        (None, 255, 255),
        (None, 256 + 4, 4),
        (None, -1, 255),
    ],
)
def test_the_exit_status_of_an_execution(
    error: ExecutionError | None, exit_status: int | None, status: int
) -> None:
    assert exits.of_result(result(error=error, exit_status=exit_status)) == status


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (999, "999 B"), (1500, "1.5 KB"), (12_345, "12 KB"), (5 * 10**9, "5.0 GB")]
)
def test_sizes(size: int, text: str) -> None:
    assert results.human_size(size) == text
