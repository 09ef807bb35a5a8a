"""`torpor repl`: an interactive session in a sandbox; line by line where there is no terminal."""

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

import typer

import torpor
from torpor.cli import exits, options, terminal
from torpor.cli.repl_session import ReplSession
from torpor.config import Config
from torpor.engines import get_engine


def register(app: typer.Typer) -> None:
    app.command()(repl)


def repl(
    sandbox: Annotated[str, typer.Option("-s", "--sandbox", metavar="ID", help="The sandbox to work in.")],
    binding: options.Binding = None,
) -> None:
    """Work in a sandbox interactively; all variables and files are there again next time."""
    config = Config.from_environment()
    engine = get_engine(binding or options.default_binding(config))
    session = ReplSession(torpor.get_sandbox(sandbox), engine.binding, engine.block_words)
    if terminal.is_terminal("stdin"):
        from torpor.cli.repl_prompt import interact  # the terminal library is slow to import

        interact(session, config)
    else:
        for cell in cells(sys.stdin, session.is_complete):
            session.handle(cell)
            if session.ended:
                break
    raise typer.Exit(exits.OK)


def cells(lines: Iterable[str], is_complete: Callable[[str], bool]) -> Iterator[str]:
    """Whole cells from lines, as `is_complete` divides them; the last one may be cut short by the end."""
    pending: list[str] = []
    for line in lines:
        pending.append(line.rstrip("\n"))
        text = "\n".join(pending)
        if is_complete(text):
            yield text
            pending.clear()
    if pending:
        yield "\n".join(pending)
