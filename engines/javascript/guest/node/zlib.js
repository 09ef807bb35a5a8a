/** The `zlib` module over the package fflate: gzip and deflate; no Brotli. Streams work on the whole at their end. */
import {
  decompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
  unzlibSync,
  zlibSync,
} from "fflate/browser";
import { Buffer } from "./buffer.js";
import { checkFunction, invalidArgType, notAvailable } from "./errors.js";
import { addCompletion } from "./loop.js";
import { Transform } from "./stream.js";

const DEFAULT_LEVEL = 6;
const [Z_DATA_ERROR, Z_BUF_ERROR] = [-3, -5];
/** The package's number for "unexpected EOF". */
const UNEXPECTED_END = 0;

function bytesOf(data) {
  if (typeof data === "string") return Buffer.from(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw invalidArgType("buffer", ["string", "Buffer", "TypedArray", "DataView", "ArrayBuffer"], data);
}

/** zlib's error for what the package says. */
function failure(error) {
  const ended = error.code === UNEXPECTED_END;
  const message = ended ? "unexpected end of file" : "incorrect header check";
  return Object.assign(new Error(message), {
    errno: ended ? Z_BUF_ERROR : Z_DATA_ERROR,
    code: ended ? "Z_BUF_ERROR" : "Z_DATA_ERROR",
  });
}

const levelOf = ({ level = DEFAULT_LEVEL } = {}) => (level < 0 ? DEFAULT_LEVEL : level);
const compressing = (compress) => (bytes, options) => compress(bytes, { level: levelOf(options), mtime: 0 });
const expanding = (expand) => (bytes) => {
  try {
    return expand(bytes);
  } catch (error) {
    throw failure(error);
  }
};

/** Node's name -> what it does with bytes. */
const CODECS = {
  gzip: compressing(gzipSync),
  gunzip: expanding(gunzipSync),
  deflate: compressing(zlibSync),
  inflate: expanding(unzlibSync),
  deflateRaw: compressing(deflateSync),
  inflateRaw: expanding(inflateSync),
  unzip: expanding(decompressSync),
};

function bufferOf(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A stream that has its say when all has come in. */
function makeStream(convert, options) {
  const parts = [];
  return new Transform({
    transform(chunk, encoding, done) {
      parts.push(chunk);
      done();
    },
    flush(done) {
      try {
        done(null, bufferOf(convert(Buffer.concat(parts), options)));
      } catch (error) {
        done(error);
      }
    },
  });
}

export const zlib = {
  constants: Object.freeze({
    Z_NO_COMPRESSION: 0,
    Z_BEST_SPEED: 1,
    Z_BEST_COMPRESSION: 9,
    Z_DEFAULT_COMPRESSION: -1,
    Z_OK: 0,
    Z_STREAM_END: 1,
    Z_DATA_ERROR,
    Z_BUF_ERROR,
  }),
};
for (const [name, convert] of Object.entries(CODECS)) {
  const sync = (data, options = undefined) => bufferOf(convert(bytesOf(data), options));
  zlib[`${name}Sync`] = sync;
  zlib[name] = (data, optionsOrCallback, callback = optionsOrCallback) => {
    checkFunction(callback, "callback");
    const options = callback === optionsOrCallback ? undefined : optionsOrCallback;
    const bytes = bytesOf(data);
    let error = null;
    let result;
    try {
      result = sync(bytes, options);
    } catch (thrown) {
      error = thrown;
    }
    addCompletion(() => callback(error, result));
  };
  zlib[`create${name[0].toUpperCase()}${name.slice(1)}`] = (options = undefined) =>
    makeStream(convert, options);
}
for (const name of ["brotliCompress", "brotliDecompress", "brotliCompressSync", "brotliDecompressSync"]) {
  zlib[name] = () => {
    throw notAvailable(`zlib.${name}`, "gzip and deflate are there, Brotli is not");
  };
}
