/** The parts of `util` that other modules (and bundled packages) need before `util` itself is there. */
import { checkFunction, invalidArgType } from "./errors.js";

export function inherits(constructor, parent) {
  checkFunction(constructor, "ctor");
  checkFunction(parent, "superCtor");
  if (parent.prototype === undefined) throw invalidArgType("superCtor.prototype", "Object", parent.prototype);
  Object.defineProperty(constructor, "super_", { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
}

/** Own properties of a namespace as a plain object, for `require` of what is written as an ES module. */
export const plain = (namespace) => Object.assign({}, namespace);

/** Defines what is not enumerable in Node either. */
export function define(target, members) {
  for (const key of Reflect.ownKeys(members)) {
    const descriptor = Object.getOwnPropertyDescriptor(members, key);
    Object.defineProperty(target, key, { ...descriptor, enumerable: false, configurable: true });
  }
  return target;
}
