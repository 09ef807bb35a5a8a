"""The shape of a tutorial told as a REPL session: what is entered and what comes back. Knows no language."""

from dataclasses import dataclass, field, replace

_OUTCOME = ("out", "err", "value", "error", "message")


@dataclass(frozen=True, slots=True)
class Change:
    """A version of a language that says something in another way, and which."""

    version: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Before:
    """What an interpreter gives that is older than the change. Only the fields that are set differ."""

    change: Change
    out: str | None = None
    value: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Unlike:
    """What Torpor gives where it does not follow the real interpreter, and why. It replaces all of it."""

    reason: str
    out: str = ""
    err: str = ""
    value: str | None = None
    error: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Snippet:
    """One entry. `name` is "<chapter>: <what it shows>".

    `value` is the text of the last value as the language's own REPL shows it, None when there is none
    to show. `message` is compared when it is there: where it is not, its words are the engine's own.
    """

    name: str
    code: str
    out: str = ""
    err: str = ""
    value: str | None = None
    error: str | None = None
    message: str | None = None
    #: The oldest first.
    before: tuple[Before, ...] = ()
    unlike: Unlike | None = None

    @property
    def source(self) -> str:
        """The code without the line breaks that only set it off in the table."""
        return self.code.strip("\n")

    @property
    def in_torpor(self) -> "Snippet":
        """The snippet with what Torpor gives."""
        if self.unlike is None:
            return self
        given = {one: getattr(self.unlike, one) for one in _OUTCOME}
        return replace(self, **given)

    @property
    def chapter(self) -> str:
        return self.name.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Session:
    """A tutorial from its beginning to its end, in one context. `tutorial` names the one it follows."""

    name: str
    tutorial: str
    snippets: tuple[Snippet, ...]
    #: False where the language has no REPL of its own: only values that a snippet states are compared.
    every_value: bool = True
    #: Whether the real interpreter needs the types taken away.
    typescript: bool = False
    #: Chapters that must be there, so that none is lost when snippets are changed.
    chapters: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Given:
    """What an interpreter or an engine gave for a snippet."""

    out: str
    err: str
    value: str | None
    error: str | None
    message: str | None


def differences(snippet: Snippet, given: Given, every_value: bool) -> list[str]:
    """What is not as the snippet says, in words; empty when all is."""
    found = []
    for one in _OUTCOME:
        expected, actual = getattr(snippet, one), getattr(given, one)
        left_open = {"message": snippet.error is not None, "value": not every_value}
        if expected is None and left_open.get(one, False):
            continue
        if expected != actual:
            found.append(f"{one}: expected {expected!r}, found {actual!r}")
    return found
