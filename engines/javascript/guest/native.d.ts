/**
 * What the C shim offers to the JavaScript half of the engine: the only door out of the interpreter.
 *
 * `native` is handed to the bundle's entry function once, at boot, and is never reachable by user code.
 * File calls are thin: wasi-libc's, with POSIX numbers and already resolved, absolute paths. One that fails
 * throws what `hooks.systemError(errno, syscall, path, destination)` returns.
 */
export interface Native {
  // Streams and files -------------------------------------------------------------------------------
  /** Writes all of it to a descriptor, at its position. Gives the number of bytes. */
  write(fd: number, data: string | Uint8Array): number;
  open(path: string, flags: number, mode: number): number;
  close(fd: number): void;
  /** `position` -1: where the descriptor stands. Gives the number of bytes, 0 at the end. */
  read(fd: number, into: Uint8Array, offset: number, length: number, position: number): number;
  pwrite(fd: number, from: Uint8Array, offset: number, length: number, position: number): number;
  /** [dev, ino, mode, nlink, size, atimeMs, mtimeMs, ctimeMs] */
  stat(path: string): number[];
  lstat(path: string): number[];
  fstat(fd: number): number[];
  truncate(path: string, length: number): void;
  ftruncate(fd: number, length: number): void;
  utimes(path: string, atimeMs: number, mtimeMs: number): void;
  futimes(fd: number, atimeMs: number, mtimeMs: number): void;
  fsync(fd: number): void;
  mkdir(path: string, mode: number): void;
  rmdir(path: string): void;
  unlink(path: string): void;
  rename(from: string, to: string): void;
  link(existing: string, created: string): void;
  symlink(target: string, created: string): void;
  readlink(path: string): string;
  /** Names without "." and "..", each with its d_type letter: "f", "d", "l" or "?". */
  readdir(path: string): [name: string, type: string][];

  // Clock and randomness ----------------------------------------------------------------------------
  /** Monotonic nanoseconds; go on across restores. */
  monotonic(): bigint;
  /** Fills an array from the host's entropy (any length). */
  random(into: Uint8Array): void;
  /** Seeds Math.random with 64 bits. */
  seed(bits: bigint): void;

  // The engine itself -------------------------------------------------------------------------------
  /** [0 pending | 1 fulfilled | 2 rejected, value] of a promise; undefined for anything else. */
  promise(value: unknown): [number, unknown] | undefined;
  /** [target, handler] of a proxy (null, null when revoked); undefined for anything else. */
  proxy(value: unknown): [object | null, object | null] | undefined;
  /** The remaining values of a Map or Set iterator without advancing it; undefined for anything else. */
  iterator(value: unknown): { kind: "keys" | "values" | "entries"; items: unknown[] } | undefined;
  /** Internal class name ("Date", "RegExp", "Boolean", "Map Iterator", ...), whatever the prototype claims. */
  className(value: unknown): string;
  /** Indirect eval of a global script; `name` appears in stack traces. */
  evaluate(code: string, name: string): unknown;
  /** Bytes: used heap, its limit, and the linear memory's size. */
  memory(): { used: number; limit: number; total: number };
  /** [function name, file, line, column] of each frame of the caller, innermost first. */
  callSites(): [string, string, number, number][];
}

/** What the bundle gives back to the shim. Each is called with interrupts counted, as user code is. */
export interface Hooks {
  /** The Error for a failed file call: Node's shape (`code`, `errno`, `syscall`, `path`, `dest`, message). */
  systemError(errno: number, syscall: string, path?: string, destination?: string): Error;
  /** Serve the request on the device as far as user code does not run: see shim and harness. */
  [name: string]: (...args: never[]) => unknown;
}
