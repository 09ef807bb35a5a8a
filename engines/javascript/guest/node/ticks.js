/**
 * The queue of `process.nextTick`: runs before promise jobs, whenever user code has come to its end.
 * A linked list of plain records, so that nothing that users can replace is touched.
 */
import { checkFunction } from "./errors.js";

let first;
let last;

export function nextTick(callback, ...given) {
  checkFunction(callback, "callback");
  const tick = { __proto__: null, callback, given, next: undefined };
  if (last === undefined) first = tick;
  else last.next = tick;
  last = tick;
}

/** Runs all, also those that come meanwhile; true if there was one. What one throws goes through. */
export function runTicks() {
  if (first === undefined) return false;
  while (first !== undefined) {
    const { callback, given, next } = first;
    first = next;
    if (next === undefined) last = undefined;
    // Not by Reflect.apply: it would stand in the user's stack.
    if (given.length === 0) callback();
    else callback(...given);
  }
  return true;
}

export const hasTicks = () => first !== undefined;

export function dropTicks() {
  first = last = undefined;
}
