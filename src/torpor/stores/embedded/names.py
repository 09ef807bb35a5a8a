"""How a sandbox's id becomes a file name.

Ids distinguish upper and lower case and may hold dots; some file systems do not distinguish case,
and "." and ".." are folders. So lower-case letters, digits, "-" and "_" stand for themselves and
every other character is written as "=" and its code in hex: no two ids share a name on any file
system, and no name begins with a dot.
"""

import re

from torpor import limits
from torpor.errors import ValidationFailedError

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")
_ID = re.compile(r"[A-Za-z0-9._-]+")
_NAME = re.compile(r"(?:[a-z0-9_-]|=[0-9a-f]{2})+")


def check_id(sandbox_id: str) -> str:
    """`sandbox_id` when it can be stored. Raises ValidationFailedError.

    The sandbox layer has stricter rules; these are what keeps a file inside the store's folder.
    """
    if len(sandbox_id) > limits.MAX_SANDBOX_ID_CHARS or not _ID.fullmatch(sandbox_id):
        raise ValidationFailedError(
            f"Invalid sandbox id {sandbox_id[: limits.MAX_SANDBOX_ID_CHARS]!r}: use 1 to "
            f"{limits.MAX_SANDBOX_ID_CHARS} letters, digits, dots, hyphens and underscores"
        )
    return sandbox_id


def folder_name(sandbox_id: str) -> str:
    """The folder's name for a valid id."""
    return "".join(c if c in _PLAIN else f"={ord(c):02x}" for c in check_id(sandbox_id))


def id_of_folder(name: str) -> str | None:
    """The id that has this folder name; None for a name that no id has."""
    if not _NAME.fullmatch(name):
        return None
    text = re.sub(r"=([0-9a-f]{2})", lambda m: chr(int(m[1], 16)), name)
    try:
        return text if folder_name(text) == name else None
    except ValidationFailedError:
        return None
