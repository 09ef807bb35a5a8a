/**
 * Builds the protocol's frames as JSON text, and keeps a result inside its size limit.
 *
 * Sizes are bytes of UTF-8. A representation that was cut or left out is named, with its true size.
 */
export const PLAIN = "text/plain";
export const JSON_TYPE = "application/json";
/** Part of the limit that is kept for the text when a larger representation stands beside it. */
const TEXT_SHARE = 8;

/** Text that is JSON already, so that it is neither parsed nor encoded again. */
export class RawJson {
  constructor(text) {
    this.text = text;
  }
}

function encode(value) {
  return value instanceof RawJson ? value.text : JSON.stringify(value);
}

export function frame(kind, fields) {
  let body = "";
  for (const name of Object.keys(fields)) body += `,"${name}":${encode(fields[name])}`;
  return `{"type":"${kind}"${body}}\n`;
}

/**
 * A result frame of at most about `limit` bytes of data. `bundle` is a Map of MIME type -> text or RawJson;
 * `byteSize` says how many bytes of UTF-8 a text has.
 */
export function resultFrame(bundle, limit, isValue, byteSize) {
  const { kept, truncated } = fit(bundle, limit, byteSize);
  const parts = [...kept].map(([mime, value]) => `${JSON.stringify(mime)}:${encode(value)}`);
  return frame("result", { data: new RawJson(`{${parts.join(",")}}`), isValue, truncated });
}

/** Leaves out what does not fit and cuts the plain text to the rest. */
function fit(bundle, limit, byteSize) {
  const kept = new Map();
  const truncated = {};
  const text = bundle.get(PLAIN);
  const size = text === undefined ? 0 : byteSize(text);
  const reserved = Math.min(size, Math.floor(limit / TEXT_SHARE));
  if (text !== undefined) kept.set(PLAIN, "");
  let room = limit - reserved;
  for (const [mime, value] of bundle) {
    if (mime === PLAIN) continue;
    const bytes = byteSize(value instanceof RawJson ? value.text : value);
    if (bytes > room) {
      truncated[mime] = bytes;
    } else {
      room -= bytes;
      kept.set(mime, value);
    }
  }
  room += reserved;
  if (text !== undefined) kept.set(PLAIN, size > room ? cut(text, room, size, byteSize) : text);
  if (size > room) truncated[PLAIN] = size;
  return { kept, truncated };
}

/** The beginning of `text` and a marker, together within `room` bytes where that is possible. */
function cut(text, room, size, byteSize) {
  const marker = `\n... [cut: ${grouped(size)} bytes in all]`;
  const most = Math.max(0, room - marker.length);
  let low = 0;
  let high = Math.min(text.length, most);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (byteSize(text.slice(0, middle)) <= most) low = middle;
    else high = middle - 1;
  }
  return withoutHalf(text.slice(0, low)) + marker;
}

/** Without the first half of a pair at the end. */
export function withoutHalf(text) {
  return /[\ud800-\udbff]$/.test(text.slice(-1)) ? text.slice(0, -1) : text;
}

/** Digits in groups of three. */
export function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}
