/** `Dir`: the entries of a directory, one after another. */
import { codedError, systemErrorOf } from "../errors.js";
import { pathText } from "./arguments.js";
import { complete, promised } from "./completing.js";
import { readdirSync } from "./names.js";

export class Dir {
  #path;
  #entries;
  #at = 0;
  #closed = false;

  constructor(path, entries) {
    this.#path = path;
    this.#entries = entries;
  }
  get path() {
    return this.#path;
  }
  #check() {
    if (this.#closed) throw codedError(Error, "ERR_DIR_CLOSED", "Directory handle was closed");
  }
  readSync() {
    this.#check();
    return this.#entries[this.#at++] ?? null;
  }
  closeSync() {
    this.#check();
    this.#closed = true;
  }
  read(callback = undefined) {
    return later(() => this.readSync(), callback);
  }
  close(callback = undefined) {
    return later(() => this.closeSync(), callback);
  }
  async *entries() {
    try {
      for (;;) {
        const entry = await this.read();
        if (entry === null) return;
        yield entry;
      }
    } finally {
      if (!this.#closed) this.closeSync();
    }
  }
}
Object.defineProperty(Dir.prototype, Symbol.asyncIterator, {
  value: Dir.prototype.entries,
  writable: true,
  configurable: true,
});

function later(operation, callback) {
  return callback === undefined ? promised(operation) : complete(operation, callback);
}

export function opendirSync(path, { recursive = false, encoding } = {}) {
  const text = pathText(path);
  try {
    return new Dir(text, readdirSync(path, { withFileTypes: true, recursive, encoding }));
  } catch (error) {
    throw error.syscall === "scandir" ? systemErrorOf(error.code, "opendir", text) : error;
  }
}
