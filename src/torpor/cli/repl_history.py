"""Where the lines typed in a sandbox's REPL are kept. Knows no terminal library."""

from pathlib import Path

from torpor.config import Config


def file_of(config: Config, sandbox_id: str) -> Path:
    """The file of one sandbox; its folder may not exist yet."""
    # Case and dots as they are: ids that a file system cannot tell apart share only what was typed.
    return config.home / "repl-history" / f"{sandbox_id}.txt"


def forget(config: Config, sandbox_id: str) -> None:
    """Remove what was typed: it may hold secrets, and goes when the sandbox goes."""
    file_of(config, sandbox_id).unlink(missing_ok=True)
