/** What file calls are given: paths, descriptors, flags, encodings, data; checked as Node checks them. */
import { Buffer } from "../buffer.js";
import { checkInteger, codedError, invalidArgType, invalidArgValue, systemError } from "../errors.js";
import { path } from "../path.js";
import { getCwd } from "../process.js";
import { fileURLToPath, URL } from "../web/url.js";
import { constants } from "./constants.js";

const HIGHEST_DESCRIPTOR = 2 ** 31 - 1;
const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_SYNC, O_TRUNC, O_WRONLY } = constants;

/** The text of a path as the user gave it, which is what errors name. */
export function pathText(given, name = "path") {
  let text = given;
  if (given instanceof URL || (typeof given === "object" && given?.href && given?.protocol))
    text = fileURLToPath(given);
  else if (given instanceof Uint8Array) text = Buffer.from(given).toString();
  if (typeof text !== "string") throw invalidArgType(name, ["string", "Buffer", "URL"], given);
  if (text.includes("\0"))
    throw invalidArgValue(name, given, "must be a string, Uint8Array, or URL without null bytes");
  return text;
}

/** Where that is. An empty path is nowhere, not here. */
export const absolute = (text) => (text === "" ? "" : path.resolve(getCwd(), text));

/** Does a file call; what fails is told with the path as it was given, and with Node's name of the call. */
export function attempt(syscall, operation, text = undefined, destination = undefined) {
  try {
    return operation();
  } catch (error) {
    if (typeof error?.errno !== "number") throw error;
    throw systemError(-error.errno, syscall, text, destination);
  }
}

export function descriptor(fd) {
  checkInteger(fd, "fd", 0, HIGHEST_DESCRIPTOR);
  return fd;
}

const FLAGS = {
  __proto__: null,
  r: O_RDONLY,
  rs: O_RDONLY | O_SYNC,
  sr: O_RDONLY | O_SYNC,
  "r+": O_RDWR,
  "rs+": O_RDWR | O_SYNC,
  "sr+": O_RDWR | O_SYNC,
  w: O_TRUNC | O_CREAT | O_WRONLY,
  wx: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  xw: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  "w+": O_TRUNC | O_CREAT | O_RDWR,
  "wx+": O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  "xw+": O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  a: O_APPEND | O_CREAT | O_WRONLY,
  ax: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  xa: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  as: O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  sa: O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  "a+": O_APPEND | O_CREAT | O_RDWR,
  "ax+": O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  "xa+": O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  "as+": O_APPEND | O_CREAT | O_RDWR | O_SYNC,
  "sa+": O_APPEND | O_CREAT | O_RDWR | O_SYNC,
};

export function openFlags(flags = "r") {
  if (flags === null) return O_RDONLY;
  if (typeof flags === "number") return flags;
  const number = FLAGS[flags];
  if (number === undefined) throw invalidArgValue("flags", flags);
  return number;
}

const DEFAULT_MODE = 0o666;

export function modeOf(mode, otherwise = DEFAULT_MODE) {
  if (mode === undefined || mode === null) return otherwise;
  if (typeof mode === "string" && /^[0-7]+$/.test(mode)) return Number.parseInt(mode, 8);
  if (typeof mode !== "number")
    throw invalidArgValue("mode", mode, "must be a 32-bit unsigned integer or an octal string");
  return mode;
}

/** Options that may be just the name of an encoding. */
export function optionsOf(given, defaults = {}) {
  if (given === undefined || given === null || typeof given === "function") return { ...defaults };
  const options = typeof given === "string" ? { encoding: given } : given;
  if (typeof options !== "object") throw invalidArgType("options", ["string", "Object"], given);
  checkEncoding(options.encoding);
  return { ...defaults, ...options };
}

export function checkEncoding(encoding) {
  if (!encoding || encoding === "buffer" || Buffer.isEncoding(encoding)) return;
  throw invalidArgValue("encoding", encoding, "is invalid encoding");
}

/** Data to be written, as bytes. */
export function bytesOf(data, encoding = "utf8", name = "data") {
  if (typeof data === "string") return Buffer.from(data, encoding ?? "utf8");
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw invalidArgType(name, ["string", "Buffer", "TypedArray", "DataView"], data);
}

/** Text or bytes, as the encoding wants them. */
export const decoded = (bytes, encoding) =>
  encoding && encoding !== "buffer" ? bytes.toString(encoding) : bytes;

/** Milliseconds of a time: a number of seconds, text of one, or a Date. */
export function milliseconds(time, name) {
  if (time instanceof Date) return time.getTime();
  const seconds = typeof time === "string" ? Number(time) : time;
  if (typeof seconds !== "number" || Number.isNaN(seconds))
    throw invalidArgType(name, ["Date", "Time in seconds"], time);
  return seconds * 1000;
}

export function callbackOf(given) {
  const callback = given.at(-1);
  if (typeof callback !== "function") throw invalidArgType("cb", "Function", undefined);
  return callback;
}

export const isUsageError = (error) => typeof error?.code === "string" && error.code.startsWith("ERR_");

/** The error of the two calls that find out themselves what is wrong: `rm` and `cp`. */
export function describedError(code, message, syscall, errno, reason, where) {
  const error = codedError(Error, code, `${message}: ${syscall} returned ${reason} ${where}`);
  error.name = "SystemError";
  error.stack = error.stack.replace(/^Error/, "SystemError");
  return Object.assign(error, { errno, syscall, path: where });
}
