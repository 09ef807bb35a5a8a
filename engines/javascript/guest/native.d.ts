/**
 * What the C shim offers to the JavaScript half of the engine: the only door out of the interpreter.
 *
 * Each realm is handed an object of its own once, at boot; user code never sees it. File calls are thin:
 * wasi-libc's, with Linux's numbers (errors, flags) and already resolved, absolute paths. One that fails throws
 * what the library's `systemError(errno, syscall, path, destination)` returns.
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
  /** Internal class name ("Date", "RegExp", "Boolean", "Map Iterator", ...), whatever the prototype claims; "" of a primitive. */
  className(value: unknown): string;
  /** An object's own keys without array indices, of which a long array has a million. */
  ownNames(value: object, onlyEnumerable: boolean): (string | symbol)[];
  /** Indirect eval of a global script in the realm of this object; `name` appears in stack traces. */
  evaluate(code: string, name: string): unknown;
  /** Bytes: used heap, its limit, and the linear memory's size. */
  memory(): { used: number; limit: number; total: number };
  /** [function name, file, line, column] of each frame of the caller, innermost first. */
  callSites(): [string, string, number, number][];
  /** Ends the execution with a status, 0 to 255: no catch and no finally runs any more. */
  exit(status: number): never;

  // Text --------------------------------------------------------------------------------------------
  /** UTF-8 of a text. A lone surrogate gives the three bytes that are no UTF-8. */
  encodeUtf8(text: string): Uint8Array;
  decodeUtf8(bytes: Uint8Array, start: number, end: number): string;
  /** How many bytes `encodeUtf8` would give. */
  utf8Size(text: string): number;
}

/** What the harness's realm has besides; see shim/harness.c. */
export interface HarnessNative extends Native {
  request(): string;
  reply(frames: string): void;
  /** Compiles a cell for the user's realm; gives what is wrong with it. */
  compile(code: string, name: string): unknown;
  /** Runs what was compiled as far as its first await: a promise of `{ value }`. */
  run(): object;
  /** The object whose properties are the cells' let, const and class. */
  lexicalNames(): object;
  /** The stack that was recorded with an Error, without calling anything. */
  stack(error: unknown): unknown;
  /** [promise of its evaluation, namespace] of a module by its resolved name. */
  runModule(name: string): [object, object];
  /** Whether JSON can tell all of a value of the user's realm. */
  isJson(value: unknown): boolean;
  /** Zeroes free memory. */
  tidy(): void;
}

/** What guest/main.js returns, and the harness works with. */
export interface Realm {
  library: Library;
  systemError: Library["systemError"];
  global: object;
  /** An Error of the user's realm. */
  makeError(kind: "Error" | "SyntaxError" | "TypeError" | "RangeError", message: string, code?: string): Error;
  /** By `typeof`, for completion. */
  prototypes: Record<string, object>;
  /** Installs `require`, `display` and `_` over the harness's functions. */
  connect(harness: Record<string, (...args: never[]) => unknown>): object;
}

/** What guest/node/main.js returns. */
export interface Library {
  inspect(value: unknown, options?: object): string;
  /** Built-in modules by name without "node:". */
  modules: Record<string, () => unknown>;
  /** The Error of a module that Node has and the sandbox has not. */
  missing?(name: string): Error | undefined;
  timers: {
    /** Milliseconds until the next timer or immediate is due (0: now); -1 when none counts. */
    next(): number;
    /** Runs one that is due. What it throws goes through. */
    run(): void;
    /** Drops all. */
    clear(): void;
  };
  /** Runs process.nextTick's queue; whether there was anything. */
  ticks(): boolean;
  /** Replaces process.env wholly. */
  setEnvironment(env: Record<string, string>): void;
  directory: { get(): string; set(path: string): void };
  /** The Error for a failed file call: Node's shape (`code`, `errno`, `syscall`, `path`, `dest`, message). */
  systemError(errno: number, syscall: string, path?: string, destination?: string): Error;
  /** Whether a listener of process took it. */
  uncaught?(error: unknown, origin: "uncaughtException" | "unhandledRejection", promise?: object): boolean;
  beginExecution?(): void;
  /** Listeners of `exit`. */
  ending(status: number): void;
  /** process.exitCode, which is reset; undefined when it was not set. */
  exitCode(): number | undefined;
}
