"""Progress on standard error while an engine is compiled, which happens once per version and machine."""

from types import TracebackType

from torpor.cli import terminal


class CompileProgress:
    """Shows what `torpor.compile_engines` reports: one rewritten line on a terminal, else a line per step."""

    def __init__(self) -> None:
        self._last = ""
        self._rewrites = terminal.is_terminal("stderr")

    def __call__(self, binding: str, fraction: float | None, message: str) -> None:
        done = "" if fraction is None else f" {fraction:.0%}"
        line = f"torpor: {binding}: {message}"
        if self._rewrites:
            terminal.write_raw("stderr", f"\r\x1b[2K{line}{done}")
        elif line != self._last:
            terminal.say(line)
        self._last = line

    def __enter__(self) -> "CompileProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._last and self._rewrites:
            terminal.write_raw("stderr", "\n")
