/**
 * The `buffer` module: the package's Buffer, with what Node has and it lacks (base64url, newer functions),
 * and with UTF-8 by the engine instead of byte by byte.
 */
import * as packaged from "buffer";
import { codedError, invalidArgType, outOfRange } from "./errors.js";
import { customInspect } from "./inspect.js";
import * as base64 from "./base64.js";
import * as utf8 from "./utf8.js";

export const { Buffer, SlowBuffer } = packaged;
const MAX_LENGTH = packaged.kMaxLength;
const MAX_STRING_LENGTH = 2 ** 29 - 24;
/** How many bytes of a Buffer are shown. */
const SHOWN = 50;

const original = {
  isEncoding: Buffer.isEncoding,
  from: Buffer.from,
  byteLength: Buffer.byteLength,
  alloc: Buffer.alloc,
  toString: Buffer.prototype.toString,
  write: Buffer.prototype.write,
  fill: Buffer.prototype.fill,
  indexOf: Buffer.prototype.indexOf,
};
const indexOfByte = Uint8Array.prototype.indexOf;
const isUtf8Name = (encoding) => encoding === undefined || encoding === null || /^utf-?8$/i.test(encoding);
const isUrlSafe = (encoding) => typeof encoding === "string" && encoding.toLowerCase() === "base64url";

const LATIN1 = /^(?:latin1|binary)$/i;

/** A Buffer over the same memory. */
export const view = (bytes) => {
  Object.setPrototypeOf(bytes, Buffer.prototype);
  return bytes;
};

function fromText(text, encoding) {
  if (isUtf8Name(encoding)) return view(utf8.encode(text));
  if (isUrlSafe(encoding) || /^base64$/i.test(encoding)) return view(base64.decodeLenient(text));
  if (/^hex$/i.test(encoding)) return view(base64.decodeHex(text));
  if (LATIN1.test(encoding)) return view(base64.encodeLatin1(text));
  return original.from(text, encoding);
}

/** Own functions where the package's would not do. */
function replace(target, members) {
  for (const name of Reflect.ownKeys(members)) {
    Object.defineProperty(target, name, {
      value: members[name],
      writable: true,
      configurable: true,
      enumerable: typeof name === "string",
    });
  }
}

