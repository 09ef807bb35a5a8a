/** Random bytes and numbers from the host's entropy. */
import { Buffer } from "./buffer.js";
import { checkFunction, checkInteger, invalidArgType, outOfRange } from "./errors.js";
import { native } from "./native.js";
import { nextTick } from "./ticks.js";

const MAX_BYTES = 2 ** 31 - 1;
/** randomInt's span, as in Node. */
const MAX_SPAN = 2 ** 48;
/** Most bytes of one getRandomValues, by the standard. */
const QUOTA = 65536;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function answer(value, callback) {
  if (callback === undefined) return value;
  checkFunction(callback, "callback");
  nextTick(callback, null, value);
  return undefined;
}

export function randomBytes(size, callback = undefined) {
  checkInteger(size, "size", 0, MAX_BYTES);
  const bytes = Buffer.alloc(size);
  native.random(bytes);
  return answer(bytes, callback);
}

export function randomFillSync(buffer, offset = 0, size = buffer.byteLength - offset) {
  if (!ArrayBuffer.isView(buffer) && !(buffer instanceof ArrayBuffer)) {
    throw invalidArgType("buf", ["ArrayBuffer", "ArrayBufferView"], buffer);
  }
  const bytes = ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset + offset, size)
    : new Uint8Array(buffer, offset, size);
  native.random(bytes);
  return buffer;
}

export function randomFill(buffer, ...rest) {
  const callback = rest.pop();
  checkFunction(callback, "callback");
  answer(randomFillSync(buffer, ...rest), callback);
}

export function getRandomValues(array) {
  if (!ArrayBuffer.isView(array) || /Float|DataView/.test(Object.prototype.toString.call(array))) {
    const message = "The data argument must be an integer-type TypedArray";
    throw new DOMException(message, "TypeMismatchError");
  }
  if (array.byteLength > QUOTA) {
    const message = `The requested length exceeds ${QUOTA.toLocaleString?.("en-US") ?? QUOTA} bytes`;
    throw new DOMException(message, "QuotaExceededError");
  }
  return randomFillSync(array);
}

/** Six bytes hold 2^48; what lies above the last whole multiple of the range is drawn again. */
export function randomInt(min, max = undefined, callback = undefined) {
  if (max === undefined || typeof max === "function") return randomInt(0, min, max);
  if (!Number.isSafeInteger(min)) throw invalidArgType("min", "a safe integer", min);
  if (!Number.isSafeInteger(max)) throw invalidArgType("max", "a safe integer", max);
  if (max <= min) throw outOfRange("max", `greater than the value of "min" (${min})`, max);
  const range = max - min;
  if (range >= MAX_SPAN) throw outOfRange(min === 0 ? "max" : "max - min", `<= ${MAX_SPAN - 1}`, range);
  const limit = MAX_SPAN - (MAX_SPAN % range);
  let drawn = limit;
  while (drawn >= limit) drawn = randomBytes(6).readUIntBE(0, 6);
  return answer(min + (drawn % range), callback);
}

export function randomUUID() {
  const bytes = new Uint8Array(16);
  native.random(bytes);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => HEX[byte]).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
