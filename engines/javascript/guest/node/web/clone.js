/** `structuredClone`: the standard's algorithm over everything that the language itself can hold. */
import { native } from "../native.js";

const { className } = native;
const ERRORS = {
  __proto__: null,
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

function cannotClone(value) {
  const shown = typeof value === "function" ? Function.prototype.toString.call(value) : describe(value);
  return new DOMException(`${shown} could not be cloned.`, "DataCloneError");
}

function describe(value) {
  return typeof value === "symbol" ? String(value) : `#<${value.constructor?.name ?? className(value)}>`;
}

/** Own enumerable properties, in order. */
function cloneProperties(from, to, clone) {
  for (const key of Object.keys(from)) {
    Object.defineProperty(to, key, {
      value: clone(from[key]),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return to;
}

function errorCopy(error, remember, clone) {
  const Base = ERRORS[error.name] ?? Error;
  const copy = remember(new Base(error.message));
  const hidden = (name, value) =>
    Object.defineProperty(copy, name, { value, writable: true, configurable: true, enumerable: false });
  hidden("stack", `${error.stack}`);
  if (Object.hasOwn(error, "cause")) hidden("cause", clone(error.cause));
  return copy;
}

/** The view of the same kind over the copy of its buffer. */
function viewCopy(view, kind, clone) {
  const buffer = clone(view.buffer);
  if (kind === "DataView") return new DataView(buffer, view.byteOffset, view.byteLength);
  const View = globalThis[kind] ?? Uint8Array;
  return new View(buffer, view.byteOffset, view.length);
}

/** How a container of each internal class is copied. `remember` comes before what is inside: cycles. */
const COPIES = {
  __proto__: null,
  Object: (value, remember, clone) => cloneProperties(value, remember({}), clone),
  Array(value, remember, clone) {
    const copy = remember([]);
    copy.length = value.length;
    return cloneProperties(value, copy, clone);
  },
  Date: (value, remember) => remember(new Date(Date.prototype.getTime.call(value))),
  RegExp: (value, remember) => remember(new RegExp(value.source, value.flags)),
  Boolean: (value, remember) => remember(Object(Boolean.prototype.valueOf.call(value))),
  Number: (value, remember) => remember(Object(Number.prototype.valueOf.call(value))),
  String: (value, remember) => remember(Object(String.prototype.valueOf.call(value))),
  BigInt: (value, remember) => remember(Object(BigInt.prototype.valueOf.call(value))),
  Map(value, remember, clone) {
    const copy = remember(new Map());
    for (const [key, one] of [...Map.prototype.entries.call(value)]) copy.set(clone(key), clone(one));
    return copy;
  },
  Set(value, remember, clone) {
    const copy = remember(new Set());
    for (const one of [...Set.prototype.values.call(value)]) copy.add(clone(one));
    return copy;
  },
  Error: errorCopy,
  DOMException: (value, remember) => remember(new DOMException(value.message, value.name)),
  ArrayBuffer: (value, remember) => remember(value.slice(0)),
};

function copyOf(value, remember, clone) {
  const kind = className(value);
  if (ArrayBuffer.isView(value)) return remember(viewCopy(value, kind, clone));
  if (native.proxy(value) !== undefined) throw cannotClone(value);
  const copy = COPIES[kind];
  if (copy === undefined) throw cannotClone(value);
  return copy(value, remember, clone);
}

export function structuredClone(value, options = undefined) {
  if (arguments.length === 0) throw new TypeError('The "value" argument must be specified');
  const known = new Map();
  const moved = [...(options?.transfer ?? [])];
  for (const buffer of moved) {
    if (className(buffer) !== "ArrayBuffer") {
      throw new DOMException("Value could not be transferred.", "DataCloneError");
    }
  }
  const clone = (one) => {
    if (typeof one === "function" || typeof one === "symbol") throw cannotClone(one);
    if (typeof one !== "object" || one === null) return one;
    if (known.has(one)) return known.get(one);
    const remember = (copy) => {
      known.set(one, copy);
      return copy;
    };
    return copyOf(one, remember, clone);
  };
  const result = clone(value);
  // Only now, so that a clone that fails has moved nothing; what was copied is as good as moved.
  if (moved.length === 0) return result;
  for (const buffer of moved) buffer.transfer();
  return result;
}
