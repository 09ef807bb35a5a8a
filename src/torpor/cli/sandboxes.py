"""`torpor sandbox`: list, show, remove, go back, copy, export and import sandboxes."""

from pathlib import Path
from typing import Annotated

import typer

import torpor
from torpor.cli import options, repl_history, tables, terminal
from torpor.cli.options import Format, SandboxId
from torpor.cli.results import human_size
from torpor.config import Config
from torpor.errors import SandboxNotFoundError
from torpor.models import HistoryEntry, SandboxInfo

group = typer.Typer(
    name="sandbox", help="The sandboxes: what is kept.", no_args_is_help=True, rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    app.add_typer(group)


@group.command("ls")
def ls(output: options.Output = Format.TABLE) -> None:
    """List all sandboxes."""
    found = torpor.list_sandboxes()
    for info in found:
        if info.problem is not None:
            terminal.say(f"torpor: {info.id}: {info.problem}")
    columns = ["ID", "GENERATION", "LAST USED", "CONTEXTS", "FILES", "STORED"]
    tables.show(found, output, columns, [_row(info) for info in found])


@group.command("show")
def show(sandbox: SandboxId, output: options.Output = Format.TABLE) -> None:
    """Show one sandbox: its contexts, their snapshots, files and environment variables' names."""
    info = torpor.get_sandbox(sandbox).get_info()
    if output is Format.JSON:
        tables.show_json(info)
        return
    for line in describe(info):
        print(terminal.printable(line))
    print()
    tables.show(info.contexts, output, *context_table(info))


@group.command("rm")
def rm(
    sandboxes: Annotated[list[str], typer.Argument(metavar="SANDBOX...", help="Ids of sandboxes.")],
) -> None:
    """Remove sandboxes with everything in them, and what was typed in their REPLs."""
    config = Config.from_environment()
    for sandbox in sandboxes:
        existed = torpor.get_sandbox(sandbox).destroy()
        repl_history.forget(config, sandbox)
        if not existed:
            raise SandboxNotFoundError(f"There is no sandbox {sandbox!r}")


@group.command("history")
def history(sandbox: SandboxId, output: options.Output = Format.TABLE) -> None:
    """List the generations of a sandbox, newest first."""
    show_history(torpor.get_sandbox(sandbox).history(), output)


@group.command("rewind")
def rewind(
    sandbox: SandboxId, generation: Annotated[int, typer.Argument(help="As `sandbox history` numbers it.")]
) -> None:
    """Make a sandbox what it was in an earlier generation; the history grows by one."""
    torpor.get_sandbox(sandbox).rewind(generation)
    terminal.say(f"{sandbox}: generation {generation} stands again")


@group.command("fork")
def fork(
    sandbox: SandboxId,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The copy's id.")],
    at: Annotated[
        int | None, typer.Option("--at", metavar="GENERATION", help="Copy an earlier generation.")
    ] = None,
) -> None:
    """Copy a sandbox to a new id, with its memory, files and contexts."""
    torpor.get_sandbox(sandbox).fork(new, at=at)
    terminal.say(f"{new}: a copy of {sandbox}")


@group.command("export")
def export(
    sandbox: SandboxId,
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    base_images: Annotated[
        bool,
        typer.Option(
            "--base-images/--no-base-images",
            help="Without them the file is small, but needs the same engine build.",
        ),
    ] = True,
) -> None:
    """Write a sandbox as one file."""
    torpor.get_sandbox(sandbox).export(file, with_base_images=base_images)
    terminal.say(f"{file}: {human_size(file.stat().st_size)}")


@group.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file that `sandbox export` wrote.")],
    sandbox: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="Another id than the exported one.")
    ] = None,
) -> None:
    """Read an exported sandbox. Import only files you trust: they carry an interpreter's memory."""
    terminal.say(f"{torpor.import_sandbox(file, sandbox).id}: imported")


def show_history(entries: tuple[HistoryEntry, ...], output: Format) -> None:
    """Print generations as a listing."""
    columns = ["GEN", "AT", "KIND", "RUN", "ADDED", "REWIND", "SUMMARY"]
    rows = [
        (
            e.generation,
            tables.moment(e.at),
            e.kind,
            "-" if e.executions is None else e.executions,
            human_size(e.stored_bytes),
            "yes" if e.rewindable else "no",
            e.summary,
        )
        for e in entries
    ]
    tables.show(entries, output, columns, rows)


def describe(info: SandboxInfo) -> list[str]:
    """A sandbox in a few lines. Values of environment variables may be secrets and are left out."""
    return [
        f"id          {info.id}",
        f"generation  {info.generation}",
        f"created     {tables.moment(info.created_at)}",
        f"last used   {tables.moment(info.last_used)}",
        f"expires     {tables.moment(info.expires_at)}",
        f"workspace   {info.workspace.files} entries, {human_size(info.workspace.bytes)}",
        f"stored      {human_size(info.stored_bytes)}",
        f"env vars    {', '.join(sorted(info.env_vars)) or '-'}",
    ]


def context_table(info: SandboxInfo) -> tuple[list[str], list[tuple[object, ...]]]:
    """The columns and rows of a sandbox's contexts."""
    rows: list[tuple[object, ...]] = []
    for c in info.contexts:
        snapshot = "-" if c.snapshot is None else human_size(c.snapshot.stored_bytes)
        used = tables.moment(c.last_used)
        rows.append((c.id, c.binding, c.engine, c.cwd, c.executions, snapshot, used))
    return ["CONTEXT", "BINDING", "ENGINE", "CWD", "EXECUTIONS", "SNAPSHOT", "LAST USED"], rows


def _row(info: SandboxInfo) -> tuple[object, ...]:
    used = tables.moment(info.last_used)
    stored = human_size(info.stored_bytes)
    return (info.id, info.generation, used, len(info.contexts), info.workspace.files, stored)
