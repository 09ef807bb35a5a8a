"""`torpor context`: the code contexts of a sandbox."""

from typing import Annotated

import typer

import torpor
from torpor.cli import options, sandboxes, tables
from torpor.cli.options import Format, SandboxId
from torpor.config import Config

group = typer.Typer(
    name="context", help="The code contexts of a sandbox.", no_args_is_help=True, rich_markup_mode=None
)


def register(app: typer.Typer) -> None:
    app.add_typer(group)


@group.command("ls")
def ls(sandbox: SandboxId, output: options.Output = Format.TABLE) -> None:
    """List the contexts of a sandbox, oldest first."""
    info = torpor.get_sandbox(sandbox).get_info()
    tables.show(info.contexts, output, *sandboxes.context_table(info))


@group.command("new")
def new(
    sandbox: SandboxId,
    binding: options.Binding = None,
    cwd: Annotated[str, typer.Option("--cwd", metavar="DIR", help="Its working directory.")] = "/workspace",
    env: options.EnvVars = None,
    output: options.Output = Format.TABLE,
) -> None:
    """Create a context and print its id."""
    created = torpor.get_sandbox(sandbox).interpreter.create_code_context(
        binding=binding or options.default_binding(Config.from_environment()),
        cwd=cwd,
        env_vars=options.pairs(env),
    )
    if output is Format.JSON:
        tables.show_json(created)
    else:
        print(created.id)


@group.command("rm")
def rm(
    sandbox: SandboxId,
    contexts: Annotated[list[str], typer.Argument(metavar="CONTEXT...", help="Ids of contexts.")],
) -> None:
    """Delete contexts; the files in /workspace stay."""
    interpreter = torpor.get_sandbox(sandbox).interpreter
    for context in contexts:
        interpreter.delete_code_context(context)
