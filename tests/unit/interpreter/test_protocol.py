"""What a harness may answer, and that everything else is refused: a guest can write what it likes."""

import json
from typing import Any

import pytest

from torpor import limits
from torpor.interpreter.protocol import Completion, ProtocolError, Reply, Request, parse_reply
from torpor.models import ExecutionError, Result

DONE = {"type": "done", "cwd": "/workspace", "exitStatus": None}


def reply(*frames: dict[str, Any], end: dict[str, Any] | None = DONE) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in (*frames, *([end] if end else [])))


def result(**fields: Any) -> dict[str, Any]:
    return {"type": "result", "data": {"text/plain": "1"}, **fields}


def error(**fields: Any) -> dict[str, Any]:
    return {"type": "error", "name": "E", "message": "m", "traceback": [], "lineNumber": None, **fields}


def test_a_reply_may_be_only_its_end() -> None:
    assert parse_reply(reply()) == Reply("/workspace")


def test_frames_become_data_in_their_order() -> None:
    parsed = parse_reply(
        reply(
            result(),
            result(data={"application/json": {"a": [None]}}, isValue=True, truncated={"text/html": 5}),
            error(traceback=["a", "b"], lineNumber=3),
            end={"type": "done", "cwd": "/workspace/d", "exitStatus": 3},
        )
    )
    assert parsed == Reply(
        "/workspace/d",
        (
            Result({"text/plain": "1"}),
            Result({"application/json": {"a": [None]}}, is_value=True, truncated={"text/html": 5}),
        ),
        ExecutionError("E", "m", ("a", "b"), 3),
        3,
    )


def test_a_completion_is_found() -> None:
    parsed = parse_reply(reply({"type": "completion", "matches": ["print"], "start": 2}))
    assert parsed.completion == Completion(("print",), 2)


def test_what_is_too_long_to_show_is_cut() -> None:
    long = error(name="n" * 10**5, message="m" * 10**5, traceback=["t"] * 10**4)
    matches = {"type": "completion", "matches": ["m"] * 10**4, "start": 0}
    parsed = parse_reply(reply(long, matches))
    assert parsed.error is not None
    assert len(parsed.error.name) == len(parsed.error.message) == limits.MAX_ERROR_MESSAGE_CHARS
    assert len(parsed.error.traceback) == limits.MAX_TRACEBACK_LINES
    assert parsed.completion is not None
    assert len(parsed.completion.matches) == limits.MAX_COMPLETIONS


def test_text_may_hold_anything_that_json_can_say() -> None:
    text = '\0\x1b\ud800"\n\u2028😀'
    assert parse_reply(reply(result(data={"text/plain": text}))).results[0].text == text


def test_exactly_as_many_results_as_are_allowed() -> None:
    assert len(parse_reply(reply(*[result()] * limits.MAX_RESULTS)).results) == limits.MAX_RESULTS
    with pytest.raises(ProtocolError, match="results"):
        parse_reply(reply(*[result()] * (limits.MAX_RESULTS + 1)))


NESTED = b'{"type": "result", "data": {"application/json": ' + b"[" * 300 + b"]" * 300 + b"}}\n"
BOTTOMLESS = b'{"type": "result", "data": {"application/json": ' + b"[" * 10**6 + b"\n"

