"""The file API does what the same calls do on a real file system: one script, run on both."""

import errno
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from torpor.errors import FileSystemError
from torpor.limits import WorkspaceQuota
from torpor.workspace import operations
from torpor.workspace.manifest import Changes, Entry, Manifest, apply_changes

QUOTA = WorkspaceQuota()
NAMES = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map("/".join)
SCRIPTS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), NAMES, st.binary(max_size=3)),
        st.tuples(st.just("mkdir"), NAMES, st.just(b"")),
        st.tuples(st.just("delete"), NAMES, st.just(b"")),
        st.tuples(st.just("move"), NAMES, NAMES),
        st.tuples(st.just("symlink"), NAMES, st.sampled_from(["a", "b/c", "./b", "."])),
        st.tuples(st.just("link"), NAMES, NAMES),
    ),
    max_size=12,
)
Step = tuple[str, str, "str | bytes"]


class Real:
    """The steps on a folder of the host."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def do(self, step: Step) -> str | None:
        try:
            self._do(*step)
        except OSError as error:
            return errno.errorcode[error.errno or 0]
        return None

    def _do(self, what: str, path: str, more: str | bytes) -> None:
        file = self.root / path
        if what == "write":
            assert isinstance(more, bytes)
            file.write_bytes(more)
        elif what == "mkdir":
            file.mkdir()
        elif what == "delete":
            shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink()
        elif what == "move":
            os.rename(file, self.root / str(more))
        elif what == "symlink":
            os.symlink(str(more), file)
        elif file.is_symlink():  # a manifest has hard links of files only
            raise OSError(errno.EPERM, "no hard links of links")
        else:
            os.link(file, self.root / str(more), follow_symlinks=False)

    def tree(self) -> dict[str, object]:
        found: dict[str, object] = {}
        for path in self.root.rglob("*"):
            name = str(path.relative_to(self.root))
            if path.is_symlink():
                found[name] = os.readlink(path)
            else:
                found[name] = None if path.is_dir() else path.read_bytes()
        return found


class Virtual:
    """The same steps on a manifest; links, which the file API does not make, are put into it."""

    def __init__(self) -> None:
        self.manifest = Manifest({"": Entry("", "directory", 1, 0)})
        self.contents: dict[str, bytes] = {}

    def do(self, step: Step) -> str | None:
        try:
            changes = self._do(*step)
        except FileSystemError as error:
            return error.errno
        self.manifest = apply_changes(self.manifest, changes)
        return None

    def _do(self, what: str, path: str, more: str | bytes) -> Changes:
        if what == "write":
            assert isinstance(more, bytes)
            changes, contents = operations.write(self.manifest, QUOTA, path, more, 1)
            self.contents.update(contents)
            return changes
        if what == "mkdir":
            return operations.mkdir(self.manifest, QUOTA, path, 1)
        if what == "delete":
            return operations.delete(self.manifest, QUOTA, path, 1, recursive=True)
        return operations.move(self.manifest, QUOTA, path, str(more), 1)

    def mirror(self, made: Path, root: Path) -> None:
        """Copy a link that the real side made, from where it really lies."""
        path, entries = _place(made, root), dict(self.manifest.entries)
        if made.is_symlink():
            entries[path] = Entry(path, "symlink", self.manifest.next_inode, 0, target=os.readlink(made))
        else:
            entries[path] = replace(self._same_file(made, root), path=path)
        self.manifest = Manifest(entries, self.manifest.next_inode + 1)

    def _same_file(self, made: Path, root: Path) -> Entry:
        files = (e for e in self.manifest.entries.values() if e.kind == "file")
        return next(e for e in files if os.path.samefile(root / e.path, made) and root / e.path != made)

    def tree(self) -> dict[str, object]:
        values: dict[str, Callable[[Entry], object]] = {
            "directory": lambda e: None,
            "symlink": lambda e: e.target,
            "file": lambda e: self.contents[e.digest or ""],
        }
        return {path: values[e.kind](e) for path, e in self.manifest.entries.items() if path}


def _place(path: Path, root: Path) -> str:
    """The relative path of an entry whose own last part is not followed."""
    return str((path.parent.resolve() / path.name).relative_to(root.resolve()))


@settings(max_examples=300, deadline=None)
@given(SCRIPTS)
def test_a_script_of_file_operations_ends_alike(script: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        real, virtual = Real(Path(folder)), Virtual()
        for step in script:
            what, path, more = step
            if what in ("symlink", "link"):
                if real.do(step) is None:
                    made = real.root / (path if what == "symlink" else str(more))
                    virtual.mirror(made, real.root)
            else:
                assert virtual.do(step) == real.do(step), step
            assert virtual.tree() == real.tree(), step
