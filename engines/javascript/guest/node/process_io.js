/**
 * The three standard streams of `process`. Output is written at once; input is what the execution was given,
 * so its stream is made anew for each.
 */
import { Buffer } from "./buffer.js";
import { invalidArgType } from "./errors.js";
import { native } from "./native.js";
import { Readable, Writable } from "./stream.js";

const CHUNK = 65536;
const { read, write } = native;

/** process.stdout and process.stderr: streams, but what is written is out when `write` returns. */
export function makeOutput(fd) {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, encoding, done) {
      write(fd, typeof chunk === "string" && encoding !== "utf8" ? Buffer.from(chunk, encoding) : chunk);
      done();
    },
    destroy(error, done) {
      done(error);
    },
  });
  stream.write = function (chunk, encoding, done) {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) {
      throw invalidArgType("chunk", ["string", "Buffer", "Uint8Array"], chunk);
    }
    return Writable.prototype.write.call(this, chunk, encoding, done);
  };
  return Object.assign(stream, { fd, _type: "pipe" });
}

export function makeInput() {
  const stream = new Readable({
    highWaterMark: CHUNK,
    read() {
      const chunk = Buffer.alloc(CHUNK);
      const length = read(0, chunk, 0, CHUNK, -1);
      this.push(length === 0 ? null : chunk.subarray(0, length));
    },
  });
  return Object.assign(stream, { fd: 0 });
}
