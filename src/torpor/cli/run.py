"""`torpor run`: one execution, in a sandbox or without one."""

from pathlib import Path
from typing import Annotated

import typer

import torpor
from torpor.cli import exits, options, results, script, tables
from torpor.cli.execution import Request, execute
from torpor.config import Config
from torpor.errors import ValidationFailedError
from torpor.models import ExecutionResult


def register(app: typer.Typer) -> None:
    app.command()(run)


def run(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE | -", help="A file with code, or - for standard input.")
    ] = None,
    code: Annotated[str | None, typer.Option("-c", "--code", help="The code itself.")] = None,
    sandbox: Annotated[
        str | None, typer.Option("-s", "--sandbox", metavar="ID", help="Without it nothing is kept.")
    ] = None,
    binding: options.Binding = None,
    context: Annotated[
        str | None, typer.Option("--context", metavar="ID", help="A code context of the sandbox.")
    ] = None,
    env: options.EnvVars = None,
    timeout: Annotated[
        str | None, typer.Option("--timeout", metavar="TIME", help="Wall-clock time, such as 30s.")
    ] = None,
    fuel: Annotated[
        str | None, typer.Option("--fuel", metavar="UNITS", help="Lower the fuel of this execution.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option("--memory", metavar="SIZE", help="Lower the memory, such as 64MiB.")
    ] = None,
    stdin: Annotated[
        str | None, typer.Option("--stdin", metavar="FILE", help="What the code reads from its input.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="DIR", help="Write images and such to files there.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the whole result as one JSON document instead.")
    ] = False,
) -> None:
    """Run code; what it printed and its value go to standard output.

    In a sandbox (-s) everything the code made is kept for the next run.
    """
    source = options.read_source(code, file, stdin_taken=stdin == options.DASH)
    if context is not None and sandbox is None:
        raise ValidationFailedError("--context needs the sandbox it belongs to: -s ID")
    config = Config.from_environment()
    request = Request(
        code=source.code,
        # A context has its binding, and refuses another that was really asked for.
        binding=binding if context else options.pick_binding(binding, source.file, config),
        sandbox=None if sandbox is None else torpor.get_sandbox(sandbox),
        context=context,
        env=options.pairs(env),
        timeout=options.duration(timeout, "--timeout"),
        fuel=options.count(fuel, "--fuel"),
        memory=options.size(memory, "--memory"),
        stdin=None if stdin is None else options.read_bytes(stdin),
    )
    script.put_files(source, request)
    result, cancelled = execute(request, stream=not as_json)
    _show(result, save, as_json)
    raise typer.Exit(exits.INTERRUPTED if cancelled else exits.of_result(result))


def _show(result: ExecutionResult, save: Path | None, as_json: bool) -> None:
    if save is not None:
        results.save_results(result, save)
    if as_json:
        tables.show_json(result)
    else:
        results.show(result, mention_rich=save is None)
