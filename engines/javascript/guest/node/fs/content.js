/** Opening, reading and writing: by descriptor, and whole files at once. */
import { Buffer } from "../buffer.js";
import { checkInteger, invalidArgType, outOfRange } from "../errors.js";
import { native } from "../native.js";
import {
  absolute,
  attempt,
  bytesOf,
  decoded,
  descriptor,
  modeOf,
  openFlags,
  optionsOf,
  pathText,
} from "./arguments.js";
import { makeStats } from "./stats.js";

const CHUNK = 65536;
/** "Where the descriptor stands" in the calls of the C half. */
const HERE = -1;
/** Place of the size in what `native.fstat` gives. */
const SIZE = 4;

export function openSync(path, flags = "r", mode = undefined) {
  const text = pathText(path);
  const number = openFlags(flags);
  return attempt("open", () => native.open(absolute(text), number, modeOf(mode)), text);
}

export function closeSync(fd) {
  attempt("close", () => native.close(descriptor(fd)));
}

const positionOf = (position) =>
  position === null || position === undefined || position < 0 ? HERE : Number(position);

function rangeOf(buffer, offset, length) {
  const view = bytesOf(buffer, undefined, "buffer");
  checkInteger(offset, "offset", 0);
  checkInteger(length, "length", 0);
  if (offset > view.length) throw outOfRange("offset", `<= ${view.length}`, offset);
  if (length > view.length - offset) throw outOfRange("length", `<= ${view.length - offset}`, length);
  return view;
}

export function readSync(fd, buffer, offsetOrOptions = undefined, length = undefined, position = undefined) {
  descriptor(fd);
  if (!ArrayBuffer.isView(buffer))
    throw invalidArgType("buffer", ["Buffer", "TypedArray", "DataView"], buffer);
  const named = typeof offsetOrOptions === "object" && offsetOrOptions !== null;
  const given = named ? offsetOrOptions : { offset: offsetOrOptions, length, position };
  const offset = given.offset ?? 0;
  const count = given.length ?? buffer.byteLength - offset;
  const view = rangeOf(buffer, offset, count);
  return attempt("read", () => native.read(fd, view, offset, count, positionOf(given.position)));
}

function writeBytes(fd, bytes, position) {
  if (position !== HERE) return native.pwrite(fd, bytes, 0, bytes.length, position);
  return native.write(fd, bytes);
}

export function writeSync(fd, data, offsetOrOptions = undefined, length = undefined, position = undefined) {
  descriptor(fd);
  if (typeof data === "string") {
    // Here the arguments are position and encoding.
    const bytes = bytesOf(data, typeof length === "string" ? length : "utf8");
    return attempt("write", () => writeBytes(fd, bytes, positionOf(offsetOrOptions)));
  }
  const named = typeof offsetOrOptions === "object" && offsetOrOptions !== null;
  const given = named ? offsetOrOptions : { offset: offsetOrOptions, length, position };
  bytesOf(data, undefined, "buffer");
  const offset = given.offset ?? 0;
  const count = given.length ?? data.byteLength - offset;
  const view = rangeOf(data, offset, count);
  return attempt("write", () =>
    writeBytes(fd, view.subarray(offset, offset + count), positionOf(given.position)),
  );
}

const total = (buffers) => buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0);

export function readvSync(fd, buffers, position = null) {
  let at = position;
  let done = 0;
  for (const buffer of buffers) {
    const count = readSync(fd, buffer, 0, buffer.byteLength, at);
    done += count;
    if (typeof at === "number") at += count;
    if (count < buffer.byteLength) break;
  }
  return done;
}

export function writevSync(fd, buffers, position = null) {
  let at = position;
  for (const buffer of buffers) {
    writeSync(fd, buffer, 0, buffer.byteLength, at);
    if (typeof at === "number") at += buffer.byteLength;
  }
  return total(buffers);
}

/** All that is left to read. The size is a guess: what is read may grow, and streams have none. */
function readAll(fd, size) {
  let buffer = Buffer.alloc(size > 0 ? size + 1 : CHUNK);
  let filled = 0;
  for (;;) {
    if (filled === buffer.length) {
      const larger = Buffer.alloc(buffer.length * 2);
      larger.set(buffer);
      buffer = larger;
    }
    const count = native.read(fd, buffer, filled, buffer.length - filled, HERE);
    if (count === 0) return buffer.subarray(0, filled);
    filled += count;
  }
}

/** Opens if it is not a descriptor already; closes what it opened. */
function withDescriptor(file, flags, mode, use) {
  if (typeof file === "number") return use(descriptor(file));
  const fd = openSync(file, flags, mode);
  try {
    return use(fd);
  } finally {
    native.close(fd);
  }
}

export function readFileSync(path, options = undefined) {
  const { encoding, flag } = optionsOf(options, { flag: "r" });
  return withDescriptor(path, flag, undefined, (fd) => {
    const bytes = attempt("read", () => readAll(fd, fd === 0 ? 0 : native.fstat(fd)[SIZE]));
    return decoded(bytes, encoding);
  });
}

export function writeFileSync(path, data, options = undefined) {
  const { encoding, mode, flag, flush } = optionsOf(options, { encoding: "utf8", flag: "w" });
  const bytes = bytesOf(data, encoding);
  withDescriptor(path, flag, mode, (fd) => {
    attempt("write", () => native.write(fd, bytes));
    if (flush) native.fsync(fd);
  });
}

export function appendFileSync(path, data, options = undefined) {
  writeFileSync(path, data, { flag: "a", ...optionsOf(options) });
}

export function ftruncateSync(fd, length = 0) {
  checkInteger(length ?? 0, "len");
  attempt("ftruncate", () => native.ftruncate(descriptor(fd), Math.max(0, length ?? 0)));
}

export function truncateSync(path, length = 0) {
  withDescriptor(path, "r+", undefined, (fd) => ftruncateSync(fd, length));
}

export function fsyncSync(fd) {
  attempt("fsync", () => native.fsync(descriptor(fd)));
}

export function fdatasyncSync(fd) {
  attempt("fdatasync", () => native.fsync(descriptor(fd)));
}

export function fstatSync(fd, { bigint = false } = {}) {
  return makeStats(
    attempt("fstat", () => native.fstat(descriptor(fd))),
    bigint,
  );
}
