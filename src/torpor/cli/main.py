"""`torpor`: finds the command's module, and turns every failure into one line and an exit status.

Knows no command's options. Only the module of the command that was asked for is imported; help and
unknown commands import all of them.
"""

import gc
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from torpor.cli import exits, terminal
from torpor.errors import SandboxError
from torpor.limits import COLLECTOR_THRESHOLD

#: Command -> the module whose `register(app)` adds it.
COMMANDS = {
    "run": "torpor.cli.run",
    "repl": "torpor.cli.repl",
    "sandbox": "torpor.cli.sandboxes",
    "context": "torpor.cli.contexts",
    "files": "torpor.cli.files",
    "engines": "torpor.cli.engines",
    "doctor": "torpor.cli.doctor",
    "wasi": "torpor.cli.wasi",
}


def run() -> NoReturn:
    """The console script."""
    gc.set_threshold(COLLECTOR_THRESHOLD)
    # Torpor does no linear algebra, and starting OpenBLAS's threads is half of what importing numpy takes.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command; its exit status (see `exits`)."""
    asked = next((a for a in arguments if not a.startswith("-")), None)
    app = build([asked] if asked in COMMANDS else COMMANDS)
    debug = "--debug" in arguments[: list(arguments).index(asked)] if asked else False
    try:
        status = _invoke(app, arguments)
        terminal.finish()
    except BrokenPipeError:
        terminal.abandon_stdout()
        return exits.BROKEN_PIPE
    except Exception as error:
        if debug:
            raise
        return _report(error)
    return status


def build(commands: Iterable[str]) -> typer.Typer:
    """The application with these commands."""
    names = list(commands)
    app = typer.Typer(
        name="torpor",
        help="A durable code interpreter: code runs in a sandbox, and everything it made is kept.",
        add_completion=len(names) > 1,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_global_options)
    for name in names:
        import_module(COMMANDS[name]).register(app)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"torpor {version('torpor')}")
        raise typer.Exit


def _global_options(
    debug: Annotated[
        bool, typer.Option("--debug", help="Show Python tracebacks of Torpor's own failures.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version),
    ] = False,
) -> None:
    del debug, version  # `main` reads the one before options are parsed, the callback served the other


def _invoke(app: typer.Typer, arguments: Sequence[str]) -> int:
    try:
        status = app(args=list(arguments), prog_name="torpor", standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        return exits.INTERRUPTED
    except typer.Exit as error:
        return error.exit_code
    except SystemExit:  # how the option parser ends when a write found the pipe broken
        terminal.abandon_stdout()
        return exits.BROKEN_PIPE
    return status if isinstance(status, int) else exits.OK


def _report(error: Exception) -> int:
    if isinstance(error, SandboxError):
        terminal.complain(error.message)
        return exits.of_error(error)
    if isinstance(error, OSError):
        terminal.complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        return exits.USAGE
    usage = getattr(error, "format_message", None)  # the option parser's errors have no public base class
    if usage is not None:
        _complain_about_usage(error, usage())
        return exits.USAGE
    kind = type(error).__name__
    terminal.complain(f"internal error: {kind}: {error} (torpor --debug ... shows where)")
    return exits.TORPOR


def _complain_about_usage(error: Exception, message: str) -> None:
    if "\n" in message:  # the help itself, of a command that was given nothing
        print(message, file=sys.stderr)
        return
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "torpor"
    terminal.complain(f"{message.rstrip('.')} (see {where} --help)")
