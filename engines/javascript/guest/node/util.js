/** The `util` module. */
import { parseArgs } from "@pkgjs/parseargs";
import comparisons from "assert/build/internal/util/comparisons.js";
import { Buffer } from "./buffer.js";
import {
  checkFunction,
  checkString,
  codedError,
  invalidArgType,
  invalidArgValue,
  systemErrors,
} from "./errors.js";
import { format, formatWithOptions, inspect, stripVTControlCharacters } from "./inspect.js";
import { emitWarning, process } from "./process.js";
import { nextTick } from "./ticks.js";
import * as types from "./types.js";
import { inherits, plain } from "./util_basics.js";
import { TextDecoder, TextEncoder } from "./web/encoding.js";

const CUSTOM = Symbol.for("nodejs.util.promisify.custom");

export function promisify(original) {
  checkFunction(original, "original");
  const custom = original[CUSTOM];
  if (custom !== undefined) {
    checkFunction(custom, "util.promisify.custom");
    return Object.defineProperty(custom, CUSTOM, { value: custom, configurable: true });
  }
  function promisified(...given) {
    return new Promise((resolve, reject) => {
      Reflect.apply(original, this, [...given, (error, value) => (error ? reject(error) : resolve(value))]);
    });
  }
  Object.setPrototypeOf(promisified, Object.getPrototypeOf(original));
  Object.defineProperty(promisified, CUSTOM, { value: promisified, configurable: true });
  return Object.defineProperties(promisified, Object.getOwnPropertyDescriptors(original));
}
promisify.custom = CUSTOM;

function rejection(reason) {
  if (reason) return reason;
  const error = codedError(Error, "ERR_FALSY_VALUE_REJECTION", "Promise was rejected with falsy value");
  error.reason = reason;
  return error;
}

export function callbackify(original) {
  checkFunction(original, "original");
  function callbackified(...given) {
    const callback = given.pop();
    checkFunction(callback, "last argument");
    Reflect.apply(original, this, given).then(
      (value) => nextTick(callback, null, value),
      (reason) => nextTick(callback, rejection(reason)),
    );
  }
  Object.defineProperty(callbackified, "name", { value: `${original.name}Callbackified` });
  return callbackified;
}

const warned = new Set();

export function deprecate(original, message, code = undefined) {
  let told = false;
  function deprecated(...given) {
    if (!told && !(code !== undefined && warned.has(code))) emitWarning(message, "DeprecationWarning", code);
    told = true;
    if (code !== undefined) warned.add(code);
    return new.target ? Reflect.construct(original, given, new.target) : Reflect.apply(original, this, given);
  }
  Object.setPrototypeOf(deprecated, original);
  if (original.prototype) deprecated.prototype = original.prototype;
  return deprecated;
}

/** Marked with colours only when that is asked for although no terminal is there. */
export function styleText(styles, text, { validateStream = true } = {}) {
  checkString(text, "text");
  const wanted = [styles].flat();
  let [before, after] = ["", ""];
  for (const style of wanted) {
    const codes = inspect.colors[style];
    if (codes === undefined)
      throw invalidArgValue("format", style, `must be one of: ${Object.keys(inspect.colors)}`);
    before += `\u001b[${codes[0]}m`;
    after = `\u001b[${codes[1]}m${after}`;
  }
  return validateStream ? text : before + text + after;
}

export class MIMEType {
  constructor(input) {
    const [essence, ...rest] = `${input}`.trim().split(";");
    if (!/^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/.test(essence.trim())) {
      throw codedError(TypeError, "ERR_INVALID_MIME_SYNTAX", `The MIME syntax for "${input}" is invalid`);
    }
    [this.type, this.subtype] = essence.trim().toLowerCase().split("/");
    this.params = new Map(
      rest
        .map((pair) => pair.trim().split("="))
        .map(([key, value = ""]) => [key, value.replace(/^"|"$/g, "")]),
    );
  }
  get essence() {
    return `${this.type}/${this.subtype}`;
  }
  toString() {
    return [this.essence, ...[...this.params].map(([key, value]) => `${key}=${value}`)].join(";");
  }
}

/** `debuglog`, on when NODE_DEBUG names the section. */
function debuglog(section) {
  const wanted = () => new RegExp(`(^|[\\s,])${section}($|[\\s,])`, "i").test(process.env.NODE_DEBUG ?? "");
  const log = (...given) => {
    if (wanted()) process.stderr.write(`${section.toUpperCase()} ${process.pid}: ${format(...given)}\n`);
  };
  return Object.defineProperty(log, "enabled", { get: wanted });
}

function toUSVString(text) {
  return `${text}`.toWellFormed();
}

function aborted(signal, resource) {
  if (signal === undefined || resource === null) throw invalidArgType("signal", "AbortSignal", signal);
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

const is = (kind) => (value) => typeof value === kind;
export const isDeepStrictEqual = (a, b) => comparisons.isDeepStrictEqual(a, b);

export const util = {
  inspect,
  format,
  formatWithOptions,
  stripVTControlCharacters,
  promisify,
  callbackify,
  deprecate,
  inherits,
  styleText,
  isDeepStrictEqual,
  parseArgs,
  types: plain(types),
  TextEncoder,
  TextDecoder,
  MIMEType,
  debuglog,
  debug: debuglog,
  toUSVString,
  aborted,
  getSystemErrorName: (number) => systemErrors().get(number)?.[0],
  getSystemErrorMap: systemErrors,
  _extend: (target, source) => Object.assign(target, source),
  isBuffer: (value) => value instanceof Buffer,
  isArray: Array.isArray,
  isBoolean: is("boolean"),
  isNull: (value) => value === null,
  isNullOrUndefined: (value) => value === null || value === undefined,
  isNumber: is("number"),
  isString: is("string"),
  isSymbol: is("symbol"),
  isUndefined: is("undefined"),
  isFunction: is("function"),
  isObject: (value) => value !== null && typeof value === "object",
  isRegExp: types.isRegExp,
  isDate: types.isDate,
  isError: (value) => types.isNativeError(value) || value instanceof Error,
  isPrimitive: (value) => value === null || (typeof value !== "object" && typeof value !== "function"),
};
