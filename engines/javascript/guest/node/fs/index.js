/**
 * The `fs` and `fs/promises` modules. Every call is written once, synchronously; the forms with callbacks and
 * promises are made of it.
 */
import { Blob } from "../web/blob.js";
import { checkFunction, notAvailable } from "../errors.js";
import { callbackOf } from "./arguments.js";
import { complete, promised } from "./completing.js";
import { constants } from "./constants.js";
import * as content from "./content.js";
import { Dir, opendirSync } from "./directory.js";
import { FileHandle } from "./handle.js";
import * as names from "./names.js";
import { Dirent, Stats } from "./stats.js";
import { ReadStream, WriteStream, createReadStream, createWriteStream } from "./streams.js";
import * as trees from "./trees.js";

const PROMISIFY = Symbol.for("nodejs.util.promisify.custom");

/** Calls that have all three forms; those by descriptor have no promise. */
const SYNC = {
  openSync: content.openSync,
  closeSync: content.closeSync,
  readSync: content.readSync,
  writeSync: content.writeSync,
  readvSync: content.readvSync,
  writevSync: content.writevSync,
  readFileSync: content.readFileSync,
  writeFileSync: content.writeFileSync,
  appendFileSync: content.appendFileSync,
  truncateSync: content.truncateSync,
  ftruncateSync: content.ftruncateSync,
  fsyncSync: content.fsyncSync,
  fdatasyncSync: content.fdatasyncSync,
  fstatSync: content.fstatSync,
  statSync: names.statSync,
  lstatSync: names.lstatSync,
  accessSync: names.accessSync,
  readdirSync: names.readdirSync,
  mkdirSync: names.mkdirSync,
  mkdtempSync: names.mkdtempSync,
  rmdirSync: names.rmdirSync,
  unlinkSync: names.unlinkSync,
  renameSync: names.renameSync,
  linkSync: names.linkSync,
  symlinkSync: names.symlinkSync,
  readlinkSync: names.readlinkSync,
  realpathSync: names.realpathSync,
  utimesSync: names.utimesSync,
  lutimesSync: names.lutimesSync,
  futimesSync: names.futimesSync,
  chmodSync: names.chmodSync,
  lchmodSync: names.lchmodSync,
  fchmodSync: names.fchmodSync,
  chownSync: names.chownSync,
  lchownSync: names.lchownSync,
  fchownSync: names.fchownSync,
  rmSync: trees.rmSync,
  copyFileSync: trees.copyFileSync,
  cpSync: trees.cpSync,
  opendirSync,
};
const BY_DESCRIPTOR =
  /^(open|close|read|write|readv|writev|fsync|fdatasync|f(?:truncate|stat|chmod|chown)|futimes)$/;
/** What a callback gets beside the count. */
const WITH_BUFFER = {
  __proto__: null,
  read: "bytesRead",
  write: "bytesWritten",
  readv: "bytesRead",
  writev: "bytesWritten",
};

function named(name, call) {
  Object.defineProperty(call, "name", { value: name });
  return call;
}

function withCallback(name, sync) {
  const withBuffer = name in WITH_BUFFER;
  const call = named(name, (...given) => {
    const callback = callbackOf(given);
    const wanted = given.slice(0, -1);
    complete(
      () => sync(...wanted),
      callback,
      (value) => {
        if (withBuffer) return [value, wanted[1]];
        return value === undefined ? [] : [value];
      },
    );
  });
  if (withBuffer) {
    const key = /v$/.test(name) ? "buffers" : "buffer";
    Object.defineProperty(call, PROMISIFY, {
      value: (...given) => promised(() => ({ [WITH_BUFFER[name]]: sync(...given), [key]: given[1] })),
    });
  }
  return call;
}

const handleOr = (file) => (file instanceof FileHandle ? file.fd : file);

export const promises = { constants };
export const fs = {
  constants,
  promises,
  Dirent,
  Stats,
  Dir,
  ReadStream,
  WriteStream,
  FileReadStream: ReadStream,
  FileWriteStream: WriteStream,
  createReadStream,
  createWriteStream,
  ...constantsOf("F_OK", "R_OK", "W_OK", "X_OK"),
};

function constantsOf(...wanted) {
  return Object.fromEntries(wanted.map((name) => [name, constants[name]]));
}

for (const [syncName, sync] of Object.entries(SYNC)) {
  const name = syncName.slice(0, -"Sync".length);
  fs[name] = withCallback(name, sync);
  fs[syncName] = named(syncName, sync);
  if (!BY_DESCRIPTOR.test(name)) {
    promises[name] = named(name, (first, ...rest) => promised(() => sync(handleOr(first), ...rest)));
  }
}
promises.open = (path, flags, mode) => promised(() => new FileHandle(content.openSync(path, flags, mode)));
fs.realpath.native = fs.realpath;

fs.existsSync = names.existsSync;
fs.exists = (path, callback) => {
  checkFunction(callback, "cb");
  complete(
    () => names.existsSync(path),
    (error, found) => callback(found),
  );
};
Object.defineProperty(fs.exists, PROMISIFY, { value: (path) => promised(() => names.existsSync(path)) });
fs.openAsBlob = (path, options) => promised(() => new Blob([content.readFileSync(path)], options));

const NO_WATCHING = "nobody else changes files while code runs";
for (const name of ["watch", "watchFile", "unwatchFile"]) {
  fs[name] = named(name, () => {
    throw notAvailable(`fs.${name}`, NO_WATCHING);
  });
}
