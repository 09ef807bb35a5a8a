/** `Stats`, `BigIntStats` and `Dirent`: what is known of a file, in Node's shape. */
import { constants } from "./constants.js";

const { S_IFMT, S_IFREG, S_IFDIR, S_IFLNK, S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK } = constants;
const BLOCK = 4096;
/** The unit in which `blocks` counts. */
const SECTOR = 512;
const NANOSECONDS = 1_000_000;

class StatsBase {
  isDirectory() {
    return this.#is(S_IFDIR);
  }
  isFile() {
    return this.#is(S_IFREG);
  }
  isSymbolicLink() {
    return this.#is(S_IFLNK);
  }
  isBlockDevice() {
    return this.#is(S_IFBLK);
  }
  isCharacterDevice() {
    return this.#is(S_IFCHR);
  }
  isFIFO() {
    return this.#is(S_IFIFO);
  }
  isSocket() {
    return this.#is(S_IFSOCK);
  }
  #is(type) {
    return (Number(this.mode) & S_IFMT) === type;
  }
}

function fill(target, [dev, ino, mode, nlink, size, atimeMs, mtimeMs, ctimeMs], convert) {
  const numbers = {
    dev,
    mode,
    nlink,
    uid: 0,
    gid: 0,
    rdev: 0,
    blksize: BLOCK,
    ino,
    size,
    blocks: Math.ceil(size / SECTOR),
  };
  for (const name in numbers) target[name] = convert(numbers[name]);
  const times = { atime: atimeMs, mtime: mtimeMs, ctime: ctimeMs, birthtime: Math.min(mtimeMs, ctimeMs) };
  for (const name in times) target[`${name}Ms`] = convert(times[name]);
  return times;
}

export class Stats extends StatsBase {
  constructor(fields) {
    super();
    const times = fill(this, fields, (value) => value);
    for (const name in times) this[name] = new Date(Math.round(times[name]));
  }
}

class BigIntStats extends StatsBase {
  constructor(fields) {
    super();
    const times = fill(this, fields, (value) => BigInt(Math.trunc(value)));
    for (const name in times) this[`${name}Ns`] = BigInt(Math.round(times[name] * NANOSECONDS));
    for (const name in times) this[name] = new Date(Math.round(times[name]));
  }
}

export const makeStats = (fields, bigint = false) => (bigint ? new BigIntStats(fields) : new Stats(fields));

const TYPE = Symbol("type");
const TYPES = {
  __proto__: null,
  f: constants.UV_DIRENT_FILE,
  d: constants.UV_DIRENT_DIR,
  l: constants.UV_DIRENT_LINK,
};

export class Dirent {
  constructor(name, parentPath, type) {
    this.name = name;
    this.parentPath = parentPath;
    this.path = parentPath;
    this[TYPE] = TYPES[type] ?? type;
  }
  isDirectory() {
    return this[TYPE] === constants.UV_DIRENT_DIR;
  }
  isFile() {
    return this[TYPE] === constants.UV_DIRENT_FILE;
  }
  isSymbolicLink() {
    return this[TYPE] === constants.UV_DIRENT_LINK;
  }
  isBlockDevice() {
    return false;
  }
  isCharacterDevice() {
    return false;
  }
  isFIFO() {
    return false;
  }
  isSocket() {
    return false;
  }
}