replace(Buffer, {
  isEncoding: (encoding) => original.isEncoding(encoding) || isUrlSafe(encoding),
  from(value, encodingOrOffset, length) {
    if (typeof value === "string") return fromText(value, encodingOrOffset);
    if (value === null || value === undefined || typeof value === "number" || typeof value === "boolean") {
      const expected = ["string", "Buffer", "ArrayBuffer", "Array", "Array-like Object"];
      throw fromError(value, expected);
    }
    return original.from(value, encodingOrOffset, length);
  },
  byteLength(value, encoding) {
    if (typeof value !== "string") {
      if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
      throw invalidArgType("string", ["string", "Buffer", "ArrayBuffer"], value);
    }
    if (isUtf8Name(encoding)) return utf8.encode(value).length;
    if (isUrlSafe(encoding)) return Math.floor((value.length * 3) / 4);
    return original.byteLength(value, encoding);
  },
  alloc: (size, fill, encoding) => {
    checkSize(size);
    const buffer = original.alloc(size);
    return fill === undefined || fill === 0 || size === 0 ? buffer : buffer.fill(fill, encoding);
  },
  copyBytesFrom(source, offset = 0, length = source.length - offset) {
    const part = source.subarray(offset, offset + length);
    return original.from(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  },
  of: (...items) => original.from(items),
});

function checkSize(size) {
  if (typeof size !== "number") throw invalidArgType("size", "number", size);
  if (!(size >= 0 && size <= MAX_LENGTH)) throw outOfRange("size", `>= 0 && <= ${MAX_LENGTH}`, size);
}

function fromError(value, expected) {
  const error = invalidArgType("first argument", expected, value);
  error.message = error.message.replace(
    /must be .*?\. Received/s,
    "must be of type string or an instance of Buffer, ArrayBuffer, or Array " +
      "or an Array-like Object. Received",
  );
  error.stack = `${error.name} [${error.code}]: ${error.message}`;
  return error;
}

/** Whether a search goes forward for whole bytes, which the engine itself can help with. */
const isSimpleSearch = (value, encoding, from) =>
  (typeof value === "string" || value instanceof Uint8Array) &&
  value.length > 0 &&
  from >= 0 &&
  !/^(?:ucs-?2|utf-?16le)$/i.test(encoding ?? "");

/** The engine finds the first byte; the rest is compared here. */
function find(bytes, wanted, from) {
  for (
    let at = indexOfByte.call(bytes, wanted[0], from);
    at >= 0;
    at = indexOfByte.call(bytes, wanted[0], at + 1)
  ) {
    let same = 1;
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++;
    if (same === wanted.length) return at;
  }
  return -1;
}

replace(Buffer.prototype, {
  toString(encoding, start = 0, end = this.length) {
    const from = Math.max(0, start | 0);
    const to = Math.min(this.length, end === undefined ? this.length : end | 0);
    if (from >= to) return "";
    if (isUtf8Name(encoding)) return utf8.decode(this, from, to);
    if (isUrlSafe(encoding)) return base64.encode(this.subarray(from, to), true);
    if (/^base64$/i.test(encoding)) return base64.encode(this.subarray(from, to));
    if (/^hex$/i.test(encoding)) return base64.encodeHex(this.subarray(from, to));
    if (LATIN1.test(encoding)) return base64.decodeLatin1(this.subarray(from, to));
    if (!Buffer.isEncoding(encoding))
      throw codedError(TypeError, "ERR_UNKNOWN_ENCODING", `Unknown encoding: ${encoding}`);
    return original.toString.call(this, encoding, from, to);
  },
  indexOf(value, from = 0, encoding = undefined) {
    if (typeof from === "string") return this.indexOf(value, 0, from);
    if (value.length === 0) return Math.min(Math.max(0, from), this.length);
    if (typeof value === "number" || !isSimpleSearch(value, encoding, from)) {
      return original.indexOf.call(this, value, from, encoding);
    }
    return find(this, typeof value === "string" ? Buffer.from(value, encoding) : value, from);
  },
  write(text, offset, length, encoding) {
    const named = [offset, length, encoding].find((one) => typeof one === "string");
    if (!isUrlSafe(named)) return original.write.call(this, text, offset, length, encoding);
    const bytes = base64.decodeLenient(text);
    const at = typeof offset === "number" ? offset : 0;
    const room = Math.min(bytes.length, this.length - at, typeof length === "number" ? length : Infinity);
    this.set(bytes.subarray(0, room), at);
    return room;
  },
  [customInspect](depth, options, inspect) {
    const shown = original.toString.call(this.subarray(0, SHOWN), "hex");
    let hex = shown.replace(/(..)(?=.)/g, "$1 ");
    const more = this.length - SHOWN;
    if (more > 0) hex += ` ... ${more} more byte${more > 1 ? "s" : ""}`;
    const names = Object.keys(this).filter((key) => !/^\d+$/.test(key));
    const extra = names.map((name) => `, ${name}: ${inspect(this[name], options)}`).join("");
    return `<${this.constructor.name} ${hex}${hex === "" ? extra.slice(2) : extra}>`;
  },
});
for (const encoding of ["utf8", "base64url", "base64", "hex", "latin1", "ascii", "ucs2"]) {
  replace(Buffer.prototype, {
    [`${encoding}Slice`](start, end) {
      return this.toString(encoding, start, end);
    },
  });
}
for (const size of ["8", "16LE", "16BE", "32LE", "32BE"]) {
  for (const verb of ["read", "write"]) {
    Buffer.prototype[`${verb}Uint${size}`] ??= Buffer.prototype[`${verb}UInt${size}`];
  }
}
delete Buffer.prototype.inspect;
delete Buffer.TYPED_ARRAY_SUPPORT;
Buffer.poolSize = 8192;

const bytesOf = (value) =>
  ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);

export function isAscii(value) {
  return bytesOf(value).every((byte) => byte < 0x80);
}

export const isUtf8 = (value) => utf8.isValid(bytesOf(value));

export function transcode(source, from, to) {
  return Buffer.from(Buffer.from(bytesOf(source)).toString(from), to);
}

export const constants = { MAX_LENGTH, MAX_STRING_LENGTH };
export const module = {
  Buffer,
  SlowBuffer,
  constants,
  kMaxLength: MAX_LENGTH,
  kStringMaxLength: MAX_STRING_LENGTH,
  INSPECT_MAX_BYTES: SHOWN,
  isAscii,
  isUtf8,
  transcode,
  atob: base64.atob,
  btoa: base64.btoa,
};
