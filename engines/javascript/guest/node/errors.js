/**
 * Node's errors: the same classes, codes and sentences, because people (and their `catch` blocks) know them.
 * Failed file calls come here with Linux' error numbers, which Node's users expect.
 */
import { inspect } from "./inspect.js";

const captureStackTrace = Error.captureStackTrace;

/** Linux' number -> [name, libuv's sentence]. */
const SYSTEM = {
  __proto__: null,
  1: ["EPERM", "operation not permitted"],
  2: ["ENOENT", "no such file or directory"],
  4: ["EINTR", "interrupted system call"],
  5: ["EIO", "i/o error"],
  7: ["E2BIG", "argument list too long"],
  9: ["EBADF", "bad file descriptor"],
  11: ["EAGAIN", "resource temporarily unavailable"],
  12: ["ENOMEM", "not enough memory"],
  13: ["EACCES", "permission denied"],
  14: ["EFAULT", "bad address in system call argument"],
  16: ["EBUSY", "resource busy or locked"],
  17: ["EEXIST", "file already exists"],
  18: ["EXDEV", "cross-device link not permitted"],
  19: ["ENODEV", "no such device"],
  20: ["ENOTDIR", "not a directory"],
  21: ["EISDIR", "illegal operation on a directory"],
  22: ["EINVAL", "invalid argument"],
  23: ["ENFILE", "file table overflow"],
  24: ["EMFILE", "too many open files"],
  25: ["ENOTTY", "inappropriate ioctl for device"],
  27: ["EFBIG", "file too large"],
  28: ["ENOSPC", "no space left on device"],
  29: ["ESPIPE", "invalid seek"],
  30: ["EROFS", "read-only file system"],
  31: ["EMLINK", "too many links"],
  32: ["EPIPE", "broken pipe"],
  36: ["ENAMETOOLONG", "name too long"],
  38: ["ENOSYS", "function not implemented"],
  39: ["ENOTEMPTY", "directory not empty"],
  40: ["ELOOP", "too many symbolic links encountered"],
  75: ["EOVERFLOW", "value too large for defined data type"],
  95: ["ENOTSUP", "operation not supported on socket"],
  122: ["EDQUOT", "disk quota exceeded"],
};

export const ERRNO = { __proto__: null };
for (const [number, [name]] of Object.entries(SYSTEM)) ERRNO[name] = +number;

/** [negative number, [name, sentence]] of every error, as util.getSystemErrorMap has it. */
export const systemErrors = () => new Map(Object.entries(SYSTEM).map(([number, named]) => [-number, named]));

/** The Error for a failed file call: `ENOENT: no such file or directory, open 'x'`. */
export function systemError(errno, syscall, path, destination) {
  const known = SYSTEM[errno];
  const name = known ? known[0] : "UNKNOWN";
  let message = `${name}: ${known ? known[1] : `unknown error ${errno}`}, ${syscall}`;
  if (path !== undefined) message += ` '${path}'`;
  if (destination !== undefined) message += ` -> '${destination}'`;
  const error = new Error(message);
  error.errno = -errno;
  error.code = name;
  error.syscall = syscall;
  if (path !== undefined) error.path = path;
  if (destination !== undefined) error.dest = destination;
  return error;
}

/** By its name, for failures that the library itself finds. */
export const systemErrorOf = (name, syscall, path, destination) =>
  systemError(ERRNO[name], syscall, path, destination);

/** An error with a code, whose stack begins with `TypeError [ERR_...]: message` as Node's does. */
export function codedError(Base, code, message) {
  const error = new Base(message);
  captureStackTrace?.(error, codedError);
  const plain = `${error.name}: ${message}`;
  const head = `${error.name} [${code}]: ${message}`;
  let stack = typeof error.stack === "string" ? error.stack : "";
  if (stack.slice(0, plain.length) === plain) stack = stack.slice(plain.length);
  else if (stack !== "") stack = `\n${stack}`;
  Object.defineProperty(error, "stack", { value: head + stack, writable: true, configurable: true });
  error.code = code;
  return error;
}

