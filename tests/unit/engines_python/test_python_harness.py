"""Parts of the guest's harness that need no guest: they are plain Python, imported on the host."""

import json
from typing import Any

import pytest

from torpor_engine_python.harness import bundles, completion, errors, frames, natives

LIMITS = {"messageChars": 100, "tracebackLines": 20}


def fitted(bundle: dict[str, str], limit: int) -> tuple[dict[str, str], dict[str, int]]:
    return frames.fit(bundle, limit)


def test_a_bundle_within_the_limit_is_kept_whole() -> None:
    bundle = {"text/plain": "abc", "text/html": "<b>abc</b>"}
    assert fitted(bundle, 100) == (bundle, {})


def test_exactly_the_limit_fits() -> None:
    assert fitted({"text/plain": "x" * 100}, 100) == ({"text/plain": "x" * 100}, {})


def test_text_is_cut_to_the_limit_with_its_marker() -> None:
    kept, truncated = fitted({"text/plain": "x" * 1000}, 100)
    assert truncated == {"text/plain": 1000}
    assert len(kept["text/plain"]) == 100
    assert kept["text/plain"].endswith("... [cut: 1,000 bytes in all]")


def test_sizes_are_bytes_of_utf8() -> None:
    kept, truncated = fitted({"text/plain": "漢" * 100}, 100)
    assert truncated == {"text/plain": 300}
    assert len(kept["text/plain"].encode()) <= 100


def test_a_large_representation_leaves_room_for_the_text() -> None:
    kept, truncated = fitted({"text/plain": "x" * 50, "image/png": "p" * 900, "text/html": "h" * 900}, 1000)
    assert (sorted(kept), truncated) == (["image/png", "text/plain"], {"text/html": 900})


def test_a_result_frame_is_one_line_of_json() -> None:
    text = frames.result_frame(
        {"text/plain": "a\n\ud800", "application/json": frames.RawJson("[1]")}, 99, is_value=True
    )
    assert "\n" not in text
    assert json.loads(text) == {
        "type": "result",
        "data": {"text/plain": "a\n\ud800", "application/json": [1]},
        "isValue": True,
        "truncated": {},
    }


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object(), {(1, 2): 3}])
def test_what_is_not_json_is_refused(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        natives.to_json([value])


def test_json_keeps_every_digit() -> None:
    assert natives.to_json({"a": 2**70, "b": 0.1}) == '{"a":1180591620717411303424,"b":0.1}'


@pytest.mark.parametrize(
    ("text", "depth"),
    [("1", 0), ("[]", 1), ("[[],{}]", 2), ('[{"a":[1]}]', 3), ('["[[[["]', 1), ('["\\"[["]', 1)],
)
def test_the_depth_of_json(text: str, depth: int) -> None:
    assert bundles.depth(text) == depth


def test_json_that_the_host_would_refuse_is_given_as_text() -> None:
    deep: list[Any] = []
    for _ in range(bundles.JSON_DEPTH):
        deep = [deep]
    assert "application/json" not in bundles.bundle_of(deep)
    assert "application/json" in bundles.bundle_of(deep[0])
    assert "application/json" not in bundles.bundle_of([10**4100])


def test_an_error_that_cannot_be_formatted_is_still_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(natives.traceback, "TracebackException", None)
    try:
        raise ValueError("told")
    except ValueError as error:
        frame = json.loads(errors.error_frame(error, "<cell 1>", {**LIMITS, "messageChars": 999}))
    assert (frame["name"], frame["message"]) == ("ValueError", "told")
    assert frame["traceback"][0] == "Traceback (most recent call last):"
    assert frame["traceback"][-1] == "ValueError: told"
    assert "in test_an_error_that_cannot_be_formatted_is_still_told" in frame["traceback"][1]


def test_messages_are_cut_within_their_limit() -> None:
    frame = json.loads(errors.error_frame(ValueError("x" * 500), "<cell 1>", LIMITS))
    assert len(frame["message"]) == LIMITS["messageChars"]
    assert frame["message"].endswith("[500 characters in all]")


def test_a_long_traceback_keeps_its_beginning_and_its_end() -> None:
    lines = [str(n) for n in range(100)]
    kept = errors.cap_lines(lines, 20)
    assert len(kept) == 20
    assert (kept[0], kept[-1], kept[6]) == ("0", "99", "  ... 81 lines left out ...")


def complete(code: str, **names: object) -> tuple[list[str], int]:
    cursor = code.index("|") if "|" in code else len(code)
    return completion.complete(code.replace("|", ""), cursor, {"__builtins__": None, **names})


class Owner:
    shared = 1

    def __init__(self) -> None:
        self.own = 2
        self.inner = {"key": 3}

    @property
    def trap(self) -> "Owner":
        raise AssertionError("a property was run")


@pytest.mark.parametrize(
    ("code", "matches", "start"),
    [
        ("val", ["value"], 0),
        ("x = val| + 1", ["value"], 4),
        ("pri", ["print"], 0),
        ("whi", ["while"], 0),
        ("first = 1\nval", ["value"], 10),
        ("value.sh", ["shared"], 6),
        ("value.ow", ["own"], 6),
        ("value.tr", ["trap"], 6),
        ("value.trap.ow", [], 11),
        ("value.inner.ke", ["keys"], 12),
        ("value.inner['k", ["key"], 13),
        ("nothing.a", [], 8),
        ("from json import JSONDecodeE", ["JSONDecodeError"], 17),
        ("import json.dec", ["json.decoder"], 7),
        ("", [], 0),
    ],
)
def test_completion(code: str, matches: list[str], start: int) -> None:
    assert complete(code, value=Owner()) == (matches, start)


def test_private_names_come_last() -> None:
    assert complete("v.", v=Owner())[0][:4] == ["inner", "own", "shared", "trap"]


def test_an_object_that_answers_to_everything_is_not_asked() -> None:
    class Eager:
        def __getattribute__(self, name: str) -> object:
            raise AssertionError("asked")

    assert complete("v.method", v=Eager()) == ([], 2)
