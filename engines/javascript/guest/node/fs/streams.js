/** `createReadStream` and `createWriteStream`: streams over a descriptor that is opened when needed. */
import { Buffer } from "../buffer.js";
import { addCompletion } from "../loop.js";
import { Readable, Writable } from "../stream.js";
import { optionsOf, pathText } from "./arguments.js";
import { closeSync, openSync, readSync, writeSync } from "./content.js";

const CHUNK = 65536;

/** Does a call, and tells how it went in a later round. */
function later(done, operation) {
  let error = null;
  let value;
  try {
    value = operation();
  } catch (failure) {
    error = failure;
  }
  addCompletion(() => done(error, value));
}

function prepare(stream, path, { fd, flags, mode, autoClose = true, start }) {
  stream.path = fd === undefined || fd === null ? pathText(path) : path;
  stream.fd = typeof fd === "object" && fd !== null ? fd.fd : (fd ?? null);
  stream.flags = flags;
  stream.mode = mode;
  stream.autoClose = autoClose;
  stream.pos = start;
  stream.pending = stream.fd === null;
}

const OPENING = {
  _construct(done) {
    if (this.fd !== null) return done();
    return later(
      (error, fd) => {
        if (error) return done(error);
        this.fd = fd;
        this.pending = false;
        done();
        this.emit("open", fd);
        return this.emit("ready");
      },
      () => openSync(this.path, this.flags, this.mode),
    );
  },
  _destroy(error, done) {
    if (this.fd === null || !this.autoClose) return done(error);
    const { fd } = this;
    this.fd = null;
    return later(
      (failure) => done(error ?? failure),
      () => closeSync(fd),
    );
  },
  close(done) {
    if (done) this.once("close", done);
    if (this instanceof Writable && !this.destroyed && this.autoClose) this.end();
    else this.destroy();
  },
};

export class ReadStream extends Readable {
  constructor(path, given = undefined) {
    const options = optionsOf(given, { flags: "r", highWaterMark: CHUNK });
    super({
      highWaterMark: options.highWaterMark,
      encoding: options.encoding,
      signal: options.signal,
      emitClose: options.emitClose,
    });
    this.bytesRead = 0;
    this.start = options.start;
    this.end = options.end ?? Infinity;
    prepare(this, path, options);
  }
  _read(size) {
    const left = this.end === Infinity ? size : this.end - (this.start ?? 0) + 1 - this.bytesRead;
    const buffer = Buffer.alloc(Math.max(0, Math.min(size, left)));
    if (buffer.length === 0) {
      this.push(null);
      return;
    }
    later(
      (error, count) => {
        if (error) this.destroy(error);
        else if (count === 0) this.push(null);
        else this.#arrived(buffer.subarray(0, count));
      },
      () => readSync(this.fd, buffer, 0, buffer.length, this.pos ?? null),
    );
  }
  #arrived(bytes) {
    this.bytesRead += bytes.length;
    if (this.pos !== undefined) this.pos += bytes.length;
    this.push(bytes);
  }
}

export class WriteStream extends Writable {
  constructor(path, given = undefined) {
    const options = optionsOf(given, { flags: "w" });
    super({
      highWaterMark: options.highWaterMark,
      signal: options.signal,
      decodeStrings: true,
      emitClose: options.emitClose,
    });
    this.bytesWritten = 0;
    prepare(this, path, options);
    if (options.encoding) this.setDefaultEncoding(options.encoding);
  }
  _write(bytes, encoding, done) {
    later(
      (error, count) => {
        if (error) return done(error);
        this.bytesWritten += count;
        return done();
      },
      () => {
        const count = writeSync(this.fd, bytes, 0, bytes.length, this.pos ?? null);
        if (this.pos !== undefined) this.pos += count;
        return count;
      },
    );
  }
}
for (const Stream of [ReadStream, WriteStream]) {
  for (const [name, value] of Object.entries(OPENING)) {
    Object.defineProperty(Stream.prototype, name, { value, writable: true, configurable: true });
  }
}

export const createReadStream = (path, options = undefined) => new ReadStream(path, options);
export const createWriteStream = (path, options = undefined) => new WriteStream(path, options);
