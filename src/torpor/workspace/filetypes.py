"""What a file is, judged by its name and its bytes. Knows no manifest."""

from functools import cache
from importlib.resources import as_file, files

from torpor.workspace import paths


def mime_type(path: str, *, binary: bool) -> str:
    """The MIME type by the name's ending; else text/plain, or application/octet-stream when binary."""
    _, dot, ending = paths.name(path).rpartition(".")
    known = _types().get(f".{ending.lower()}") if dot else None
    return known or ("application/octet-stream" if binary else "text/plain")


def is_binary(content: bytes) -> bool:
    """Whether the bytes are not text: invalid UTF-8, or a NUL byte."""
    if b"\0" in content:
        return True
    try:
        content.decode()
    except UnicodeDecodeError:
        return True
    return False


@cache
def _types() -> dict[str, str]:
    import mimetypes  # only reading a file needs it

    # An instance of its own: the module's shared table also has what the host's /etc says.
    with as_file(files(__package__) / "mime.types") as table:
        return mimetypes.MimeTypes((str(table),)).types_map[True]
