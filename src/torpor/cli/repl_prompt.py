"""The REPL on a terminal: multi-line editing, a history that stays, completion on Tab."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_completions
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output.color_depth import ColorDepth

from torpor.cli import repl_history, terminal
from torpor.cli.completeness import continuation_indent
from torpor.cli.repl_session import PREFIX, ReplSession
from torpor.config import Config

_INDENT = "    "


def interact(session: ReplSession, config: Config) -> None:
    """Read and run cells until the person leaves."""
    prompt = prompt_session(session, repl_history.prepare(config, session.sandbox.id))
    terminal.say(f"{session.sandbox.id} ({session.binding}); :help lists the commands, Ctrl-D leaves")
    while not session.ended:
        try:
            text = prompt.prompt(">>> ", prompt_continuation="... ")
        except KeyboardInterrupt:
            continue  # Ctrl-C drops the line, as in every shell
        except EOFError:
            return
        with suppress(KeyboardInterrupt):  # it may come between a prompt and an execution
            session.handle(text.rstrip())


class SandboxCompleter(Completer):
    """Asks the interpreter what could stand at the cursor."""

    def __init__(self, session: ReplSession) -> None:
        self._session = session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        cursor = document.cursor_position
        matches, start = self._session.complete(document.text, cursor)
        for match in matches:
            yield Completion(terminal.printable(match), start_position=start - cursor)


def prompt_session(session: ReplSession, history: Path) -> PromptSession[str]:
    """The editor of cells, with its history in a file."""
    return PromptSession(
        multiline=True,
        history=FileHistory(str(history)),
        completer=SandboxCompleter(session),
        complete_while_typing=False,
        key_bindings=_key_bindings(session),
        color_depth=ColorDepth.from_env(),
    )


def _key_bindings(session: ReplSession) -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("enter", filter=~has_completions)
    def _(event: KeyPressEvent) -> None:
        _run_or_continue(event, session)

    @bindings.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @bindings.add("tab", filter=Condition(_at_line_start))
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text(_INDENT)

    return bindings


def _run_or_continue(event: KeyPressEvent, session: ReplSession) -> None:
    """Enter runs a whole cell when the cursor stands at its end, and begins a line otherwise."""
    buffer = event.current_buffer
    at_end = not buffer.document.text_after_cursor.strip()
    if at_end and (buffer.text.startswith(PREFIX) or session.is_complete(buffer.text)):
        buffer.validate_and_handle()
    else:
        buffer.insert_text("\n" + continuation_indent(buffer.document.text_before_cursor))


def _at_line_start() -> bool:
    """Tab indents where there is nothing to complete."""
    from prompt_toolkit.application import get_app

    return not get_app().current_buffer.document.current_line_before_cursor.strip()
