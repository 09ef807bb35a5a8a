/** Everything about names: looking, making, moving, linking and removing; nothing about content. */
import { Buffer } from "../buffer.js";
import { checkInteger, systemErrorOf } from "../errors.js";
import { native } from "../native.js";
import { path as paths } from "../path.js";
import {
  absolute,
  attempt,
  decoded,
  descriptor,
  milliseconds,
  modeOf,
  optionsOf,
  pathText,
} from "./arguments.js";
import { constants } from "./constants.js";
import { Dirent, makeStats } from "./stats.js";

const DIRECTORY_MODE = 0o777;
/** Random characters at the end of a temporary directory's name. */
const RANDOM_LENGTH = 6;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const [MODE, S_IFMT, S_IFDIR, S_IFLNK] = [2, constants.S_IFMT, constants.S_IFDIR, constants.S_IFLNK];
/** As many symbolic links as Linux follows. */
const MOST_LINKS = 40;

function stats(syscall, look, path, { bigint = false, throwIfNoEntry = true } = {}) {
  const text = pathText(path);
  try {
    return makeStats(
      attempt(syscall, () => look(absolute(text)), text),
      bigint,
    );
  } catch (error) {
    if (!throwIfNoEntry && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw error;
  }
}

export const statSync = (path, options = undefined) => stats("stat", native.stat, path, options);
export const lstatSync = (path, options = undefined) => stats("lstat", native.lstat, path, options);

/** The fields of a file that may not be there; links are not followed. */
export function lookUp(absolutePath) {
  try {
    return native.lstat(absolutePath);
  } catch {
    return undefined;
  }
}
export const isDirectory = (fields) => (fields[MODE] & S_IFMT) === S_IFDIR;
export const isLink = (fields) => (fields[MODE] & S_IFMT) === S_IFLNK;

export function existsSync(path) {
  try {
    native.stat(absolute(pathText(path)));
    return true;
  } catch {
    return false;
  }
}

/** Files have no modes here: whatever is there may be read, written and looked into. */
export function accessSync(path, mode = constants.F_OK) {
  const text = pathText(path);
  checkInteger(mode, "mode", 0, 7);
  const [, , found] = attempt("access", () => native.stat(absolute(text)), text);
  const executable = (found & 0o111) !== 0;
  if (mode & constants.X_OK && !executable) throw systemErrorOf("EACCES", "access", text);
}

function entries(directory) {
  const found = native.readdir(directory);
  return found.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function typeOf(directory, [name, type]) {
  if (type !== "?") return type;
  const fields = lookUp(paths.join(directory, name));
  if (fields === undefined) return constants.UV_DIRENT_UNKNOWN;
  return isDirectory(fields) ? "d" : isLink(fields) ? "l" : "f";
}

export function readdirSync(path, options = undefined) {
  const { encoding, withFileTypes = false, recursive = false } = optionsOf(options);
  const text = pathText(path);
  const top = absolute(text);
  const result = [];
  const add = (name, parent, type) => {
    const shown = encoding === "buffer" ? Buffer.from(name) : decoded(Buffer.from(name), encoding ?? "utf8");
    if (withFileTypes) result.push(new Dirent(shown, parent, type));
    else result.push(parent === text ? shown : paths.relative(top, paths.join(absolute(parent), name)));
  };
  // Level by level, as Node walks.
  const waiting = [text];
  for (let parent = waiting.shift(); parent !== undefined; parent = waiting.shift()) {
    const where = absolute(parent);
    for (const entry of attempt("scandir", () => entries(where), parent)) {
      const type = withFileTypes || recursive ? typeOf(where, entry) : undefined;
      add(entry[0], parent, type);
      if (recursive && type === "d") waiting.push(paths.join(parent, entry[0]));
    }
  }
  return result;
}

/** Makes the missing directories; gives the first that was made. */
function mkdirRecursive(where, text, mode) {
  const fields = lookUp(where);
  if (fields !== undefined) {
    if (isDirectory(fields) || (isLink(fields) && isDirectory(native.stat(where)))) return undefined;
    throw systemErrorOf("EEXIST", "mkdir", text);
  }
  const parent = paths.dirname(where);
  let first;
  try {
    first = parent === where ? undefined : mkdirRecursive(parent, text, mode);
  } catch (error) {
    throw error.code === "EEXIST" ? systemErrorOf("ENOTDIR", "mkdir", text) : error;
  }
  attempt("mkdir", () => native.mkdir(where, mode), text);
  return first ?? where;
}

export function mkdirSync(path, options = undefined) {
  const { recursive = false, mode } =
    typeof options === "object" && options !== null ? options : { mode: options };
  const text = pathText(path);
  if (recursive) return mkdirRecursive(absolute(text), text, modeOf(mode, DIRECTORY_MODE));
  attempt("mkdir", () => native.mkdir(absolute(text), modeOf(mode, DIRECTORY_MODE)), text);
  return undefined;
}

export function mkdtempSync(prefix, options = undefined) {
  const { encoding } = optionsOf(options);
  const text = pathText(prefix, "prefix");
  const random = new Uint8Array(RANDOM_LENGTH);
  native.random(random);
  const made = text + Array.from(random, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  attempt("mkdtemp", () => native.mkdir(absolute(made), 0o700), `${text}XXXXXX`);
  return decoded(Buffer.from(made), encoding ?? "utf8");
}

export function rmdirSync(path) {
  const text = pathText(path);
  attempt("rmdir", () => native.rmdir(absolute(text)), text);
}

export function unlinkSync(path) {
  const text = pathText(path);
  attempt("unlink", () => native.unlink(absolute(text)), text);
}

/** A call with a name that is and a name that is to be. */
const between = (syscall, operation) => (from, to) => {
  const [source, target] = [pathText(from, "oldPath"), pathText(to, "newPath")];
  attempt(syscall, () => operation(absolute(source), absolute(target)), source, target);
};

export const renameSync = between("rename", (from, to) => native.rename(from, to));
export const linkSync = between("link", (from, to) => native.link(from, to));

export function symlinkSync(target, path) {
  const [to, text] = [pathText(target, "target"), pathText(path)];
  attempt("symlink", () => native.symlink(to, absolute(text)), to, text);
}

export function readlinkSync(path, options = undefined) {
  const { encoding } = optionsOf(options);
  const text = pathText(path);
  const target = attempt("readlink", () => native.readlink(absolute(text)), text);
  return decoded(Buffer.from(target), encoding ?? "utf8");
}

export function realpathSync(path, options = undefined) {
  const { encoding } = optionsOf(options);
  let left = absolute(pathText(path)).split("/").filter(Boolean);
  let real = "/";
  let links = 0;
  while (left.length > 0) {
    const next = paths.join(real, left.shift());
    const fields = attempt("lstat", () => native.lstat(next), next);
    if (isLink(fields)) {
      if (++links > MOST_LINKS) throw systemErrorOf("ELOOP", "lstat", next);
      const target = paths.resolve(real, native.readlink(next));
      left = [...target.split("/").filter(Boolean), ...left];
      real = "/";
    } else real = next;
  }
  return decoded(Buffer.from(real), encoding ?? "utf8");
}
realpathSync.native = realpathSync;

export function utimesSync(path, atime, mtime) {
  const text = pathText(path);
  const [accessed, modified] = [milliseconds(atime, "atime"), milliseconds(mtime, "mtime")];
  attempt("utime", () => native.utimes(absolute(text), accessed, modified), text);
}
export const lutimesSync = (path, atime, mtime) => utimesSync(path, atime, mtime);

export function futimesSync(fd, atime, mtime) {
  const [accessed, modified] = [milliseconds(atime, "atime"), milliseconds(mtime, "mtime")];
  attempt("futime", () => native.futimes(descriptor(fd), accessed, modified));
}

/** Modes and owners are not kept: the calls see to it that the file is there, and that is all. */
export function chmodSync(path, mode) {
  const text = pathText(path);
  modeOf(mode);
  attempt("chmod", () => native.stat(absolute(text)), text);
}
export function fchmodSync(fd) {
  attempt("fchmod", () => native.fstat(descriptor(fd)));
}
export function chownSync(path) {
  const text = pathText(path);
  attempt("chown", () => native.stat(absolute(text)), text);
}
export function fchownSync(fd) {
  attempt("fchown", () => native.fstat(descriptor(fd)));
}
export const lchownSync = (path) => chownSync(path);
export const lchmodSync = (path, mode) => chmodSync(path, mode);
