/** `AbortController` and `AbortSignal`, and the error that Node's own functions give when aborted. */
import { customInspect, inspect } from "../inspect.js";
import { codedError } from "../errors.js";
import { addTimer } from "../loop.js";
import { Event, EventTarget, defineHandler } from "./events.js";

/** Node's own, with a code; a signal's default reason is a DOMException of the same name instead. */
export class AbortError extends Error {
  constructor(message = "The operation was aborted", options = undefined) {
    super(message, options);
    this.code = "ABORT_ERR";
    this.name = "AbortError";
  }
}

const CREATE = Symbol("create");
let abortSignal;

export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason = undefined;
  #dependents = [];

  constructor(key) {
    if (key !== CREATE) throw codedError(TypeError, "ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor");
    super();
  }

  static {
    abortSignal = (signal, reason) => {
      if (signal.#aborted) return;
      signal.#aborted = true;
      signal.#reason =
        reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
      signal.dispatchEvent(new Event("abort"));
      for (const dependent of signal.#dependents) abortSignal(dependent, signal.#reason);
      signal.#dependents = [];
    };
  }

  get aborted() {
    return this.#aborted;
  }
  get reason() {
    return this.#reason;
  }
  throwIfAborted() {
    if (this.#aborted) throw this.#reason;
  }

  static abort(reason) {
    const signal = new AbortSignal(CREATE);
    abortSignal(signal, reason);
    return signal;
  }

  static timeout(delay) {
    const signal = new AbortSignal(CREATE);
    const expire = () =>
      abortSignal(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    // Does not keep an execution waiting, as in Node.
    addTimer(expire, Math.max(1, delay), false, signal).kept = false;
    return signal;
  }

  static any(signals) {
    const result = new AbortSignal(CREATE);
    const all = [...signals];
    const aborted = all.find((signal) => signal.aborted);
    if (aborted) abortSignal(result, aborted.reason);
    else for (const signal of all) signal.#dependents.push(result);
    return result;
  }

  [customInspect](depth, options) {
    if (depth < 0) return "AbortSignal";
    return `AbortSignal ${inspect({ aborted: this.aborted }, options)}`;
  }
}
defineHandler(AbortSignal.prototype, "abort");

export class AbortController {
  #signal = new AbortSignal(CREATE);
  get signal() {
    return this.#signal;
  }
  abort(reason = undefined) {
    abortSignal(this.#signal, reason);
  }
  [customInspect](depth, options) {
    if (depth < 0) return "AbortController";
    return `AbortController ${inspect({ signal: this.#signal }, options)}`;
  }
}
for (const { prototype } of [AbortController, AbortSignal]) {
  Object.defineProperty(prototype, Symbol.toStringTag, {
    value: prototype.constructor.name,
    configurable: true,
  });
}
