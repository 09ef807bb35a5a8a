"""`torpor engines`: the installed engines, and compiling them ahead of their first use."""

from typing import Annotated

import typer

import torpor
from torpor.cli import options, tables
from torpor.cli.options import Format
from torpor.cli.results import human_size

#: Digits of a build id that tell builds apart for a person.
_SHORT_BUILD = 12

group = typer.Typer(
    name="engines", help="The installed engines.", no_args_is_help=True, rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    app.add_typer(group)


@group.command("ls")
def ls(output: options.Output = Format.TABLE) -> None:
    """List the installed engines."""
    found = torpor.describe_engines()
    columns = ["BINDING", "LANGUAGE", "ENGINE", "VERSION", "BUILD", "SIZE", "COMPILED"]
    rows = [
        (
            e.binding,
            e.language,
            e.engine,
            e.version,
            e.build[:_SHORT_BUILD],
            human_size(e.wasm_bytes),
            "yes" if e.compiled else "no",
        )
        for e in found
    ]
    tables.show(found, output, columns, rows)


@group.command("compile")
def compile_(
    bindings: Annotated[
        list[str] | None, typer.Argument(metavar="[BINDING]...", help="All when none is named.")
    ] = None,
) -> None:
    """Compile engines now (about a minute each), so that no first run has to wait for it."""
    from torpor.cli.interrupt import die_on_interrupt
    from torpor.cli.progress import CompileProgress
    from torpor.engines import installed_bindings

    with die_on_interrupt(), CompileProgress() as progress:
        torpor.compile_engines(tuple(bindings or installed_bindings()), progress=progress)
