"""The host's side of the harness protocol (docs/harness-protocol.md): data in, checked data out.

The reply is written by the guest and therefore hostile: every size, type and name is checked, and
whatever is not as the protocol says raises ProtocolError.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from torpor import limits
from torpor.errors import EngineError
from torpor.models import ExecutionError, Json, Result

_MIME = re.compile(r"[a-z0-9!#$&^_.+-]{1,64}/[A-Za-z0-9!#$&^_.+-]{1,128}")
_MAX_DEPTH = 200
#: Besides the results there are an error, a completion and the end.
_MAX_FRAMES = limits.MAX_RESULTS + 3


class ProtocolError(EngineError):
    """The harness answered something that the protocol does not allow."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a turn is asked to do."""

    op: Literal["execute", "complete", "tidy"]
    code: str = ""
    count: int = 0
    cwd: str = "/workspace"
    env: Mapping[str, str] = field(default_factory=dict)
    #: 64 hex digits; None while the instance simply lives on.
    entropy: str | None = None
    cursor: int = 0
    #: For "tidy": the largest block of free memory there can be, in bytes.
    free_bytes: int = 0

    def encode(self) -> bytes:
        document: dict[str, Any] = {
            "op": self.op,
            "code": self.code,
            "count": self.count,
            "cwd": self.cwd,
            "env": dict(self.env),
            "limits": {
                "resultBytes": limits.MAX_RESULT_BYTES,
                "results": limits.MAX_RESULTS,
                "messageChars": limits.MAX_ERROR_MESSAGE_CHARS,
                "tracebackLines": limits.MAX_TRACEBACK_LINES,
            },
        }
        if self.entropy is not None:
            document["entropy"] = self.entropy
        if self.op == "complete":
            document["cursor"] = self.cursor
        if self.op == "tidy":
            document["bytes"] = self.free_bytes
        # Escaped, so that lone surrogates in the code survive the way through UTF-8.
        return json.dumps(document, ensure_ascii=True).encode()


@dataclass(frozen=True, slots=True)
class Completion:
    """What could stand at the cursor: texts that replace the code from `start` on."""

    matches: tuple[str, ...] = ()
    start: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    cwd: str
    results: tuple[Result, ...] = ()
    error: ExecutionError | None = None
    exit_status: int | None = None
    completion: Completion | None = None
    #: The harness ended the code because the host told it to.
    stopped: bool = False


def parse_reply(data: bytes) -> Reply:
    """The frames of one turn. Raises ProtocolError unless they are complete and well-formed."""
    results: list[Result] = []
    error: ExecutionError | None = None
    completion: Completion | None = None
    # Before the split: a reply of nothing but line ends would cost the host twenty times its size.
    if data.count(b"\n") > _MAX_FRAMES:
        raise ProtocolError(f"the harness sent more than {_MAX_FRAMES} frames")
    lines = data.split(b"\n")
    if lines[-1]:
        raise ProtocolError("the harness's reply is cut short")
    for line in lines[:-2]:
        frame = _frame(line)
        match frame.get("type"):
            case "result":
                results.append(_result(frame))
            case "error":
                error = _error(frame)
            case "completion":
                completion = _completion(frame)
            case other:
                raise ProtocolError(f"the harness sent a frame of type {other!r} before the end")
    if len(results) > limits.MAX_RESULTS:
        raise ProtocolError(f"the harness sent {len(results)} results; {limits.MAX_RESULTS} are allowed")
    done = _frame(lines[-2]) if len(lines) > 1 else {}
    if done.get("type") != "done":
        raise ProtocolError("the harness did not end its reply")
    return Reply(
        cwd=_text(done, "cwd"),
        results=tuple(results),
        error=error,
        exit_status=_optional_integer(done, "exitStatus"),
        completion=completion,
        stopped=done.get("stopped") is True,
    )


def _frame(line: bytes) -> dict[str, Any]:
    try:
        frame = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"the harness sent something that is not JSON: {error}") from None
    if not isinstance(frame, dict):
        raise ProtocolError("the harness sent JSON that is not an object")
    return frame


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def _result(frame: dict[str, Any]) -> Result:
    data = frame.get("data")
    truncated = frame.get("truncated", {})
    if not isinstance(data, dict) or not isinstance(truncated, dict):
        raise ProtocolError("a result without a MIME bundle")
    for mime, value in data.items():
        if not _MIME.fullmatch(mime):
            raise ProtocolError(f"{mime[:80]!r} is not a MIME type")
        if not (isinstance(value, str) or mime.endswith(("/json", "+json"))):
            raise ProtocolError(f"the representation {mime} is not text")
        if _depth(value) > _MAX_DEPTH:
            raise ProtocolError(f"the representation {mime} is nested too deeply")
    for mime, size in truncated.items():
        if not _MIME.fullmatch(mime) or not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise ProtocolError("a truncation that is not MIME type -> size")
    return Result(cast("dict[str, Json]", data), frame.get("isValue") is True, truncated)


def _depth(value: Json) -> int:
    """How deep containers are nested, without recursion: the guest chose the depth."""
    depth, level = 0, [value]
    while level and depth <= _MAX_DEPTH:
        inner: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        depth, level = depth + 1, inner
    return depth


def _error(frame: dict[str, Any]) -> ExecutionError:
    traceback = frame.get("traceback")
    if not isinstance(traceback, list) or not all(isinstance(line, str) for line in traceback):
        raise ProtocolError("an error whose traceback is not a list of lines")
    return ExecutionError(
        name=_text(frame, "name")[: limits.MAX_ERROR_MESSAGE_CHARS],
        message=_text(frame, "message")[: limits.MAX_ERROR_MESSAGE_CHARS],
        traceback=tuple(traceback[: limits.MAX_TRACEBACK_LINES]),
        line_number=_optional_integer(frame, "lineNumber"),
    )


def _completion(frame: dict[str, Any]) -> Completion:
    matches = frame.get("matches")
    if not isinstance(matches, list) or not all(isinstance(match, str) for match in matches):
        raise ProtocolError("a completion whose matches are not texts")
    return Completion(tuple(matches[: limits.MAX_COMPLETIONS]), _optional_integer(frame, "start") or 0)


def _text(frame: dict[str, Any], key: str) -> str:
    value = frame.get(key)
    if not isinstance(value, str):
        raise ProtocolError(f"a frame whose {key!r} is not text")
    return value


def _optional_integer(frame: dict[str, Any], key: str) -> int | None:
    value = frame.get(key)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 2**31:
        raise ProtocolError(f"a frame whose {key!r} is not a small integer")
    return value
