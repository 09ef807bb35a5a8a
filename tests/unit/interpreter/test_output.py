"""Output as it is collected: order, limits, characters cut in two, lines, and callbacks that fail."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torpor.interpreter.output import OutputCallbacks, OutputCollector, split_lines
from torpor.limits import MAX_OUTPUT_CHUNKS
from torpor.models import Logs, OutputChunk, OutputMessage, Stream

Writes = Sequence[tuple[Stream, bytes]]
NONE = OutputCallbacks()


def collect(writes: Writes, callbacks: OutputCallbacks = NONE, limit: int = 1000) -> Logs:
    collector = OutputCollector(callbacks, limit)
    for stream, data in writes:
        collector.write(stream, data)
    logs, error = collector.finish()
    assert error is None
    return logs


def texts(logs: Logs) -> list[tuple[str, str]]:
    return [(chunk.stream, chunk.text) for chunk in logs.chunks]


def test_chunks_keep_the_order_in_which_both_streams_were_written() -> None:
    logs = collect([("stdout", b"a\n"), ("stderr", b"b\n"), ("stdout", b"c")])
    assert texts(logs) == [("stdout", "a\n"), ("stderr", "b\n"), ("stdout", "c")]
    assert (logs.stdout, logs.stderr) == (("a", "c"), ("b",))
    assert logs.truncated_bytes is None


def test_times_do_not_run_backwards() -> None:
    times = [chunk.at for chunk in collect([("stdout", b"x")] * 20).chunks]
    assert times == sorted(times)
    assert times[0] >= 0


def test_nothing_written_is_nothing() -> None:
    assert collect([]) == Logs()
    assert collect([("stdout", b"")]) == Logs()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ()),
        ("\n", ("",)),
        ("a", ("a",)),
        ("a\n", ("a",)),
        ("a\n\n", ("a", "")),
        ("\na\n\nb", ("", "a", "", "b")),
        ("a\r\nb\r", ("a\r", "b\r")),
        ("a\x0bb\x0cc\x85d\u2028e", ("a\x0bb\x0cc\x85d\u2028e",)),
    ],
)
def test_lines_end_at_newlines_only_and_one_empty_rest_is_dropped(text: str, lines: tuple[str, ...]) -> None:
    assert split_lines(text) == lines


def test_a_character_written_in_pieces_arrives_whole_even_with_the_other_stream_between() -> None:
    first, second = "漢".encode()[:1], "漢".encode()[1:]
    logs = collect(
        [("stdout", b"a" + first), ("stderr", first), ("stdout", second), ("stderr", second + b"b")]
    )
    assert (logs.stdout, logs.stderr) == (("a漢",), ("漢b",))


def test_bytes_that_are_no_text_are_replaced_also_at_the_very_end() -> None:
    assert collect([("stdout", b"a\xffb\xe6")]).stdout == ("a\ufffdb\ufffd",)


def test_exactly_the_limit_is_not_cut() -> None:
    logs = collect([("stdout", b"x" * 6), ("stderr", b"y" * 4)], limit=10)
    assert (logs.stdout, logs.stderr, logs.truncated_bytes) == (("xxxxxx",), ("yyyy",), None)


def test_one_byte_more_is_cut_with_a_marker_and_the_true_size() -> None:
    logs = collect([("stdout", b"x" * 6), ("stderr", b"y" * 5), ("stdout", b"lost" * 100)], limit=10)
    assert logs.truncated_bytes == 411
    assert logs.stdout == ("xxxxxx",)
    assert logs.stderr[0] == "yyyy"
    assert "411 bytes" in logs.stderr[1]
    assert "10" in logs.stderr[1]


def test_a_limit_within_a_character_leaves_no_broken_text_behind_but_a_replacement() -> None:
    logs = collect([("stdout", "漢漢".encode())], limit=4)
    assert logs.stdout[0] == "漢\ufffd"
    assert logs.truncated_bytes == 6


def test_all_that_is_cut_still_has_a_marker() -> None:
    logs = collect([("stderr", b"lost")], limit=0)
    assert logs.truncated_bytes == 4
    assert "4 bytes" in "".join(logs.stdout)


def test_a_flood_of_writes_is_told_one_by_one_and_kept_in_few_chunks() -> None:
    chunks: list[OutputChunk] = []
    writes: Writes = [("stdout", b"a"), ("stderr", b"b")] * MAX_OUTPUT_CHUNKS
    logs = collect(writes, OutputCallbacks(on_output=chunks.append), limit=2 * MAX_OUTPUT_CHUNKS)
    assert len(chunks) == 2 * MAX_OUTPUT_CHUNKS
    assert texts(logs)[:3] == [("stdout", "a"), ("stderr", "b"), ("stdout", "a")]
    assert len(logs.chunks) == MAX_OUTPUT_CHUNKS + 2
    assert (logs.stdout, logs.stderr) == (("a" * MAX_OUTPUT_CHUNKS,), ("b" * MAX_OUTPUT_CHUNKS,))


def test_callbacks_get_whole_lines_when_they_end_and_the_rest_at_the_end() -> None:
    seen: list[str] = []
    collector = OutputCollector(
        OutputCallbacks(
            on_output=lambda chunk: seen.append(f"chunk {chunk.text!r}"),
            on_stdout=lambda line: seen.append(f"out {line.text!r}"),
            on_stderr=lambda line: seen.append(f"err {line.text!r}"),
        )
    )
    collector.write("stdout", b"a")
    collector.write("stderr", b"x\ny")
    collector.write("stdout", b"b\n\nc")
    assert seen == ["chunk 'a'", r"chunk 'x\ny'", "err 'x'", r"chunk 'b\n\nc'", "out 'ab'", "out ''"]
    collector.finish()
    assert seen[6:] == ["out 'c'", "err 'y'"]


def test_callbacks_get_what_the_logs_have_the_marker_too() -> None:
    chunks: list[OutputChunk] = []
    lines: list[str] = []
    callbacks = OutputCallbacks(on_output=chunks.append, on_stdout=lambda line: lines.append(str(line)))
    logs = collect([("stdout", b"a\nb" * 10)], callbacks, limit=8)
    assert tuple(chunks) == logs.chunks
    assert tuple(lines) == logs.stdout


def test_a_failing_callback_is_not_called_again_and_costs_no_output() -> None:
    calls: list[str] = []

    def refuse(line: OutputMessage) -> None:
        calls.append(line.text)
        raise KeyError("mine")

    collector = OutputCollector(OutputCallbacks(on_stdout=refuse))
    for data in (b"a\n", b"b\n", b"rest"):
        collector.write("stdout", data)
    logs, error = collector.finish()
    assert isinstance(error, KeyError)
    assert logs.stdout == ("a", "b", "rest")
    assert calls == ["a"]


@given(
    st.lists(st.tuples(st.sampled_from(["stdout", "stderr"]), st.binary(max_size=8)), max_size=30),
    st.integers(0, 100),
)
def test_however_it_is_written_the_text_is_that_of_the_bytes_within_the_limit(
    writes: Writes, limit: int
) -> None:
    lines: dict[str, list[str]] = {"stdout": [], "stderr": []}
    callbacks = OutputCallbacks(
        on_stdout=lambda line: lines["stdout"].append(line.text),
        on_stderr=lambda line: lines["stderr"].append(line.text),
    )
    logs = collect(writes, callbacks, limit)
    left, kept = limit, {"stdout": b"", "stderr": b""}
    for stream, data in writes:
        kept[stream] += data[:left]
        left -= len(data[:left])
    total = sum(len(data) for _, data in writes)
    assert logs.truncated_bytes == (total if total > limit else None)
    chunks = logs.chunks[:-1] if total > limit else logs.chunks
    for stream, data in kept.items():
        joined = "".join(chunk.text for chunk in chunks if chunk.stream == stream)
        assert joined == data.decode("utf-8", "replace")
    assert (tuple(lines["stdout"]), tuple(lines["stderr"])) == (logs.stdout, logs.stderr)
