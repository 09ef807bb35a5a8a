/** `Blob` and `File` over memory. */
import { customInspect, inspect } from "../inspect.js";
import { setImmediate } from "../timers.js";
import * as utf8 from "../utf8.js";

let contents;

function bytesOf(part, endings) {
  if (part instanceof Blob) return contents(part);
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength).slice();
  if (part instanceof ArrayBuffer) return new Uint8Array(part.slice(0));
  const text = `${part}`;
  return utf8.encode(endings === "native" ? text.replace(/\r\n|\r/g, "\n") : text);
}

function concatenated(chunks) {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

const later = (make) => new Promise((resolve) => setImmediate(() => resolve(make())));

export class Blob {
  #bytes;
  #type;
  constructor(parts = [], { type = "", endings = "transparent" } = {}) {
    this.#bytes = concatenated([...parts].map((part) => bytesOf(part, endings)));
    this.#type = /[^\x20-\x7e]/.test(type) ? "" : `${type}`.toLowerCase();
  }
  static {
    contents = (blob) => blob.#bytes;
  }
  get size() {
    return this.#bytes.length;
  }
  get type() {
    return this.#type;
  }
  slice(start = 0, end = this.size, type = "") {
    return new Blob([this.#bytes.slice(start, end)], { type });
  }
  text() {
    return later(() => utf8.decode(this.#bytes));
  }
  arrayBuffer() {
    return later(() => this.#bytes.slice().buffer);
  }
  bytes() {
    return later(() => this.#bytes.slice());
  }
  [customInspect](depth, options) {
    if (depth < 0) return "[Blob]";
    return `Blob ${inspect({ size: this.size, type: this.type }, options)}`;
  }
  get [Symbol.toStringTag]() {
    return "Blob";
  }
}

export class File extends Blob {
  #name;
  #lastModified;
  constructor(parts, name, options = {}) {
    super(parts, options);
    this.#name = `${name}`;
    this.#lastModified = options.lastModified ?? Date.now();
  }
  get name() {
    return this.#name;
  }
  get lastModified() {
    return this.#lastModified;
  }
  [customInspect](depth, options) {
    const { size, type, name, lastModified } = this;
    return `File ${inspect({ size, type, name, lastModified }, options)}`;
  }
  get [Symbol.toStringTag]() {
    return "File";
  }
}
