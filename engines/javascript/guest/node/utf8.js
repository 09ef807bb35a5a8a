/**
 * UTF-8 in both directions. The engine's own conversion does the work where it is exact; what it would
 * give otherwise (lone surrogates, invalid bytes) is decided here as the Encoding Standard says.
 */
import { native } from "./native.js";

const REPLACEMENT = "\ufffd";
const { encodeUtf8, decodeUtf8 } = native;

export function encode(text) {
  return encodeUtf8(text.isWellFormed() ? text : text.toWellFormed());
}

/** How many bytes a lead byte announces, and which second bytes may follow it (the rest: 80..BF). */
function sequence(lead) {
  if (lead < 0x80) return [1, 0, 0];
  if (lead < 0xc2) return [0, 0, 0];
  if (lead < 0xe0) return [2, 0x80, 0xbf];
  if (lead < 0xf0) return [3, lead === 0xe0 ? 0xa0 : 0x80, lead === 0xed ? 0x9f : 0xbf];
  if (lead < 0xf5) return [4, lead === 0xf0 ? 0x90 : 0x80, lead === 0xf4 ? 0x8f : 0xbf];
  return [0, 0, 0];
}

/** [valid?, number of bytes] of the longest beginning of a character at `at`, before `end`. */
function measure(bytes, at, end) {
  const [length, lowest, highest] = sequence(bytes[at]);
  if (length < 2) return [length === 1, 1];
  for (let i = 1; i < length; i++) {
    const byte = at + i < end ? bytes[at + i] : -1;
    if (byte < (i === 1 ? lowest : 0x80) || byte > (i === 1 ? highest : 0xbf)) return [false, i];
  }
  return [true, length];
}

/** Decodes what may be invalid, each longest beginning of a character becoming one U+FFFD. */
function decodeWithReplacement(bytes, start, end) {
  const parts = [];
  let from = start;
  let at = start;
  while (at < end) {
    const [valid, length] = measure(bytes, at, end);
    if (!valid) {
      if (from < at) parts.push(decodeUtf8(bytes, from, at));
      parts.push(REPLACEMENT);
      from = at + length;
    }
    at += length;
  }
  if (from < end) parts.push(decodeUtf8(bytes, from, end));
  return parts.join("");
}

/** The engine's answer can be trusted when it has no replacement and no surrogate on its own. */
const isExact = (text) => text.isWellFormed() && !text.includes(REPLACEMENT);

export function decode(bytes, start = 0, end = bytes.length) {
  if (start >= end) return "";
  const text = decodeUtf8(bytes, start, end);
  return isExact(text) ? text : decodeWithReplacement(bytes, start, end);
}

export function isValid(bytes, start = 0, end = bytes.length) {
  if (start >= end || isExact(decodeUtf8(bytes, start, end))) return true;
  for (let at = start; at < end;) {
    const [valid, length] = measure(bytes, at, end);
    if (!valid) return false;
    at += length;
  }
  return true;
}

/** How many bytes at the end are the beginning of a character whose rest is yet to come. */
export function unfinished(bytes, start, end) {
  for (let back = 1; back <= 3 && end - back >= start; back++) {
    const at = end - back;
    if ((bytes[at] & 0xc0) === 0x80) continue;
    const [length] = sequence(bytes[at]);
    const [, seen] = measure(bytes, at, end);
    return length > back && seen === back ? back : 0;
  }
  return 0;
}
