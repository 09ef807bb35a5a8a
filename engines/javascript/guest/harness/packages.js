/**
 * Files, folders and packages as Node looks for them, inside of the sandbox.
 */
import { endingOf, folderOf, join } from "./paths.js";

const ENDINGS = [".js", ".json", ".mjs", ".cjs", ".ts", ".mts"];
/** What a TypeScript program calls its own files by. */
const TYPESCRIPT_OF = new Map([
  [".js", ".ts"],
  [".mjs", ".mts"],
  [".cjs", ".cts"],
]);

export class PackageFinder {
  constructor(files) {
    this.files = files;
  }

  /** The file that a path means: itself, with an ending, or what is in a folder of that name. */
  fileAt(path, use) {
    const kind = this.files.kind(path);
    if (kind === "file") return path;
    for (const ending of ENDINGS) {
      if (this.files.isFile(path + ending)) return path + ending;
    }
    const ending = endingOf(path);
    const typed = TYPESCRIPT_OF.get(ending);
    if (typed !== undefined) {
      const source = path.slice(0, -ending.length) + typed;
      if (this.files.isFile(source)) return source;
    }
    return kind === "folder" ? this.mainOf(path, use) : undefined;
  }

  mainOf(folder, use) {
    const manifest = this.files.readJson(`${folder}/package.json`);
    const named = (use === "import" && text(manifest?.module)) || text(manifest?.main);
    if (named) {
      const found = this.fileAt(join(folder, named), use);
      if (found !== undefined) return found;
    }
    for (const ending of ENDINGS) {
      if (this.files.isFile(`${folder}/index${ending}`)) return `${folder}/index${ending}`;
    }
    return undefined;
  }

  /** A package's file, from the nearest node_modules on. */
  find(from, id, use) {
    const [, name, rest] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(id) ?? [];
    if (name === undefined) return undefined;
    for (let folder = from; ; folder = folderOf(folder)) {
      const place = `${folder === "/" ? "" : folder}/node_modules/${name}`;
      if (this.files.kind(place) === "folder") return this.inPackage(place, `.${rest}`, use);
      if (folder === "/") return undefined;
    }
  }

  inPackage(folder, subpath, use) {
    const exports = this.files.readJson(`${folder}/package.json`)?.exports;
    if (exports !== undefined && exports !== null) {
      const target = targetOf(exports, subpath, new Set([use, "node", "default", "module-sync"]));
      return target === undefined ? undefined : this.fileAt(join(folder, target), use);
    }
    return subpath === "." ? this.mainOf(folder, use) : this.fileAt(join(folder, subpath), use);
  }

  /** "module" or "commonjs" by the nearest package.json; undefined when none says so. */
  typeOf(path) {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      const manifest = this.files.readJson(`${folder === "/" ? "" : folder}/package.json`);
      if (manifest !== undefined) {
        return manifest.type === "module" || manifest.type === "commonjs" ? manifest.type : undefined;
      }
      if (folder === "/" || folder.endsWith("/node_modules")) return undefined;
    }
  }
}

function text(value) {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The file that a package's `exports` give for a subpath. */
function targetOf(exports, subpath, conditions) {
  const keys = typeof exports === "object" ? Object.keys(exports) : [];
  if (!keys.some((key) => key.startsWith("."))) {
    return subpath === "." ? chosen(exports, conditions) : undefined;
  }
  if (Object.hasOwn(exports, subpath)) return chosen(exports[subpath], conditions);
  for (const key of keys) {
    const [before, after] = key.split("*");
    if (after === undefined || !subpath.startsWith(before) || !subpath.endsWith(after)) continue;
    const middle = subpath.slice(before.length, subpath.length - after.length);
    return chosen(exports[key], conditions)?.replaceAll("*", () => middle);
  }
  return undefined;
}

function chosen(target, conditions) {
  if (typeof target === "string") return target;
  if (Array.isArray(target)) {
    return target.map((one) => chosen(one, conditions)).find((one) => one !== undefined);
  }
  if (typeof target !== "object" || target === null) return undefined;
  for (const key of Object.keys(target)) {
    const found = conditions.has(key) ? chosen(target[key], conditions) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
