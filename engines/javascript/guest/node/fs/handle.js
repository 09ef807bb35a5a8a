/** `FileHandle`: an open file of `fs/promises`. */
import { codedError, systemErrorOf } from "../errors.js";
import { EventEmitter } from "../events.js";
import { Buffer } from "../buffer.js";
import { createInterface } from "../readline.js";
import { promised } from "./completing.js";
import * as content from "./content.js";
import { createReadStream, createWriteStream } from "./streams.js";
import { fchmodSync, fchownSync, futimesSync } from "./names.js";

const CHUNK = 16384;

export class FileHandle extends EventEmitter {
  #fd;
  constructor(fd) {
    super();
    this.#fd = fd;
  }
  get fd() {
    return this.#fd;
  }
  #do(syscall, operation) {
    return promised(() => {
      if (this.#fd < 0) throw systemErrorOf("EBADF", syscall);
      return operation(this.#fd);
    });
  }

  close() {
    if (this.#fd < 0) return Promise.resolve();
    const fd = this.#fd;
    this.#fd = -1;
    return promised(() => content.closeSync(fd)).then(() => {
      this.emit("close");
    });
  }
  read(bufferOrOptions = {}, offset = undefined, length = undefined, position = undefined) {
    const given = ArrayBuffer.isView(bufferOrOptions)
      ? {
          buffer: bufferOrOptions,
          ...(typeof offset === "object" && offset ? offset : { offset, length, position }),
        }
      : { buffer: Buffer.alloc(CHUNK), ...bufferOrOptions };
    return this.#do("read", (fd) => ({
      bytesRead: content.readSync(fd, given.buffer, given),
      buffer: given.buffer,
    }));
  }
  write(data, offset = undefined, length = undefined, position = undefined) {
    return this.#do("write", (fd) => ({
      bytesWritten: content.writeSync(fd, data, offset, length, position),
      buffer: data,
    }));
  }
  readv(buffers, position = undefined) {
    return this.#do("read", (fd) => ({ bytesRead: content.readvSync(fd, buffers, position), buffers }));
  }
  writev(buffers, position = undefined) {
    return this.#do("write", (fd) => ({ bytesWritten: content.writevSync(fd, buffers, position), buffers }));
  }
  readFile(options = undefined) {
    return this.#do("read", (fd) => content.readFileSync(fd, options));
  }
  writeFile(data, options = undefined) {
    return this.#do("write", (fd) => content.writeFileSync(fd, data, options));
  }
  appendFile(data, options = undefined) {
    return this.writeFile(data, options);
  }
  stat(options = undefined) {
    return this.#do("fstat", (fd) => content.fstatSync(fd, options));
  }
  truncate(length = 0) {
    return this.#do("ftruncate", (fd) => content.ftruncateSync(fd, length));
  }
  sync() {
    return this.#do("fsync", content.fsyncSync);
  }
  datasync() {
    return this.#do("fdatasync", content.fdatasyncSync);
  }
  utimes(atime, mtime) {
    return this.#do("futime", (fd) => futimesSync(fd, atime, mtime));
  }
  chmod() {
    return this.#do("fchmod", fchmodSync);
  }
  chown() {
    return this.#do("fchown", fchownSync);
  }
  createReadStream(options = undefined) {
    return createReadStream("", { ...options, fd: this.#fd });
  }
  createWriteStream(options = undefined) {
    return createWriteStream("", { ...options, fd: this.#fd });
  }
  readLines(options = undefined) {
    if (this.#fd < 0) throw codedError(Error, "ERR_INVALID_STATE", "Invalid state: The FileHandle is closed");
    return createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }
  [Symbol.asyncDispose ?? Symbol.for("nodejs.asyncDispose")]() {
    return this.close();
  }
}