MALFORMED: dict[str, bytes] = {
    "nothing": b"",
    "an empty line": b"\n",
    "an empty line before the end": b"\n" + reply(),
    "an empty line after the end": reply() + b"\n",
    "only line ends": b"\n" * 10**6,
    "no line end": reply()[:-1],
    "half a frame": reply()[: len(reply()) // 2],
    "no end": reply(result(), end=None),
    "two ends": reply(DONE),
    "something after the end": reply(DONE, result(), end=None),
    "not json": b"garbage\n",
    "not utf-8": b'{"type": "done", "cwd": "\xff\xfe"}\n',
    "nul bytes": b"\0" * 100 + b"\n",
    "a list": b"[]\n" + reply(),
    "a number": b"1\n" + reply(),
    "null": b"null\n" + reply(),
    "nan": reply(result(data={"application/json": float("nan")})),
    "infinity": reply(result(data={"application/json": [float("-inf")]})),
    "a number of many digits": b'{"type": "result", "data": {"application/json": '
    + b"9" * 10**5
    + b"}}\n"
    + reply(),
    "deep json": NESTED + reply(),
    "bottomless json": BOTTOMLESS + reply(),
    "no type": reply({}),
    "an unknown type": reply({"type": "other"}),
    "a type that is no text": reply({"type": ["result"]}),
    "a request": Request("execute").encode() + b"\n" + reply(),
    "a result without data": reply({"type": "result"}),
    "data that is a list": reply(result(data=[])),
    "data that is text": reply(result(data="text/plain")),
    "a name that is no mime type": reply(result(data={"nonsense": "x"})),
    "a mime type with a space": reply(result(data={"text/pl ain": "x"})),
    "a mime type with a line end": reply(result(data={"text/plain\n": "x"})),
    "a mime type without end": reply(result(data={"text/" + "x" * 10**4: "x"})),
    "text that is a number": reply(result(data={"text/plain": 1})),
    "text that is null": reply(result(data={"text/plain": None})),
    "an image that is a list": reply(result(data={"image/png": [1]})),
    "truncated that is a list": reply(result(truncated=[])),
    "truncated that is a number": reply(result(truncated=0)),
    "truncated by text": reply(result(truncated={"text/plain": "5"})),
    "truncated by a bool": reply(result(truncated={"text/plain": True})),
    "truncated by less than nothing": reply(result(truncated={"text/plain": -1})),
    "truncated nonsense": reply(result(truncated={"nonsense": 1})),
    "an error without name": reply({"type": "error", "message": "", "traceback": []}),
    "a name that is no text": reply(error(name=None)),
    "a message that is no text": reply(error(message=["m"])),
    "a traceback that is text": reply(error(traceback="line")),
    "a traceback of numbers": reply(error(traceback=["line", 1])),
    "a line that is text": reply(error(lineNumber="1")),
    "a line that is a bool": reply(error(lineNumber=True)),
    "a line that is a fraction": reply(error(lineNumber=1.5)),
    "a line beyond reason": reply(error(lineNumber=2**40)),
    "matches that are numbers": reply({"type": "completion", "matches": [1], "start": 0}),
    "matches that are text": reply({"type": "completion", "matches": "abc", "start": 0}),
    "a start that is text": reply({"type": "completion", "matches": [], "start": "0"}),
    "an end without folder": reply(end={"type": "done"}),
    "a folder that is no text": reply(end={"type": "done", "cwd": ["/workspace"]}),
    "a status that is text": reply(end={**DONE, "exitStatus": "0"}),
    "a status beyond reason": reply(end={**DONE, "exitStatus": -(2**40)}),
}


@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED.keys())
def test_whatever_is_malformed_is_refused(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        parse_reply(data)


def test_any_cut_of_a_good_reply_is_refused() -> None:
    whole = reply(result(), error())
    for length in range(len(whole)):
        with pytest.raises(ProtocolError):
            parse_reply(whole[:length])


def test_a_request_says_what_the_protocol_says() -> None:
    request = Request("execute", "x = '\ud800é'", 3, "/workspace/d", {"A": "é"}, "ab" * 32)
    data = request.encode()
    assert data.isascii()
    document = json.loads(data)
    assert document == {
        "op": "execute",
        "code": "x = '\ud800é'",
        "count": 3,
        "cwd": "/workspace/d",
        "env": {"A": "é"},
        "entropy": "ab" * 32,
        "limits": {
            "resultBytes": limits.MAX_RESULT_BYTES,
            "results": limits.MAX_RESULTS,
            "messageChars": limits.MAX_ERROR_MESSAGE_CHARS,
            "tracebackLines": limits.MAX_TRACEBACK_LINES,
        },
    }
    assert "entropy" not in json.loads(Request("execute").encode())
    assert json.loads(Request("complete", "pri", cursor=3).encode())["cursor"] == 3