function received(value) {
  if (value == null) return ` Received ${value}`;
  if (typeof value === "function") return ` Received function ${value.name}`;
  if (typeof value === "object") {
    if (value.constructor?.name) return ` Received an instance of ${value.constructor.name}`;
    return ` Received ${inspect(value, { depth: -1 })}`;
  }
  let shown = inspect(value, { colors: false });
  if (shown.length > 28) shown = `${shown.slice(0, 25)}...`;
  return ` Received type ${typeof value} (${shown})`;
}

const PRIMITIVES = [
  "string",
  "function",
  "number",
  "object",
  "Function",
  "Object",
  "boolean",
  "bigint",
  "symbol",
];
const listed = (names, last) =>
  names.length < 3 ? names.join(` ${last} `) : `${names.slice(0, -1).join(", ")}, ${last} ${names.at(-1)}`;

function expectedTypes(expected) {
  const names = [expected].flat();
  const types = names.filter((name) => PRIMITIVES.includes(name)).map((name) => name.toLowerCase());
  const classes = names.filter((name) => !PRIMITIVES.includes(name) && /^([A-Z][a-z0-9]*)+$/.test(name));
  const others = names.filter((name) => !PRIMITIVES.includes(name) && !classes.includes(name));
  const parts = [];
  if (types.length > 0) parts.push(`${types.length > 1 ? "one of type" : "of type"} ${listed(types, "or")}`);
  if (classes.length > 0) parts.push(`an instance of ${listed(classes, "or")}`);
  if (others.length > 0) parts.push(others.length > 1 ? `one of ${listed(others, "or")}` : others[0]);
  return parts.join(" or ");
}

export function invalidArgType(name, expected, actual) {
  const kind = name.includes(".") ? "property" : "argument";
  const subject = name.endsWith(" argument") ? `The ${name}` : `The "${name}" ${kind}`;
  const message = `${subject} must be ${expectedTypes(expected)}.${received(actual)}`;
  return codedError(TypeError, "ERR_INVALID_ARG_TYPE", message);
}

export function invalidArgValue(name, value, reason = "is invalid") {
  let shown = inspect(value);
  if (shown.length > 128) shown = `${shown.slice(0, 128)}...`;
  const kind = name.includes(".") ? "property" : "argument";
  return codedError(TypeError, "ERR_INVALID_ARG_VALUE", `The ${kind} '${name}' ${reason}. Received ${shown}`);
}

const grouped = (text) => text.replace(/\B(?=(\d{3})+(?!\d))/g, "_");

export function outOfRange(name, range, actual) {
  const big =
    (typeof actual === "bigint" || Number.isInteger(actual)) && (actual > 2 ** 32 || actual < -(2 ** 32));
  const shown = big ? grouped(String(actual)) + (typeof actual === "bigint" ? "n" : "") : inspect(actual);
  const message = `The value of "${name}" is out of range. It must be ${range}. Received ${shown}`;
  return codedError(RangeError, "ERR_OUT_OF_RANGE", message);
}

/** What asks for something that the sandbox cannot have. */
export function notAvailable(what, why) {
  return codedError(Error, "ERR_NOT_AVAILABLE_IN_SANDBOX", `${what}: ${why}`);
}

export function checkFunction(value, name) {
  if (typeof value !== "function") throw invalidArgType(name, "Function", value);
}

export function checkString(value, name) {
  if (typeof value !== "string") throw invalidArgType(name, "string", value);
}

export function checkInteger(value, name, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  if (typeof value !== "number") throw invalidArgType(name, "number", value);
  if (!Number.isInteger(value)) throw outOfRange(name, "an integer", value);
  if (value < min || value > max) throw outOfRange(name, `>= ${min} && <= ${max}`, value);
}
