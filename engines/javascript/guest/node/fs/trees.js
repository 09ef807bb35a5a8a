/** Calls on whole trees, made of the smaller ones: `rm`, `cp`, and `copyFile`. */
import { codedError, systemErrorOf } from "../errors.js";
import { native } from "../native.js";
import { path as paths } from "../path.js";
import { absolute, attempt, describedError, pathText } from "./arguments.js";
import { constants } from "./constants.js";
import { isDirectory, isLink, lookUp } from "./names.js";

const { COPYFILE_EXCL, O_CREAT, O_EXCL, O_RDONLY, O_TRUNC, O_WRONLY } = constants;
const CHUNK = 65536;
const FILE_MODE = 0o666;
const DIRECTORY_MODE = 0o777;
const HERE = -1;
const [EISDIR, EINVAL] = [21, 22];

function removeTree(where) {
  for (const [name] of native.readdir(where)) {
    const inside = paths.join(where, name);
    const fields = lookUp(inside);
    if (fields !== undefined && isDirectory(fields)) removeTree(inside);
    else native.unlink(inside);
  }
  native.rmdir(where);
}

export function rmSync(path, { recursive = false, force = false } = {}) {
  const text = pathText(path);
  const where = absolute(text);
  const fields = lookUp(where);
  if (fields === undefined) {
    if (force) return;
    throw systemErrorOf("ENOENT", "lstat", text);
  }
  if (!isDirectory(fields)) attempt("unlink", () => native.unlink(where), text);
  else if (recursive) attempt("rm", () => removeTree(where), text);
  else
    throw describedError(
      "ERR_FS_EISDIR",
      "Path is a directory",
      "rm",
      EISDIR,
      "EISDIR (is a directory)",
      text,
    );
}

function copyContent(from, to, exclusive) {
  const source = native.open(from, O_RDONLY, 0);
  try {
    const flags = O_WRONLY | O_CREAT | (exclusive ? O_EXCL : O_TRUNC);
    const target = native.open(to, flags, FILE_MODE);
    try {
      const chunk = new Uint8Array(CHUNK);
      for (;;) {
        const count = native.read(source, chunk, 0, CHUNK, HERE);
        if (count === 0) break;
        native.write(target, chunk.subarray(0, count));
      }
    } finally {
      native.close(target);
    }
  } finally {
    native.close(source);
  }
}

export function copyFileSync(from, to, mode = 0) {
  const [source, target] = [pathText(from, "src"), pathText(to, "dest")];
  const [where, there] = [absolute(source), absolute(target)];
  // Opening to write empties the file, so the same one must not be copied onto itself.
  if (where === there && !(mode & COPYFILE_EXCL))
    attempt("copyfile", () => native.stat(where), source, target);
  else attempt("copyfile", () => copyContent(where, there, !!(mode & COPYFILE_EXCL)), source, target);
}

function copyEntry(from, to, options) {
  if (options.filter !== undefined && !options.filter(from, to)) return;
  const [where, there] = [absolute(from), absolute(to)];
  const fields = attempt(
    options.dereference ? "stat" : "lstat",
    () => (options.dereference ? native.stat : native.lstat)(where),
    from,
  );
  const present = lookUp(there);
  if (isDirectory(fields)) copyDirectory(from, to, present, options);
  else if (present !== undefined && isDirectory(present)) {
    const reason = `EISDIR (cannot overwrite directory ${to} with non-directory ${from})`;
    throw describedError(
      "ERR_FS_CP_NON_DIR_TO_DIR",
      "Cannot overwrite directory with non-directory",
      "cp",
      EISDIR,
      reason,
      to,
    );
  } else if (present !== undefined && !options.force) {
    if (options.errorOnExist) {
      throw describedError(
        "ERR_FS_CP_EEXIST",
        "Target already exists",
        "cp",
        EINVAL,
        `EEXIST (${to} already exists)`,
        to,
      );
    }
  } else copyLeaf(from, to, fields, present, options);
}

function copyLeaf(from, to, fields, present, { preserveTimestamps }) {
  const [where, there] = [absolute(from), absolute(to)];
  makeParents(paths.dirname(there));
  if (present !== undefined) native.unlink(there);
  if (isLink(fields)) attempt("symlink", () => native.symlink(native.readlink(where), there), from, to);
  else attempt("copyfile", () => copyContent(where, there, false), from, to);
  const [, , , , , atime, mtime] = fields;
  if (preserveTimestamps && !isLink(fields)) native.utimes(there, atime, mtime);
}

function makeParents(where) {
  if (lookUp(where) !== undefined) return;
  makeParents(paths.dirname(where));
  native.mkdir(where, DIRECTORY_MODE);
}

function copyDirectory(from, to, present, options) {
  if (!options.recursive) {
    const reason = `EISDIR (${from} is a directory (not copied))`;
    throw describedError("ERR_FS_EISDIR", "Path is a directory", "cp", EISDIR, reason, from);
  }
  const [where, there] = [absolute(from), absolute(to)];
  if (`${there}/`.startsWith(`${where}/`)) {
    const reason = `EINVAL (cannot copy ${from} to a subdirectory of self ${to})`;
    throw describedError("ERR_FS_CP_EINVAL", "Invalid src or dest", "cp", EINVAL, reason, to);
  }
  if (present !== undefined && !isDirectory(present)) {
    const reason = `ENOTDIR (cannot overwrite non-directory ${to} with directory ${from})`;
    throw describedError(
      "ERR_FS_CP_DIR_TO_NON_DIR",
      "Cannot overwrite non-directory with directory",
      "cp",
      EISDIR,
      reason,
      to,
    );
  }
  makeParents(there);
  for (const [name] of native.readdir(where))
    copyEntry(paths.join(from, name), paths.join(to, name), options);
}

export function cpSync(from, to, options = {}) {
  const settings = { force: true, recursive: false, ...options };
  if (settings.filter !== undefined && typeof settings.filter !== "function") {
    throw codedError(
      TypeError,
      "ERR_INVALID_ARG_TYPE",
      'The "options.filter" property must be of type function.',
    );
  }
  copyEntry(pathText(from, "src"), pathText(to, "dest"), settings);
}
