"""What a sandbox must remember, as plain Python: the model that real sandboxes are compared with.

Each operation changes a `World` and answers the code that does the same in a guest, so that one
description yields both the program and what must come of it. Runs nothing itself.
"""

import hashlib
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field

NAMES = ("a", "b", "c")
PATHS = ("one.txt", "two.txt", "d/three.txt")
BUFFER = 4096  # far below what a guest's file object holds back before it writes


@dataclass
class Memory:
    """One context: its variables, a suspended generator, and a file held open for appending.

    `pending` is what was written to the file object and not flushed: it lives in memory only.
    """

    variables: dict[str, list[int]] = field(default_factory=dict)
    blob: bytes = b""
    upcoming: int = 0
    handle: int | None = None
    pending: str = ""


@dataclass
class World:
    """A sandbox: contexts by id; files as names of inodes, as a file system has them."""

    contexts: dict[str, Memory] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    inodes: dict[int, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)

    def copy(self) -> "World":
        return deepcopy(self)

    def files(self) -> dict[str, bytes]:
        return {path: self.inodes[inode].encode() for path, inode in self.names.items()}

    def create(self, path: str) -> int:
        if path not in self.names:
            self.names[path] = len(self.inodes)
            self.inodes[self.names[path]] = ""
        return self.names[path]

    def held_by_others(self, path: str, memory: Memory | None) -> bool:
        """Whether a context that is not running now has the file open."""
        inode = self.names.get(path)
        others = (m for m in self.contexts.values() if m is not memory)
        return inode is not None and any(m.handle == inode for m in others)

    def seen(self, memory: Memory, said: list[int]) -> str:
        """What `LOOK` shows in a context."""
        variables = {name: memory.variables[name] for name in NAMES if name in memory.variables}
        blob = hashlib.sha256(memory.blob).hexdigest()
        files = {path: self.inodes[self.names[path]] for path in PATHS if path in self.names}
        return repr((said, variables, blob, memory.handle is not None, files))

    def flush(self, memory: Memory) -> None:
        if memory.handle is not None:
            self.inodes[memory.handle] += memory.pending
        memory.pending = ""


#: What every new context is given first.
PROLOGUE = f"""
import hashlib, itertools, os
def files():
    paths = [path for path in {PATHS} if os.path.exists('/workspace/' + path)]
    return {{path: open('/workspace/' + path).read() for path in paths}}
blob, handle = b"", None
squares = (n * n for n in itertools.count())
"""
#: The state of a context, and the files as it sees them, as the last expression.
LOOK = (
    "(said, {n: globals()[n] for n in ('a', 'b', 'c') if n in globals()}, "
    "hashlib.sha256(blob).hexdigest(), handle is not None, files())"
)

#: Changes the model, notes in `said` what the code will say, and answers the code.
Operation = Callable[[World, Memory, list[int]], str]


def assign(name: str, number: int) -> Operation:
    def operation(world: World, memory: Memory, said: list[int]) -> str:
        memory.variables[name] = [number]
        return f"{name} = [{number}]"

    return operation


def append(name: str, number: int) -> Operation:
    def operation(world: World, memory: Memory, said: list[int]) -> str:
        memory.variables.setdefault(name, []).append(number)
        return f"globals().setdefault({name!r}, []).append({number})"

    return operation


def forget(name: str) -> Operation:
    def operation(world: World, memory: Memory, said: list[int]) -> str:
        memory.variables.pop(name, None)
        return f"globals().pop({name!r}, None)"

    return operation


def fill(number: int) -> Operation:
    """Many pages at once; 0 gives them back."""

    def operation(world: World, memory: Memory, said: list[int]) -> str:
        memory.blob = bytes([number]) * (number * 4096)
        return f"blob = bytes([{number}]) * ({number} * 4096)"

    return operation


def step() -> Operation:
    def operation(world: World, memory: Memory, said: list[int]) -> str:
        said.append(memory.upcoming**2)
        memory.upcoming += 1
        return "said.append(next(squares))"

    return operation


def write(path: str, number: int) -> Operation:
    def operation(world: World, memory: Memory, said: list[int]) -> str:
        world.inodes[world.create(path)] = f"{number}\n"
        return f"with open('/workspace/{path}', 'w') as file: print({number}, file=file)"

    return operation


def extend(path: str, number: int) -> Operation:
    def operation(world: World, memory: Memory, said: list[int]) -> str:
        world.inodes[world.create(path)] += f"{number}\n" * number
        return f"with open('/workspace/{path}', 'a') as file: file.write('{number}\\n' * {number})"

    return operation


def remove(path: str) -> Operation:
    def operation(world: World, memory: Memory, said: list[int]) -> str:
        if path not in world.names or world.held_by_others(path, memory):
            return "pass"
        del world.names[path]
        return f"os.remove('/workspace/{path}')"

    return operation


def rename(source: str, target: str) -> Operation:
    def operation(world: World, memory: Memory, said: list[int]) -> str:
        if source not in world.names or source == target or world.held_by_others(target, memory):
            return "pass"
        world.names[target] = world.names.pop(source)
        return f"os.replace('/workspace/{source}', '/workspace/{target}')"

    return operation


def hold(path: str) -> Operation:
    """Open a file and keep it; the one held before is closed, which writes what it held back."""

    def operation(world: World, memory: Memory, said: list[int]) -> str:
        world.flush(memory)
        memory.handle = world.create(path)
        return f"handle = handle and handle.close()\nhandle = open('/workspace/{path}', 'a')"

    return operation


def feed(number: int, flush: bool) -> Operation:
    def operation(world: World, memory: Memory, said: list[int]) -> str:
        if memory.handle is None or len(memory.pending) > BUFFER:
            return "pass"
        memory.pending += f"{number},"
        if flush:
            world.flush(memory)
        return f"handle.write('{number},')" + ("; handle.flush()" if flush else "")

    return operation


def go(folder: str) -> Operation:
    """Change the working directory, which no other operation may depend on."""

    def operation(world: World, memory: Memory, said: list[int]) -> str:
        return f"os.chdir('/workspace/{folder}')"

    return operation


def program(world: World, memory: Memory, operations: list[Operation]) -> tuple[str, list[int]]:
    """The operations as code, done to the model; and what the code will have said."""
    said: list[int] = []
    lines = [operation(world, memory, said) for operation in operations]
    return "\n".join(["said = []", *lines]), said
