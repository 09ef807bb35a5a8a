/**
 * Completes the name under the cursor: names of the cells, globals, members, modules, keywords.
 *
 * Looks without touching: no getter runs, and what is behind a proxy is not asked for.
 */
const MOST = 500;
const PATH = /((?:[\p{ID_Start}$_][\p{ID_Continue}$]*\s*\??\.\s*)*)([\p{ID_Start}$_][\p{ID_Continue}$]*)?$/u;
const MODULE = /\b(?:require|import)\s*\(\s*["'`]([^"'`\n]*)$|\bfrom\s*["']([^"'\n]*)$/;
const KEYWORDS = `async await break case catch class const continue debugger default delete do else export extends false
  finally for function if import in instanceof let new null of return static super switch this throw true try
  typeof var void while with yield`.split(/\s+/);
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const NOTHING = Symbol("nothing");

/** {matches, start}; positions are counted in code points. */
export function complete(native, realm, code, cursor) {
  const before = [...code].slice(0, cursor).join("");
  const [names, stem] = candidates(new Looker(native, realm), before);
  const matches = [...new Set(names)].filter((name) => name.startsWith(stem));
  matches.sort(byName);
  return { matches: matches.slice(0, MOST), start: cursor - [...stem].length };
}

/** Private names last. */
function byName(a, b) {
  return Number(a.startsWith("_")) - Number(b.startsWith("_")) || (a < b ? -1 : 1);
}

function candidates(looker, before) {
  const module = MODULE.exec(before);
  if (module !== null) return [looker.modules(), module[1] ?? module[2] ?? ""];
  const [, path, stem = ""] = PATH.exec(before);
  if (path === "") {
    const isNumberOrMember = /[.\d]$/.test(before);
    return stem === "" || isNumberOrMember ? [[], stem] : [[...looker.globals(), ...KEYWORDS], stem];
  }
  const owners = path.split(/\s*\??\.\s*/).slice(0, -1);
  return [looker.members(looker.follow(owners)), stem];
}

class Looker {
  constructor(native, realm) {
    this.native = native;
    this.realm = realm;
    this.lexical = native.lexicalNames();
  }

  modules() {
    const names = Object.keys(this.realm.library.modules);
    return [...names, ...names.map((name) => `node:${name}`)];
  }

  globals() {
    return [...this.ownNames(this.lexical), ...this.members(this.realm.global)];
  }

  ownNames(value) {
    return this.native.ownNames(value, false).filter((name) => typeof name === "string" && IDENTIFIER.test(name));
  }

  /** Names of the value and of its prototypes. */
  members(value) {
    const names = [];
    for (let owner = this.objectOf(value); owner !== undefined; owner = this.prototypeOf(owner)) {
      names.push(...this.ownNames(owner));
    }
    return names;
  }

  follow([first, ...rest]) {
    let value = this.read(this.lexical, first);
    if (value === NOTHING) value = first === "globalThis" ? this.realm.global : this.member(this.realm.global, first);
    for (const name of rest) value = this.member(value, name);
    return value;
  }

  member(value, name) {
    for (let owner = this.objectOf(value); owner !== undefined; owner = this.prototypeOf(owner)) {
      const found = this.read(owner, name);
      if (found !== NOTHING) return found;
    }
    return NOTHING;
  }

  /** An own property's value; nothing of one that is computed. */
  read(owner, name) {
    let descriptor;
    try {
      descriptor = Object.getOwnPropertyDescriptor(owner, name);
    } catch {
      return NOTHING; // declared, but it has no value yet
    }
    if (descriptor === undefined) return NOTHING;
    return "value" in descriptor ? descriptor.value : undefined;
  }

  /** The object whose members a value has. */
  objectOf(value) {
    if (value === NOTHING || value === null || value === undefined) return undefined;
    if (typeof value === "object" || typeof value === "function") return this.isPlain(value) ? value : undefined;
    return this.realm.prototypes[typeof value];
  }

  prototypeOf(object) {
    const prototype = Object.getPrototypeOf(object);
    return prototype !== null && this.isPlain(prototype) ? prototype : undefined;
  }

  isPlain(value) {
    return this.native.proxy(value) === undefined;
  }
}
