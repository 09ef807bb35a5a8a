"""Where the lines typed in a sandbox's REPL are kept. Knows no terminal library."""

from pathlib import Path

from torpor.config import Config


def file_of(config: Config, sandbox_id: str) -> Path:
    """The file of one sandbox; its folder may not exist yet."""
    from torpor.stores.embedded.names import folder_name

    return config.home / "repl-history" / f"{folder_name(sandbox_id)}.txt"


def prepare(config: Config, sandbox_id: str) -> Path:
    """The same file, in a folder that exists and that only its owner can read: code may hold secrets."""
    file = file_of(config, sandbox_id)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.parent.chmod(0o700)
    return file


def forget(config: Config, sandbox_id: str) -> None:
    """Remove what was typed; it goes when the sandbox goes."""
    file_of(config, sandbox_id).unlink(missing_ok=True)
