/**
 * Turns values into MIME bundles and writes result frames within the limits of an execution.
 *
 * The text is Node's `inspect`. Plain data is also given as JSON. An object with a method
 * `Symbol.for("Jupyter.display")` says itself how it is shown. Knows nothing of errors.
 */
import { inspect as inspectSafely } from "../node/inspect.js";
import { JSON_TYPE, PLAIN, RawJson, resultFrame } from "./frames.js";

/** All results of an execution together may be this many times as large as one of them. */
const TOGETHER = 12;
const MIME = /^[a-z0-9!#$&^_.+-]{1,64}\/[A-Za-z0-9!#$&^_.+-]{1,128}$/;
const IS_JSON = /(?:\/|\+)json$/;
const INSPECT = Symbol.for("nodejs.util.inspect.custom");
const DISPLAY = Symbol.for("Jupyter.display");
/** Digits and letters of base64, in order. */
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export class Results {
  constructor(native, realm) {
    this.native = native;
    this.realm = realm;
    this.begin({ resultBytes: 0, results: 0 });
  }

  begin({ resultBytes, results }) {
    this.resultBytes = resultBytes;
    this.places = results;
    this.dropped = 0;
    this.room = TOGETHER * resultBytes;
  }

  /** What `display` of the user's calls. */
  display(value, raw) {
    this.write(raw ? this.fromUser(value) : this.bundleOf(value), false);
  }

  showValue(value) {
    this.write(this.bundleOf(value), true);
  }

  /** One place is kept for the value of the last expression. */
  write(bundle, isValue) {
    if (bundle.size === 0) return;
    const text = resultFrame(bundle, this.resultBytes, isValue, this.native.utf8Size);
    if (this.places <= (isValue ? 0 : 1) || text.length > this.room) {
      this.dropped += 1;
      return;
    }
    this.places -= 1;
    this.room -= text.length;
    this.native.reply(text);
  }

  /** The notice about what was left out, if anything was. */
  notice() {
    if (this.dropped === 0) return "";
    return `[torpor] ${this.dropped} results are left out: there were too many, or too large ones\n`;
  }

  /** Throws what the value's own way to be shown throws. */
  bundleOf(value) {
    const given = this.askValue(value);
    if (given !== undefined) return given;
    const bundle = new Map([[PLAIN, this.inspect(value)]]);
    const json = isObject(value) ? this.jsonOf(value) : undefined;
    if (json !== undefined) bundle.set(JSON_TYPE, json);
    return bundle;
  }

  /** The user's own `inspect`; ours when theirs was damaged. Throws what the value's own way to be shown throws. */
  inspect(value) {
    try {
      const text = this.realm.library.inspect(value);
      if (typeof text === "string") return text;
    } catch (error) {
      if (hasOwnWay(value)) throw error;
    }
    // No function of theirs is called: it would be given objects of ours.
    return inspectSafely(value, { customInspect: false });
  }

  askValue(value) {
    if (!isObject(value) || this.native.proxy(value) !== undefined) return undefined;
    const method = value[DISPLAY];
    if (typeof method !== "function") return undefined;
    const bundle = this.fromUser(Reflect.apply(method, value, []));
    if (bundle.size === 0) return undefined;
    if (!bundle.has(PLAIN)) bundle.set(PLAIN, this.inspect(value));
    return bundle;
  }

  /** A bundle made by user code, with everything dropped that has no proper form. */
  fromUser(given) {
    const bundle = new Map();
    if (!isObject(given)) return bundle;
    for (const mime of Object.keys(given)) {
      const part = MIME.test(mime) ? this.contentOf(mime, given[mime]) : undefined;
      if (part !== undefined) bundle.set(mime, part);
    }
    return bundle;
  }

  contentOf(mime, part) {
    if (IS_JSON.test(mime)) return this.jsonOf(part);
    if (typeof part === "string") return part;
    return this.native.className(part) === "Uint8Array" ? toBase64(part) : undefined;
  }

  jsonOf(value) {
    if (!this.native.isJson(value)) return undefined;
    try {
      const text = JSON.stringify(value);
      return typeof text === "string" ? new RawJson(text) : undefined;
    } catch {
      return undefined;
    }
  }
}

function hasOwnWay(value) {
  try {
    return typeof value[INSPECT] === "function";
  } catch {
    return false;
  }
}

function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function toBase64(bytes) {
  const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  for (let i = 0; i < view.length; i += 3) {
    const left = view.length - i;
    const group = (view[i] << 16) | ((view[i + 1] ?? 0) << 8) | (view[i + 2] ?? 0);
    text += BASE64[group >> 18] + BASE64[(group >> 12) & 63];
    text += left > 1 ? BASE64[(group >> 6) & 63] : "=";
    text += left > 2 ? BASE64[group & 63] : "=";
  }
  return text;
}
