"""`torpor files`: the files of a sandbox, without running code."""

from pathlib import Path
from typing import Annotated

import typer

import torpor
from torpor.cli import options, tables, terminal
from torpor.cli.options import DASH, Format, SandboxId
from torpor.errors import FileSystemError, ValidationFailedError
from torpor.models import FileInfo

group = typer.Typer(
    name="files", help="The files of a sandbox's /workspace.", no_args_is_help=True, rich_markup_mode=None
)
_KINDS = {"directory": "d", "symlink": "l", "file": "-"}


def register(app: typer.Typer) -> None:
    app.add_typer(group)


@group.command("ls")
def ls(
    sandbox: SandboxId,
    path: Annotated[str, typer.Argument()] = "/workspace",
    recursive: Annotated[bool, typer.Option("-r", "--recursive", help="Directories' content too.")] = False,
    hidden: Annotated[bool, typer.Option("-a", "--all", help="Names that begin with a dot too.")] = False,
    output: options.Output = Format.TABLE,
) -> None:
    """List a directory."""
    found = torpor.get_sandbox(sandbox).list_files(path, recursive=recursive, include_hidden=hidden)
    tables.show(found, output, ["TYPE", "SIZE", "MODIFIED", "NAME"], rows(found))


@group.command("cat")
def cat(sandbox: SandboxId, paths: Annotated[list[str], typer.Argument(metavar="PATH...")]) -> None:
    """Write files to standard output."""
    opened = torpor.get_sandbox(sandbox)
    for path in paths:
        terminal.write_bytes(opened.read_file(path).content)


@group.command("put")
def put(
    sandbox: SandboxId,
    local: Annotated[str, typer.Argument(metavar="FILE", help="A local file, or - for standard input.")],
    path: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="Where to; a directory keeps the file's name.")
    ] = None,
) -> None:
    """Copy a local file into the sandbox."""
    name = "" if local == DASH else Path(local).name
    opened = torpor.get_sandbox(sandbox)
    target = path or name
    if path is not None and name and (path.endswith("/") or _is_directory(opened, path)):
        target = f"{path.rstrip('/')}/{name}"
    if not target:
        raise ValidationFailedError("Say where to put standard input: torpor files put SANDBOX - PATH")
    opened.write_file(target, options.read_bytes(local))


@group.command("get")
def get(
    sandbox: SandboxId,
    path: Annotated[str, typer.Argument(metavar="PATH")],
    local: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Where to; its own name here by default.")
    ] = None,
) -> None:
    """Copy a file out of the sandbox."""
    content = torpor.get_sandbox(sandbox).read_file(path)
    name = content.path.rpartition("/")[2]
    if local == DASH:
        terminal.write_bytes(content.content)
        return
    target = Path(local or name)
    (target / name if target.is_dir() else target).write_bytes(content.content)


@group.command("mkdir")
def mkdir(
    sandbox: SandboxId,
    path: str,
    parents: Annotated[
        bool, typer.Option("-p", "--parents", help="Missing parents too; existing is no error.")
    ] = False,
) -> None:
    """Create a directory."""
    torpor.get_sandbox(sandbox).mkdir(path, recursive=parents)


@group.command("mv")
def mv(sandbox: SandboxId, source: str, target: str) -> None:
    """Move or rename a file or directory; an existing file is replaced."""
    torpor.get_sandbox(sandbox).move_file(source, target)


@group.command("rm")
def rm(
    sandbox: SandboxId,
    paths: Annotated[list[str], typer.Argument(metavar="PATH...")],
    recursive: Annotated[
        bool, typer.Option("-r", "--recursive", help="Directories with their content.")
    ] = False,
    force: Annotated[bool, typer.Option("-f", "--force", help="A missing path is no error.")] = False,
) -> None:
    """Delete files or directories."""
    opened = torpor.get_sandbox(sandbox)
    for path in paths:
        opened.delete_file(path, recursive=recursive, force=force)


def rows(found: tuple[FileInfo, ...]) -> list[tuple[object, ...]]:
    """A listing's rows: type, size, time, name with a link's target."""
    return [
        (
            _KINDS.get(info.type, "?"),
            info.size,
            tables.moment(info.modified_at),
            info.relative_path if info.target is None else f"{info.relative_path} -> {info.target}",
        )
        for info in found
    ]


def _is_directory(sandbox: "torpor.Sandbox", path: str) -> bool:
    try:
        sandbox.list_files(path)
    except FileSystemError:
        return False
    return True
