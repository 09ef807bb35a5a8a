"""`torpor wasi`: run any WASI preview1 command, with nothing of a sandbox around it."""

from pathlib import Path
from typing import Annotated

import typer

from torpor.cli import options, terminal
from torpor.errors import ValidationFailedError

group = typer.Typer(name="wasi", help="Run plain WASI programs.", no_args_is_help=True, rich_markup_mode=None)


def register(app: typer.Typer) -> None:
    app.add_typer(group)


@group.callback()
def _wasi() -> None:
    """Run plain WASI programs."""


# What follows MODULE belongs to the program, its options too.
@group.command("run", context_settings={"allow_interspersed_args": False})
def run(
    module: Annotated[Path, typer.Argument(metavar="MODULE.wasm", help="A preview1 command.")],
    args: Annotated[list[str] | None, typer.Argument(metavar="[ARGS]...")] = None,
    env: options.EnvVars = None,
    dirs: Annotated[
        list[str] | None,
        typer.Option(
            "--dir", metavar="HOST::GUEST", help="A folder's copy, shown at a guest path; repeatable."
        ),
    ] = None,
) -> None:
    """Run a command; its exit status becomes this one's (134 after a trap).

    The guest works on copies of the folders: what it changes there is gone when it ends.
    """
    from torpor.wasi.command import Command, run_command

    command = Command(
        module=module,
        args=(str(module), *(args or ())),
        env=options.pairs(env),
        dirs=[_folder(text) for text in dirs or ()],
    )
    raise typer.Exit(run_command(command, report=terminal.complain))


def _folder(text: str) -> tuple[Path, str]:
    """ "HOST::GUEST" as its two paths; a single path is shown at itself."""
    host, separator, guest = text.partition("::")
    guest = guest if separator else host
    if not host or not guest:
        raise ValidationFailedError(f"--dir {text!r}: write HOST::GUEST")
    return Path(host), guest
