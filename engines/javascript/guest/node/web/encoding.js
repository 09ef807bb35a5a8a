/** `TextEncoder` and `TextDecoder` for UTF-8, UTF-16 and Latin 1. */
import { codedError, invalidArgType } from "../errors.js";
import { customInspect, inspect } from "../inspect.js";
import { decodeLatin1, decodeUnits } from "../base64.js";
import * as utf8 from "../utf8.js";

const BOM = "\ufeff";

export class TextEncoder {
  get encoding() {
    return "utf-8";
  }
  encode(input = "") {
    return utf8.encode(`${input}`);
  }
  encodeInto(source, destination) {
    if (typeof source !== "string") throw invalidArgType("src", "string", source);
    let read = 0;
    let written = 0;
    const all = utf8.encode(source);
    if (all.length <= destination.length) {
      destination.set(all);
      return { read: source.length, written: all.length };
    }
    for (const character of source) {
      const code = character.codePointAt(0);
      const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
      if (written + size > destination.length) break;
      written += size;
      read += character.length;
    }
    destination.set(all.subarray(0, written));
    return { read, written };
  }
  [customInspect](depth, options) {
    return inspect({ encoding: "utf-8" }, options);
  }
}

/** The high half of windows-1252, which the Encoding Standard means by latin1. */
const WINDOWS_1252 =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

const LABELS = {
  __proto__: null,
  "unicode-1-1-utf-8": "utf-8",
  utf8: "utf-8",
  "utf-8": "utf-8",
  unicode11utf8: "utf-8",
  "x-unicode20utf8": "utf-8",
  "utf-16": "utf-16le",
  "utf-16le": "utf-16le",
  ucs2: "utf-16le",
  "ucs-2": "utf-16le",
  unicode: "utf-16le",
  csunicode: "utf-16le",
  "iso-10646-ucs-2": "utf-16le",
  unicodefeff: "utf-16le",
  "utf-16be": "utf-16be",
  unicodefffe: "utf-16be",
  latin1: "windows-1252",
  "iso-8859-1": "windows-1252",
  "iso8859-1": "windows-1252",
  l1: "windows-1252",
  ascii: "windows-1252",
  "us-ascii": "windows-1252",
  "windows-1252": "windows-1252",
  cp1252: "windows-1252",
  "x-cp1252": "windows-1252",
  cp819: "windows-1252",
  ibm819: "windows-1252",
};

function bytesOf(input) {
  if (input === undefined) return new Uint8Array(0);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  throw invalidArgType("list", ["ArrayBuffer", "ArrayBufferView"], input);
}

function decodeUtf16(bytes, swapped) {
  const units = new Uint16Array(bytes.length >> 1);
  const [high, low] = swapped ? [0, 1] : [1, 0];
  for (let i = 0; i < units.length; i++) units[i] = (bytes[2 * i + high] << 8) | bytes[2 * i + low];
  return decodeUnits(units);
}

/** How many bytes at the end wait for their rest: half a unit, or half a pair of surrogates. */
function unfinishedUtf16(bytes, swapped) {
  const odd = bytes.length % 2;
  const last = bytes.length - odd - 2;
  const high = last < 0 ? 0 : bytes[last + (swapped ? 0 : 1)];
  return odd + (last >= 0 && high >= 0xd8 && high <= 0xdb ? 2 : 0);
}

const CODECS = {
  "utf-8": {
    unfinished: (bytes) => utf8.unfinished(bytes, 0, bytes.length),
    isValid: (bytes) => utf8.isValid(bytes),
    decode: (bytes) => utf8.decode(bytes),
  },
  "utf-16le": utf16(false),
  "utf-16be": utf16(true),
  "windows-1252": {
    unfinished: () => 0,
    isValid: () => true,
    decode: (bytes) =>
      decodeLatin1(bytes).replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80]),
  },
};

function utf16(swapped) {
  return {
    unfinished: (bytes) => unfinishedUtf16(bytes, swapped),
    isValid: (bytes) => bytes.length % 2 === 0 && decodeUtf16(bytes, swapped).isWellFormed(),
    decode: (bytes) => decodeUtf16(bytes, swapped).toWellFormed() + (bytes.length % 2 ? "\ufffd" : ""),
  };
}

function joined(head, tail) {
  if (head.length === 0) return tail;
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

export class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBOM;
  #rest = new Uint8Array(0);
  #begun = false;

  constructor(label = "utf-8", options = {}) {
    const encoding = LABELS[`${label}`.trim().toLowerCase()];
    if (encoding === undefined) {
      throw codedError(RangeError, "ERR_ENCODING_NOT_SUPPORTED", `The "${label}" encoding is not supported`);
    }
    this.#encoding = encoding;
    this.#fatal = !!options?.fatal;
    this.#ignoreBOM = !!options?.ignoreBOM;
  }
  get encoding() {
    return this.#encoding;
  }
  get fatal() {
    return this.#fatal;
  }
  get ignoreBOM() {
    return this.#ignoreBOM;
  }

  decode(input, { stream = false } = {}) {
    const codec = CODECS[this.#encoding];
    let bytes = joined(this.#rest, bytesOf(input));
    const left = stream ? codec.unfinished(bytes) : 0;
    this.#rest = bytes.slice(bytes.length - left);
    bytes = bytes.subarray(0, bytes.length - left);
    const begun = this.#begun;
    this.#begun = stream && (begun || bytes.length > 0);
    if (this.#fatal && !codec.isValid(bytes)) {
      this.#rest = new Uint8Array(0);
      const message = `The encoded data was not valid for encoding ${this.#encoding}`;
      throw codedError(TypeError, "ERR_ENCODING_INVALID_ENCODED_DATA", message);
    }
    const text = codec.decode(bytes);
    return !begun && !this.#ignoreBOM && text.startsWith(BOM) ? text.slice(1) : text;
  }
  [customInspect](depth, options) {
    const { encoding, fatal, ignoreBOM } = this;
    return `TextDecoder ${inspect({ encoding, fatal, ignoreBOM }, options)}`;
  }
}
