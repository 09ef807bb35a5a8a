/**
 * Base64 in both alphabets, leniently as Buffer reads it and strictly as `atob` does, and hexadecimal digits.
 * Texts are made and read as bytes, with the engine's own conversion: a character at a time costs ten times as much.
 */
import { encode as encodeUtf8 } from "./utf8.js";
import { native } from "./native.js";

const { decodeUtf8 } = native;
const STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE = `${STANDARD.slice(0, -2)}-_`;
const PADDING = "=".charCodeAt(0);
/** Characters turned into a string at once: an argument list must fit the stack. */
const CHUNK = 4096;

const VALUES = new Int8Array(256).fill(-1);
for (let i = 0; i < STANDARD.length; i++) {
  VALUES[STANDARD.charCodeAt(i)] = i;
  VALUES[URL_SAFE.charCodeAt(i)] = i;
}
const codesOf = (alphabet) => Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
const CODES = codesOf(STANDARD);
const URL_CODES = codesOf(URL_SAFE);

/** The characters of two digits, as the two bytes of a little-endian 16-bit word: one store for both. */
function pairsOf(codes) {
  const size = codes.length;
  return Uint16Array.from(
    { length: size * size },
    (_, i) => codes[Math.floor(i / size)] | (codes[i % size] << 8),
  );
}
const PAIRS = pairsOf(CODES);
const URL_PAIRS = pairsOf(URL_CODES);
const HEX_PAIRS = pairsOf(codesOf("0123456789abcdef"));
const HEX_VALUES = new Int8Array(256).fill(-1);
for (let i = 0; i < 16; i++) {
  HEX_VALUES["0123456789abcdef".charCodeAt(i)] = i;
  HEX_VALUES["0123456789ABCDEF".charCodeAt(i)] = i;
}

/** ASCII bytes as text, by the engine's own conversion. */
const ascii = (bytes) => decodeUtf8(bytes, 0, bytes.length);

/** A string of bytes, each a character. What is ASCII is the same in UTF-8. */
export function decodeLatin1(bytes) {
  const text = ascii(bytes);
  if (text.length === bytes.length && !text.includes("\ufffd")) return text;
  const out = new Uint8Array(bytes.length * 2);
  let to = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte < 0x80) out[to++] = byte;
    else {
      out[to++] = 0xc0 | (byte >> 6);
      out[to++] = 0x80 | (byte & 0x3f);
    }
  }
  return ascii(out.subarray(0, to));
}

/** The lower bytes of a text's units. */
export function encodeLatin1(text) {
  const codes = encodeUtf8(text);
  if (codes.length === text.length) return codes;
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

/** A string of 16-bit units. */
export function decodeUnits(units) {
  const parts = [];
  for (let at = 0; at < units.length; at += CHUNK) {
    parts.push(Reflect.apply(String.fromCharCode, undefined, units.subarray(at, at + CHUNK)));
  }
  return parts.join("");
}

export function encode(bytes, urlSafe = false) {
  const pairs = urlSafe ? URL_PAIRS : PAIRS;
  const { length } = bytes;
  const out = new Uint16Array(Math.ceil(length / 3) * 2);
  let to = 0;
  for (let at = 0; at < length; at += 3) {
    const group = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
    out[to++] = pairs[group >> 12];
    out[to++] = pairs[group & 0xfff];
  }
  const text = new Uint8Array(out.buffer);
  const missing = (3 - (length % 3)) % 3;
  if (urlSafe) return ascii(text.subarray(0, text.length - missing));
  for (let i = 1; i <= missing; i++) text[text.length - i] = PADDING;
  return ascii(text);
}

/**
 * The bytes of all that is Base64 in a text, up to padding; all else is passed over, as Buffer does. Whole groups
 * of four characters are read at once, until one has something else in it.
 */
export function decodeLenient(text) {
  const codes = encodeUtf8(text);
  const out = new Uint8Array(Math.ceil((codes.length * 3) / 4));
  let to = 0;
  let bits = 0;
  let held = 0;
  let from = 0;
  for (; from + 4 <= codes.length; from += 4) {
    const group =
      (VALUES[codes[from]] << 18) |
      (VALUES[codes[from + 1]] << 12) |
      (VALUES[codes[from + 2]] << 6) |
      VALUES[codes[from + 3]];
    if (group < 0) break;
    out[to++] = group >> 16;
    out[to++] = group >> 8;
    out[to++] = group;
  }
  for (let i = from; i < codes.length; i++) {
    const value = VALUES[codes[i]];
    if (value < 0) {
      if (codes[i] === PADDING) break;
      continue;
    }
    held = (held << 6) | value;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out[to++] = held >> bits;
      held &= 0xff;
    }
  }
  return out.slice(0, to);
}

export function encodeHex(bytes) {
  const { length } = bytes;
  const out = new Uint16Array(length);
  for (let i = 0; i < length; i++) out[i] = HEX_PAIRS[bytes[i]];
  return ascii(new Uint8Array(out.buffer));
}

/** The bytes of the pairs of digits at the beginning of a text. */
export function decodeHex(text) {
  const codes = encodeUtf8(text);
  const out = new Uint8Array(codes.length >> 1);
  for (let i = 0; i < out.length; i++) {
    const high = HEX_VALUES[codes[2 * i]];
    const low = HEX_VALUES[codes[2 * i + 1]];
    if (high < 0 || low < 0) return out.slice(0, i);
    out[i] = (high << 4) | low;
  }
  return out;
}

const invalid = () =>
  new DOMException("The string to be decoded is not correctly encoded.", "InvalidCharacterError");

export function atob(input) {
  if (arguments.length === 0) throw new TypeError('The "input" argument must be specified');
  let text = `${input}`.replace(/[\t\n\f\r ]/g, "");
  if (text.length % 4 === 0) text = text.replace(/={1,2}$/, "");
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) throw invalid();
  return decodeLatin1(decodeLenient(text));
}

export function btoa(input) {
  if (arguments.length === 0) throw new TypeError('The "input" argument must be specified');
  const text = `${input}`;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 255) throw new DOMException("Invalid character", "InvalidCharacterError");
    bytes[i] = code;
  }
  return encode(bytes);
}
