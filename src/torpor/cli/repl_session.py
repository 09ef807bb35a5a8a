"""What the REPL does with what was typed: run a cell, or obey one of its own commands (":...").

Knows no terminal library, so the same session serves keyboards, pipes and tests.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import torpor
from torpor.cli import files, options, results, sandboxes, tables, terminal
from torpor.cli.completeness import is_complete
from torpor.cli.execution import Request, execute
from torpor.cli.options import Format
from torpor.engines import BlockWords
from torpor.errors import SandboxError, ValidationFailedError
from torpor.limits import REPL_HISTORY_ROWS

PREFIX = ":"


@dataclass(frozen=True, slots=True)
class Command:
    """One command of the REPL. `act` gets the words after its name."""

    usage: str
    help: str
    act: "Callable[[ReplSession, list[str]], None]"


class ReplSession:
    """A sandbox and the binding whose oldest context runs the cells. `block_words` are its engine's."""

    COMMANDS: ClassVar[dict[str, Command]] = {}

    def __init__(
        self, sandbox: "torpor.Sandbox", binding: str, block_words: BlockWords | None = None
    ) -> None:
        self.sandbox = sandbox
        self.binding = binding
        self._block_words = block_words
        self.ended = False

    def is_complete(self, text: str) -> bool:
        """Whether `text` is a whole cell in the session's language."""
        return is_complete(text, self._block_words)

    def handle(self, text: str) -> None:
        """Run a cell or a command. Torpor's own failures are told, and the session goes on."""
        try:
            if text.startswith(PREFIX):
                self._obey(text.strip())
            elif text.strip():
                self._run(text)
        except SandboxError as error:
            terminal.complain(error.message)

    def complete(self, text: str, cursor: int) -> tuple[tuple[str, ...], int]:
        """What could stand at `cursor`, and where in `text` it would begin. Nothing rather than an error."""
        if text.startswith(PREFIX):
            names = [PREFIX + name for name in self.COMMANDS]
            return tuple(name for name in names if name.startswith(text[:cursor])), 0
        try:
            found = self.sandbox.interpreter.complete(text, cursor, binding=self.binding)
        except SandboxError:
            return (), cursor
        return found.matches, found.start

    def _run(self, code: str) -> None:
        request = Request(code=code, binding=self.binding, sandbox=self.sandbox)
        result, _ = execute(request, stream=True)
        results.show(result)
        if result.exit_status is not None:
            terminal.say(f"(the code ended itself with status {result.exit_status}; :quit leaves the REPL)")

    def _obey(self, text: str) -> None:
        name, *words = text.removeprefix(PREFIX).split()
        command = self.COMMANDS.get(name)
        if command is None:
            raise ValidationFailedError(f"{PREFIX}{name} is no command; :help lists them")
        command.act(self, words)


def _files(session: ReplSession, words: list[str]) -> None:
    found = session.sandbox.list_files(_at_most_one(words, "a directory") or "/workspace")
    tables.show(found, Format.TABLE, ["TYPE", "SIZE", "MODIFIED", "NAME"], files.rows(found))


def _history(session: ReplSession, words: list[str]) -> None:
    _none(words)
    entries = session.sandbox.history()
    sandboxes.show_history(entries[:REPL_HISTORY_ROWS], Format.TABLE)
    if len(entries) > REPL_HISTORY_ROWS:
        terminal.say(f"(the newest {REPL_HISTORY_ROWS} of {len(entries)}; `torpor sandbox history` has all)")


def _rewind(session: ReplSession, words: list[str]) -> None:
    generation = options.count(_exactly_one(words, "a generation"), ":rewind")
    assert generation is not None
    session.sandbox.rewind(generation)
    terminal.say(f"generation {generation} stands again")


def _fork(session: ReplSession, words: list[str]) -> None:
    new = session.sandbox.fork(_exactly_one(words, "the copy's id"))
    terminal.say(f"{new.id}: a copy of {session.sandbox.id}; this session stays in {session.sandbox.id}")


def _reset(session: ReplSession, words: list[str]) -> None:
    _none(words)
    interpreter = session.sandbox.interpreter
    for context in interpreter.list_code_contexts():
        if context.binding == session.binding:
            interpreter.delete_code_context(context.id)
    terminal.say("all variables are gone; the files in /workspace stay")


def _info(session: ReplSession, words: list[str]) -> None:
    _none(words)
    for line in sandboxes.describe(session.sandbox.get_info()):
        print(terminal.printable(line))


def _env(session: ReplSession, words: list[str]) -> None:
    changes: dict[str, str | None] = {}
    for word in words:
        key, equals, value = word.partition("=")
        changes[key] = value if equals else None
    if changes:
        session.sandbox.set_env_vars(changes)
    print(" ".join(sorted(session.sandbox.get_info().env_vars)) or "no environment variables are set")


def _help(session: ReplSession, words: list[str]) -> None:
    _none(words)
    for command in session.COMMANDS.values():
        print(f"{PREFIX}{command.usage:<16} {command.help}")
    print("Enter runs a whole cell; an indented block ends with a blank line. Ctrl-C cancels, Ctrl-D leaves.")


def _quit(session: ReplSession, words: list[str]) -> None:
    _none(words)
    session.ended = True


ReplSession.COMMANDS.update(
    {
        "files": Command("files [DIR]", "list files", _files),
        "history": Command("history", "list the newest generations", _history),
        "rewind": Command("rewind N", "make everything what it was in generation N", _rewind),
        "fork": Command("fork ID", "copy the sandbox to another id", _fork),
        "reset": Command("reset", "forget all variables, keep the files", _reset),
        "info": Command("info", "describe the sandbox", _info),
        "env": Command("env [K=V | K]", "set or unset environment variables, list their names", _env),
        "help": Command("help", "this list", _help),
        "quit": Command("quit", "leave; everything is kept", _quit),
    }
)


def _none(words: list[str]) -> None:
    if words:
        raise ValidationFailedError(f"This command takes nothing after its name, not {' '.join(words)!r}")


def _at_most_one(words: list[str], what: str) -> str | None:
    if len(words) > 1:
        raise ValidationFailedError(f"This command takes {what} at most, not {' '.join(words)!r}")
    return words[0] if words else None


def _exactly_one(words: list[str], what: str) -> str:
    word = _at_most_one(words, what)
    if word is None:
        raise ValidationFailedError(f"This command needs {what}")
    return word
