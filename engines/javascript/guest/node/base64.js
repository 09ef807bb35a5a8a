/** Base64 in both alphabets, leniently as Buffer reads it and strictly as `atob` does. */
const STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE = `${STANDARD.slice(0, -2)}-_`;
const PADDING = "=".charCodeAt(0);
/** Characters turned into a string at once: an argument list must fit the stack. */
const CHUNK = 4096;

const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < STANDARD.length; i++) {
  VALUES[STANDARD.charCodeAt(i)] = i;
  VALUES[URL_SAFE.charCodeAt(i)] = i;
}
const codesOf = (alphabet) => Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
const CODES = codesOf(STANDARD);
const URL_CODES = codesOf(URL_SAFE);

/** A string of bytes, each a character. */
export function latin1(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parts.push(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + CHUNK)));
  }
  return parts.join("");
}

export function encode(bytes, urlSafe = false) {
  const codes = urlSafe ? URL_CODES : CODES;
  const { length } = bytes;
  const left = length % 3;
  const out = new Uint8Array(Math.ceil(length / 3) * 4);
  let to = 0;
  for (let at = 0; at < length; at += 3) {
    const group = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    out[to++] = codes[group >> 18];
    out[to++] = codes[(group >> 12) & 63];
    out[to++] = codes[(group >> 6) & 63];
    out[to++] = codes[group & 63];
  }
  const missing = left === 0 ? 0 : 3 - left;
  if (urlSafe) return latin1(out.subarray(0, to - missing));
  for (let i = 1; i <= missing; i++) out[to - i] = PADDING;
  return latin1(out);
}

/** The bytes of all that is Base64 in a text, up to padding; all else is passed over, as Buffer does. */
export function decodeLenient(text) {
  const out = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let to = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === PADDING) break;
    const value = code < 128 ? VALUES[code] : -1;
    if (value < 0) continue;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out[to++] = (held >> bits) & 0xff;
    }
  }
  return out.slice(0, to);
}

const invalid = () =>
  new DOMException("The string to be decoded is not correctly encoded.", "InvalidCharacterError");

export function atob(input) {
  if (arguments.length === 0) throw new TypeError('The "input" argument must be specified');
  let text = `${input}`.replace(/[\t\n\f\r ]/g, "");
  if (text.length % 4 === 0) text = text.replace(/={1,2}$/, "");
  if (text.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(text)) throw invalid();
  return latin1(decodeLenient(text));
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
