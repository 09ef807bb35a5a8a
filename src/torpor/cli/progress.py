"""Progress on standard error while an engine is compiled, which happens once per version and machine."""

from types import TracebackType

from torpor.cli import terminal


class CompileProgress:
    """Shows what `torpor.compile_engines` reports: a rewritten line on a terminal, else one per engine."""

    def __init__(self) -> None:
        self._binding: str | None = None
        self._rewrites = terminal.is_terminal("stderr")

    def __call__(self, binding: str, fraction: float | None, message: str) -> None:
        done = "" if fraction is None else f" {fraction:.0%}"
        line = f"torpor: {binding}: {message}{done}"
        if self._rewrites:
            terminal.write_raw("stderr", f"\r\x1b[2K{line}")
        elif binding != self._binding:
            terminal.say(line)
        self._binding = binding

    def __enter__(self) -> "CompileProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._binding is not None and self._rewrites:
            terminal.write_raw("stderr", "\n")
