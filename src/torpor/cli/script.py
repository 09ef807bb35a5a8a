"""What a script says of itself: the files that belong with it.

    # /// script
    # [tool.torpor]
    # files = ["data/weather.csv"]
    # ///

The block has the form that Python's packaging specifications give to the metadata of single-file scripts
("inline script metadata", PEP 723): TOML in comments. It may stand in "//" comments too. `torpor run`
copies the files to the same place below /workspace before it runs the script. Only files inside the
script's own folder can be named, so that running somebody's script hands over nothing else.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import torpor
from torpor.cli import terminal
from torpor.cli.execution import Request
from torpor.cli.options import Source
from torpor.errors import ValidationFailedError

_BLOCK = re.compile(
    r"^(?P<mark>#|//) /// script$\s(?P<lines>(^(?P=mark)(| .*)$\s)+)^(?P=mark) ///$", re.MULTILINE
)


def put_files(source: Source, request: Request) -> None:
    """Copy the files that a script names into the request's sandbox; equal ones there stay as they are.

    Nothing is copied for a request that will be refused. Raises ValidationFailedError when the block cannot
    be read, when a file lies elsewhere, or when there is no sandbox to copy to.
    """
    if source.file is None:
        return
    names = named_files(source.code, source.file)
    if not names:
        return
    if request.sandbox is None:
        raise ValidationFailedError(
            f"{source.file} needs {', '.join(names)} in a sandbox: name one with -s ID"
        )
    files = {name: _inside(source.file.parent, name).read_bytes() for name in names}
    if _can_run(request, request.sandbox):
        for name, data in files.items():
            _put(request.sandbox, name, data)


def _can_run(request: Request, sandbox: "torpor.Sandbox") -> bool:
    from torpor.engines import installed_bindings

    if request.context is not None:
        return request.context in {context.id for context in sandbox.interpreter.list_code_contexts()}
    return request.binding in installed_bindings()


def named_files(code: str, script: Path) -> tuple[str, ...]:
    """`files` of the block's `[tool.torpor]`; nothing when there is no such block."""
    block = _BLOCK.search(code)
    if block is None:
        return ()
    import tomllib

    try:
        document = tomllib.loads("".join(_uncommented(block["lines"], block["mark"])))
    except tomllib.TOMLDecodeError as error:
        raise ValidationFailedError(f"{script}: its script block is not TOML: {error}") from None
    tool = document.get("tool", {})
    table = tool.get("torpor", {}) if isinstance(tool, dict) else {}
    files = table.get("files", []) if isinstance(table, dict) else []
    if not isinstance(files, list) or not all(isinstance(name, str) for name in files):
        raise ValidationFailedError(f"{script}: [tool.torpor] files must be a list of paths")
    return tuple(files)


def _uncommented(lines: str, mark: str) -> Iterator[str]:
    for line in lines.splitlines(keepends=True):
        rest = line[len(mark) :]
        yield rest.removeprefix(" ")


def _inside(folder: Path, name: str) -> Path:
    """The local file of a name, which may lead nowhere but into the folder, links resolved."""
    parts = PurePosixPath(name).parts
    file = folder.joinpath(*parts)
    if not parts or ".." in parts or not file.resolve().is_relative_to(folder.resolve()):
        raise ValidationFailedError(
            f"{name!r} is not inside the script's folder: copy it with `torpor files put`"
        )
    return file


def _put(sandbox: "torpor.Sandbox", name: str, data: bytes) -> None:
    if sandbox.exists(name) and sandbox.read_file(name).content == data:
        return
    parent = PurePosixPath(name).parent
    if str(parent) != ".":
        sandbox.mkdir(str(parent), recursive=True)
    sandbox.write_file(name, data)
    terminal.say(f"torpor: copied {name} to /workspace/{PurePosixPath(name)}")
