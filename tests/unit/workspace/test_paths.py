"""How the paths that people write become the manifest's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torpor.errors import FileSystemError, PermissionDeniedError, ValidationFailedError
from torpor.limits import WorkspaceQuota
from torpor.workspace import paths

QUOTA = WorkspaceQuota()


@pytest.mark.parametrize(
    ("written", "relative"),
    [
        ("/workspace", ""),
        ("/workspace/", ""),
        (".", ""),
        ("/", None),
        ("a.txt", "a.txt"),
        ("/workspace/a.txt", "a.txt"),
        ("//workspace//data///a.csv", "data/a.csv"),
        ("./data/./a.csv/", "data/a.csv"),
        ("data/../b", "b"),
        ("/workspace/x/../../workspace/y", "y"),
        ("../workspace/y", "y"),
        ("workspace/y", "workspace/y"),
        ("/etc/passwd", None),
        ("../../etc/passwd", None),
        ("..", None),
        ("/workspace/../../workspace/a", None),
        ("/workspaces/a", None),
        ("/workspace/..", None),
    ],
)
def test_a_path_is_relative_to_the_workspace_or_refused(written: str, relative: str | None) -> None:
    if relative is None:
        with pytest.raises(PermissionDeniedError) as caught:
            paths.normalise(written, QUOTA, operation="file.read")
        assert caught.value.errno == "EACCES"
        assert caught.value.operation == "file.read"
        assert "/workspace" in caught.value.message
    else:
        assert paths.normalise(written, QUOTA) == relative


def test_an_empty_path_is_bad_input() -> None:
    with pytest.raises(ValidationFailedError, match="path is required"):
        paths.normalise("", QUOTA)


@pytest.mark.parametrize("path", ["a\0b", "\0", "/workspace/\udc80"])
def test_a_path_no_file_system_holds_is_invalid(path: str) -> None:
    with pytest.raises(FileSystemError) as caught:
        paths.normalise(path, QUOTA)
    assert caught.value.errno == "EINVAL"


def test_names_are_measured_in_bytes_and_exactly_the_limit_is_allowed() -> None:
    quota = WorkspaceQuota(name_bytes=4)
    assert paths.normalise("éé/abcd", quota) == "éé/abcd"
    with pytest.raises(FileSystemError) as caught:
        paths.normalise("data/ééa", quota)
    assert caught.value.errno == "ENAMETOOLONG"
    assert caught.value.context["limit"] == 4
    assert caught.value.context["size"] == 5


def test_the_whole_path_has_a_limit_that_counts_the_workspace() -> None:
    quota = WorkspaceQuota(path_bytes=len("/workspace/abc"))
    assert paths.normalise("abc", quota) == "abc"
    with pytest.raises(FileSystemError) as caught:
        paths.normalise("abcd", quota)
    assert caught.value.errno == "ENAMETOOLONG"


def test_a_huge_path_gives_a_short_message() -> None:
    with pytest.raises(FileSystemError) as caught:
        paths.normalise("a" * 1_000_000, QUOTA)
    assert len(str(caught.value)) < 10_000


@given(st.text(alphabet="ab./é", max_size=30))
def test_normalising_twice_changes_nothing_and_never_escapes(written: str) -> None:
    try:
        relative = paths.normalise(written, QUOTA)
    except (PermissionDeniedError, ValidationFailedError):
        return
    assert paths.normalise(paths.absolute(relative), QUOTA) == relative
    assert not {"", ".", ".."} & set(relative.split("/")) or relative == ""


def test_a_walk_lists_a_directory_before_its_content_and_before_names_that_sort_after_it() -> None:
    assert paths.sorted_by_parts(["a.txt", "a/b", "a", "a-1"]) == ["a", "a/b", "a-1", "a.txt"]
