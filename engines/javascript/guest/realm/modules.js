/**
 * `require`, `module` and the CommonJS loader.
 *
 * Where a module lies and what kind it is, the harness says; the module's objects are made here. Modules that
 * were loaded stay in `require.cache` until somebody deletes them there.
 */
export function installModules(harness, native, library) {
  const { defineProperty, setPrototypeOf, keys } = Object;
  const { apply } = Reflect;
  const parseJson = JSON.parse;
  const cache = setPrototypeOf({}, null);

  class Module {
    constructor(id, parent) {
      this.id = id;
      this.path = harness.folderOf(id);
      this.exports = {};
      this.filename = id;
      this.loaded = false;
      this.children = [];
      this.paths = [];
      defineProperty(this, "parent", { value: parent, enumerable: false, writable: true, configurable: true });
      defineProperty(this, "require", {
        value: makeRequire(id, this),
        enumerable: false,
        writable: true,
        configurable: true,
      });
    }
  }

  /** What the harness found; its answer is an Error of this realm when there is nothing. */
  function checked(answer) {
    if (native.className(answer) === "Error") throw answer;
    return answer;
  }

  function builtin(name) {
    return library.modules[name]();
  }

  /** Exports of the module that `id` means in `base`, a file or a cell. */
  function load(base, id, parent) {
    const found = checked(harness.find(base, id));
    if (found.kind === "builtin") return builtin(found.name);
    const cached = cache[found.name];
    if (cached !== undefined) return cached.exports;
    if (found.kind === "module") return loadModule(found.name);
    const module = new Module(found.name, parent);
    cache[found.name] = module;
    let complete = false;
    try {
      fill(module, found);
      complete = true;
    } finally {
      if (!complete) delete cache[found.name];
    }
    return module.exports;
  }

  function fill(module, found) {
    const source = checked(harness.read(found.name));
    if (found.kind === "json") {
      module.exports = parseJson(source);
    } else {
      const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
      const body = native.evaluate(wrapped, found.name);
      const given = [module.exports, module.require, module, module.filename, module.path];
      apply(body, module.exports, given);
    }
    module.loaded = true;
  }

  /** An ES module as `require` gives it: its namespace, which is complete unless it awaits something. */
  function loadModule(name) {
    const [state, value, namespace] = checked(harness.runModule(name));
    if (state === "rejected") throw value;
    if (state === "pending") {
      const error = new Error(`require() cannot load ${name}, which awaits at its top; use import()`);
      error.code = "ERR_REQUIRE_ASYNC_MODULE";
      throw error;
    }
    return namespace;
  }

  function makeRequire(base, parent) {
    function require(id) {
      if (typeof id !== "string" || id === "") {
        const error = new TypeError('The "id" argument must be a non-empty string');
        error.code = "ERR_INVALID_ARG_TYPE";
        throw error;
      }
      return load(base, id, parent);
    }
    require.resolve = function resolve(id) {
      const found = checked(harness.find(base, `${id}`));
      return found.kind === "builtin" ? found.shown : found.name;
    };
    require.cache = cache;
    require.main = undefined;
    return require;
  }

  const root = new Module("<repl>", null);
  Module._cache = cache;
  Module.builtinModules = keys(library.modules);
  Module.createRequire = (from) => makeRequire(harness.pathOf(`${from}`), null);
  Module.isBuiltin = (name) => harness.isBuiltin(`${name}`);
  Module.Module = Module;
  library.modules.module = () => Module;
  for (const [name, value] of [["require", root.require], ["module", root], ["exports", root.exports]]) {
    defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
  }
  return {
    builtin,
    /** For `import` of a CommonJS or JSON file: its exports. */
    loadCommonJs: (name) => load("", name, null),
    exportNames: (value) => (value !== null && (typeof value === "object" || typeof value === "function") ? keys(value) : []),
  };
}
