"""A real guest for the tests: a small module of ours whose exports pass on to the functions of preview1."""

import struct
from dataclasses import dataclass
from functools import cache

import wasmtime

from torpor.wasi.abi import FUNCTIONS, MODULE, Errno, Rights
from torpor.wasi.preview1 import Preview1
from torpor.wasm.instance import Instance, InstanceLimits
from torpor.wasm.runtime import wasm_engine

WASM_TYPES = {"i": "i32", "I": "i64"}
PAGES = 2
MEMORY = PAGES * 65536
#: Where the helpers put things in the guest's memory.
RESULT, IOVEC, PATH, PATH2, DATA = 16, 64, 1024, 8192, 16384
ALL = Rights.ALL
FOLLOW = 1


def forwarder_wat() -> str:
    """A module that imports every function of preview1 and exports one that calls it."""
    imports, functions = [], []
    for name, (params, result) in FUNCTIONS.items():
        signature = "".join(f" (param {WASM_TYPES[letter]})" for letter in params)
        signature += f" (result {WASM_TYPES[result]})" if result else ""
        arguments = " ".join(f"(local.get {index})" for index in range(len(params)))
        imports.append(f'(import "{MODULE}" "{name}" (func ${name}{signature}))')
        functions.append(f'(func (export "{name}"){signature} (call ${name} {arguments}))')
    return f'(module {" ".join(imports)} (memory (export "memory") {PAGES}) {" ".join(functions)})'


@cache
def forwarder() -> wasmtime.Module:
    return compile_wat(forwarder_wat())


def compile_wat(wat: str) -> wasmtime.Module:
    return wasm_engine().compile(wasmtime.wat2wasm(wat))


@dataclass
class Stat:
    dev: int
    ino: int
    filetype: int
    nlink: int
    size: int
    atim: int
    mtim: int
    ctim: int


class Failed(Exception):  # noqa: N818
    """A call answered an errno."""

    def __init__(self, errno: int) -> None:
        names = [name for name, value in vars(Errno).items() if value == errno]
        super().__init__(f"{names[0] if names else errno}")
        self.errno = errno


class Guest:
    """Python's hands on a guest: each method is one call of preview1 made by Wasm code."""

    def __init__(self, wasi: Preview1) -> None:
        self.wasi = wasi
        self.instance = Instance(forwarder(), wasi.imports(), InstanceLimits(MEMORY))
        wasi.bind(self.instance.memory)

    def raw(self, name: str, *arguments: int) -> int:
        """The errno of a call."""
        return self.instance.call(name, *arguments)

    def call(self, name: str, *arguments: int) -> None:
        errno = self.raw(name, *arguments)
        if errno:
            raise Failed(errno)

    def put(self, address: int, data: bytes) -> None:
        self.instance.write(address, data)

    def get(self, address: int, length: int) -> bytes:
        return self.instance.read(address, length)

    def u32(self, address: int = RESULT) -> int:
        return struct.unpack("<I", self.get(address, 4))[0]

    def u64(self, address: int = RESULT) -> int:
        return struct.unpack("<Q", self.get(address, 8))[0]

    def path(self, text: str | bytes, at: int = PATH) -> tuple[int, int]:
        data = text.encode() if isinstance(text, str) else text
        self.put(at, data)
        return at, len(data)

    def open(self, path, flags=0, *, fd=3, rights=ALL, fd_flags=0, follow=True) -> int:
        self.call("path_open", fd, int(follow), *self.path(path), flags, rights, ALL, fd_flags, RESULT)
        return self.u32()

    def create(self, path: str, data: bytes = b"", *, fd: int = 3) -> int:
        opened = self.open(path, 1, fd=fd)
        if data:
            self.write(opened, data)
        return opened

    def open_dir(self, path: str, *, fd: int = 3) -> int:
        return self.open(path, 2, fd=fd, rights=ALL & ~Rights.FD_WRITE)

    def close(self, fd: int) -> None:
        self.call("fd_close", fd)

    def write(self, fd: int, data: bytes) -> int:
        self.put(DATA, data)
        self.put(IOVEC, struct.pack("<II", DATA, len(data)))
        self.call("fd_write", fd, IOVEC, 1, RESULT)
        return self.u32()

    def read(self, fd: int, size: int = 1000) -> bytes:
        self.put(IOVEC, struct.pack("<II", DATA, size))
        self.call("fd_read", fd, IOVEC, 1, RESULT)
        return self.get(DATA, self.u32())

    def seek(self, fd: int, offset: int, whence: int = 0) -> int:
        self.call("fd_seek", fd, offset, whence, RESULT)
        return self.u64()

    def stat(self, path: str, *, fd: int = 3, follow: bool = True) -> Stat:
        self.call("path_filestat_get", fd, int(follow), *self.path(path), DATA)
        return self._stat()

    def fstat(self, fd: int) -> Stat:
        self.call("fd_filestat_get", fd, DATA)
        return self._stat()

    def _stat(self) -> Stat:
        return Stat(*struct.unpack("<QQB7xQQQQQ", self.get(DATA, 64)))

    def mkdir(self, path: str, *, fd: int = 3) -> None:
        self.call("path_create_directory", fd, *self.path(path))

    def rmdir(self, path: str) -> None:
        self.call("path_remove_directory", 3, *self.path(path))

    def unlink(self, path: str) -> None:
        self.call("path_unlink_file", 3, *self.path(path))

    def rename(self, old: str, new: str, *, new_fd: int = 3) -> None:
        self.call("path_rename", 3, *self.path(old), new_fd, *self.path(new, PATH2))

    def link(self, old: str, new: str) -> None:
        self.call("path_link", 3, 0, *self.path(old), 3, *self.path(new, PATH2))

    def symlink(self, target: str, path: str) -> None:
        self.call("path_symlink", *self.path(target), 3, *self.path(path, PATH2))

    def readlink(self, path: str, size: int = 1000) -> str:
        self.call("path_readlink", 3, *self.path(path), DATA, size, RESULT)
        return self.get(DATA, self.u32()).decode()

    def entries(self, fd: int, buffer: int = 4096, cookie: int = 0) -> list[tuple[int, str]]:
        """One fd_readdir: (next cookie, name) of every whole entry."""
        self.call("fd_readdir", fd, DATA, buffer, cookie, RESULT)
        data = self.get(DATA, self.u32())
        found = []
        while len(data) >= 24:
            following, _, length, _ = struct.unpack_from("<QQIB", data)
            if len(data) < 24 + length:
                break
            found.append((following, data[24 : 24 + length].decode()))
            data = data[24 + length :]
        return found

    def list(self, fd: int, buffer: int = 4096) -> list[str]:
        """All names, read as a libc reads them."""
        names, cookie = [], 0
        while rows := self.entries(fd, buffer, cookie):
            names += [name for _, name in rows]
            cookie = rows[-1][0]
        return [name for name in names if name not in (".", "..")]
