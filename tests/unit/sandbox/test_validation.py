"""What callers may pass in, and that each refusal names its rule."""

import pytest

from torpor import limits
from torpor.errors import ValidationFailedError
from torpor.limits import WorkspaceQuota
from torpor.sandbox import validation

QUOTA = WorkspaceQuota()


@pytest.mark.parametrize("value", ["a", "user-42", "A.b_c", ".hidden", "_x", "www2", "a" * 63, "apis", "..."])
def test_sandbox_ids(value: str) -> None:
    assert validation.sandbox_id(value) == value


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("", "1 to 63"),
        ("a" * 64, "1 to 63"),
        (None, "1 to 63"),
        ("a/b", "only letters"),
        ("a b", "only letters"),
        ("a\n", "only letters"),
        ("é", "only letters"),
        ("-a", "hyphen"),
        ("a-", "hyphen"),
        ("www", "reserved"),
        ("API", "reserved"),
        ("Cloudflare", "reserved"),
        (".", "reserved"),
        ("..", "reserved"),
    ],
)
def test_a_bad_sandbox_id_names_its_rule(value: str, rule: str) -> None:
    with pytest.raises(ValidationFailedError, match="Invalid sandbox id") as caught:
        validation.sandbox_id(value)
    assert rule in caught.value.message


@pytest.mark.parametrize("value", ["", "1A", "A-B", "A B", "A\n", "Ä", None])
def test_a_bad_binding_name(value: str) -> None:
    assert validation.binding("MY_ENGINE2") == "MY_ENGINE2"
    with pytest.raises(ValidationFailedError, match="binding name"):
        validation.binding(value)


def test_env_changes_may_unset_and_contexts_env_may_not() -> None:
    changes = {"A": "1", "B": None, "_c": "é"}
    assert validation.env_changes(changes) == changes
    assert validation.env_vars({"A": ""}) == {"A": ""}
    with pytest.raises(ValidationFailedError, match=r"'B'.*unset"):
        validation.env_vars(changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("key", ["", "1A", "A=B", "A B", "A\0", "Ä", 1])
def test_a_bad_env_key(key: str) -> None:
    with pytest.raises(ValidationFailedError, match="Invalid envVars key"):
        validation.env_changes({key: "x"})


@pytest.mark.parametrize("value", [1, b"x", "a\0b", "\udc80", ["x"]])
def test_a_bad_env_value_is_never_repeated_in_the_message(value: str) -> None:
    with pytest.raises(ValidationFailedError, match="envVars value of 'SECRET'") as caught:
        validation.env_changes({"SECRET": value})
    assert repr(value) not in caught.value.message


def test_env_counts_and_bytes_are_limited_and_exactly_the_limit_is_allowed() -> None:
    many = {f"K{n}": "" for n in range(limits.MAX_ENV_VARS)}
    assert validation.env_vars(many) == many
    with pytest.raises(ValidationFailedError, match=str(limits.MAX_ENV_VARS)):
        validation.env_vars({**many, "ONE_MORE": ""})
    validation.env_vars({"K": "x" * (limits.MAX_ENV_BYTES - 1)})
    with pytest.raises(ValidationFailedError, match=str(limits.MAX_ENV_BYTES)):
        validation.env_vars({"K": "x" * limits.MAX_ENV_BYTES})


def test_env_must_be_a_mapping() -> None:
    with pytest.raises(ValidationFailedError, match="mapping"):
        validation.env_changes(["A=1"])  # type: ignore[arg-type]


def test_layers_of_env_override_and_unset() -> None:
    assert validation.merged_env({"A": "1", "B": "1"}, {"B": "2", "C": "2"}, {"A": None, "D": "3"}) == {
        "B": "2",
        "C": "2",
        "D": "3",
    }
    half = {f"A{n}": "" for n in range(limits.MAX_ENV_VARS)}
    with pytest.raises(ValidationFailedError, match="at most"):
        validation.merged_env(half, {"ONE_MORE": ""})


@pytest.mark.parametrize("value", ["", " \n\t", None, b"1"])
def test_blank_code_is_refused(value: str) -> None:
    with pytest.raises(ValidationFailedError, match="code is required"):
        validation.code(value)


def test_code_is_measured_in_bytes() -> None:
    assert validation.code("x" * limits.MAX_CODE_BYTES)
    for long in ("x" * (limits.MAX_CODE_BYTES + 1), "é" * (limits.MAX_CODE_BYTES // 2 + 1)):
        with pytest.raises(ValidationFailedError, match=str(limits.MAX_CODE_BYTES)):
            validation.code(long)
    with pytest.raises(ValidationFailedError, match="Unicode"):
        validation.code("'\udc80'")


def test_a_cwd_lies_under_the_workspace() -> None:
    assert validation.cwd("data/../x/", QUOTA) == "/workspace/x"
    assert validation.cwd("/workspace", QUOTA) == "/workspace"
    for bad in ("/etc", "..", "a\0", ""):
        with pytest.raises(ValidationFailedError):
            validation.cwd(bad, QUOTA)


def test_stdin_is_bytes_or_text() -> None:
    assert validation.stdin(None) == b""
    assert validation.stdin("é") == "é".encode()
    assert validation.stdin(b"\xff") == b"\xff"
    for bad in (bytes(limits.MAX_STDIN_BYTES + 1), 5, "\udc80"):
        with pytest.raises(ValidationFailedError, match="stdin"):
            validation.stdin(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf"), True, "5", None])
def test_a_timeout_is_a_positive_number_of_seconds(value: float) -> None:
    assert validation.timeout(0.5) == 0.5
    with pytest.raises(ValidationFailedError, match="timeout"):
        validation.timeout(value)


@pytest.mark.parametrize("value", [0, -1, 101, 1.5, True, "5", None, float("nan")])
def test_fuel_and_memory_may_only_be_lowered(value: int) -> None:
    assert validation.fuel(100, 100) == 100
    with pytest.raises(ValidationFailedError, match="1 to 100"):
        validation.fuel(value, 100)
    with pytest.raises(ValidationFailedError, match="1 to 100"):
        validation.memory(value, 100)
