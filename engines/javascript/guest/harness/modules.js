/**
 * Finds modules as Node does, and says what kind each is.
 *
 * A module's name is "node:NAME" for one that is built in, and else its path, with the query of an `import`.
 * Errors are made in the user's realm and given back, never thrown: what is thrown here would be ours.
 */
import { Files } from "./files.js";
import { PackageFinder } from "./packages.js";
import { endingOf, folderOf, join } from "./paths.js";
import { stripTypes } from "./typescript.js";

const BUILTIN = "node:";
const FILE_URL = "file://";
const TYPESCRIPT = new Set([".ts", ".mts", ".cts"]);
const KINDS = new Map([
  [".mjs", "module"],
  [".mts", "module"],
  [".cjs", "commonjs"],
  [".cts", "commonjs"],
  [".json", "json"],
]);
/** What only a module, or a script that waits at its top, may hold. */
const MODULE_WORDS = /\b(?:import|export|await)\b/;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

export class ModuleFinder {
  constructor(native, realm) {
    this.native = native;
    this.realm = realm;
    this.files = new Files(native);
    this.packages = new PackageFinder(this.files);
    /** Made after us: guest/realm/modules.js's part, and the execution's list. */
    this.user = undefined;
    this.rejections = undefined;
  }

  /** What guest/realm/modules.js may call. */
  forUsers() {
    return {
      find: (base, id) => this.find(base, id),
      read: (name) => this.read(name),
      runModule: (name) => this.runModule(name),
      isBuiltin: (name) => this.builtinName(name) !== undefined,
      folderOf: (id) => this.folderOfBase(id),
      pathOf: (text) => (text.startsWith(FILE_URL) ? fromUrl(text) : text),
    };
  }

  // Names --------------------------------------------------------------------------------------------

  builtinName(id) {
    const name = id.startsWith(BUILTIN) ? id.slice(BUILTIN.length) : id;
    return Object.hasOwn(this.realm.library.modules, name) ? name : undefined;
  }

  /** The folder that relative names count from in a file; in a cell it is the working directory. */
  folderOfBase(base) {
    return base.startsWith("/") ? folderOf(withoutQuery(base)) : this.realm.library.directory.get();
  }

  /** The file of an id, or an Error. `use` is "require" or "import". */
  locate(base, id, use) {
    const folder = this.folderOfBase(base);
    const isPath = /^(?:\.{0,2}\/|\.{1,2}$)/.test(id) || id.startsWith(FILE_URL);
    const path = isPath ? this.packages.fileAt(join(folder, id.startsWith(FILE_URL) ? fromUrl(id) : id), use)
      : this.packages.find(folder, id, use);
    return path ?? this.notFound(base, id, use, isPath);
  }

  notFound(base, id, use, isPath) {
    const { makeError, library } = this.realm;
    const absent = library.missing?.(id.startsWith(BUILTIN) ? id.slice(BUILTIN.length) : id);
    if (absent !== undefined) return absent;
    if (id.startsWith(BUILTIN)) {
      return makeError("Error", `No such built-in module: ${id}`, "ERR_UNKNOWN_BUILTIN_MODULE");
    }
    const from = base.startsWith("/") ? ` (from ${base})` : "";
    const hint = isPath ? "" : ". Nothing can be installed here: packages must lie in /workspace/node_modules";
    const code = use === "require" ? "MODULE_NOT_FOUND" : "ERR_MODULE_NOT_FOUND";
    return makeError("Error", `Cannot find module '${id}'${from}${hint}`, code);
  }

  // Kinds --------------------------------------------------------------------------------------------

  kindOf(path) {
    const ending = endingOf(path);
    const kind = KINDS.get(ending);
    if (kind !== undefined) return kind;
    const type = this.packages.typeOf(path);
    if (type !== undefined) return type;
    const source = this.read(path);
    return typeof source === "string" && this.isModuleText(source) ? "module" : "commonjs";
  }

  /** As Node decides: what does not compile as a CommonJS module, and speaks of modules, is one. */
  isModuleText(source) {
    if (!MODULE_WORDS.test(source)) return false;
    try {
      this.native.evaluate(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, "module");
      return false;
    } catch {
      return true;
    }
  }

  /** A file's text as JavaScript or JSON, or an Error. */
  read(path) {
    let source;
    try {
      source = this.files.read(withoutQuery(path));
    } catch (error) {
      return error;
    }
    source = source.replace(/^#!.*/, "");
    if (!TYPESCRIPT.has(endingOf(withoutQuery(path)))) return source;
    const stripped = stripTypes(source);
    if (stripped.refused !== undefined) return this.realm.makeError("SyntaxError", `${stripped.refused} (${path})`);
    return stripped.code ?? source;
  }

  // require() ----------------------------------------------------------------------------------------

  find(base, id) {
    const name = this.builtinName(id);
    if (name !== undefined) return { kind: "builtin", name, shown: id };
    const path = this.locate(base, id, "require");
    return typeof path === "string" ? { kind: this.kindOf(path), name: path } : path;
  }

  /** [state, value of the evaluation, namespace], or an Error. */
  runModule(name) {
    let pair;
    try {
      pair = this.native.runModule(name);
    } catch (error) {
      return error;
    }
    const [promise, namespace] = pair;
    // Whoever called require() gets the error, so it is handled.
    this.rejections.forget(promise);
    const [state, value] = this.native.promise(promise);
    return [["pending", "fulfilled", "rejected"][state], value, namespace];
  }

  // import -------------------------------------------------------------------------------------------

  resolve(base, specifier) {
    const name = this.builtinName(specifier);
    if (name !== undefined) return BUILTIN + name;
    const query = /[?#].*$/.exec(specifier)?.[0] ?? "";
    const path = this.locate(base, withoutQuery(specifier), "import");
    return typeof path === "string" ? path + query : path;
  }

  /** Source text of a module, [names, values] of one that is made of an object, or an Error. */
  load(name) {
    if (name.startsWith(BUILTIN)) return exported(this.user, this.user.builtin(name.slice(BUILTIN.length)));
    const path = withoutQuery(name);
    const kind = this.kindOf(path);
    if (kind === "module") return this.read(path);
    try {
      const value = this.user.loadCommonJs(path);
      return kind === "json" ? [["default"], [value]] : exported(this.user, value);
    } catch (error) {
      return this.native.className(error) === "Error" ? error : this.realm.makeError("Error", "the module threw");
    }
  }

  /** Fills a module's `import.meta`. */
  describe(meta, name) {
    const path = withoutQuery(name);
    const fields = { url: `${FILE_URL}${toUrl(path)}${name.slice(path.length)}`, filename: path, dirname: folderOf(path) };
    for (const key of Object.keys(fields)) {
      Reflect.defineProperty(meta, key, { value: fields[key], writable: true, enumerable: true, configurable: true });
    }
  }
}

/** [names, values] of an object's exports, besides which it is the default export itself. */
function exported(user, value) {
  const names = ["default"];
  const values = [value];
  for (const name of user.exportNames(value)) {
    if (name === "default" || !IDENTIFIER.test(name)) continue;
    names.push(name);
    values.push(value[name]);
  }
  return [names, values];
}

function withoutQuery(name) {
  return name.startsWith("/") || name.startsWith(".") || name.startsWith(FILE_URL) ? name.replace(/[?#].*$/, "") : name;
}

function fromUrl(url) {
  return decodeURIComponent(url.replace(/^file:\/\/[^/]*/, "").replace(/[?#].*$/, ""));
}

function toUrl(path) {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}
