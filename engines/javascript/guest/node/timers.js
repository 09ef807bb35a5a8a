/** The `timers` and `timers/promises` modules and their globals, over the event loop. */
import { checkFunction } from "./errors.js";
import * as loop from "./loop.js";
import { AbortError } from "./web/abort.js";

const LONGEST = 2 ** 31 - 1;

/** Node's rule for delays: whatever is not within 1..2^31-1 is 1. */
function delayOf(given) {
  const delay = +given;
  return delay >= 1 && delay <= LONGEST ? Math.trunc(delay) : 1;
}

let entryOf;

class Timeout {
  #entry;
  constructor(callback, after, given, repeat) {
    const delay = delayOf(after);
    this._idleTimeout = delay;
    this._onTimeout = callback;
    this._repeat = repeat ? delay : null;
    this._destroyed = false;
    this.#entry = loop.addTimer(() => this.#run(given), delay, repeat, this);
  }

  #run(given) {
    if (!this.#entry.repeat) this._destroyed = true;
    // Not by Reflect.apply: it would stand in the user's stack.
    this._onTimeout(...given);
  }

  static {
    entryOf = (timer) => (#entry in timer ? timer.#entry : undefined);
  }

  ref() {
    this.#entry.kept = true;
    return this;
  }

  unref() {
    this.#entry.kept = false;
    return this;
  }

  hasRef() {
    return this.#entry.kept;
  }

  refresh() {
    if (this.#entry.queue !== undefined) loop.startTimer(this.#entry);
    return this;
  }

  close() {
    cancel(this);
    return this;
  }

  [Symbol.toPrimitive]() {
    return this.#entry.identity;
  }

  [Symbol.dispose ?? Symbol.for("nodejs.dispose")]() {
    cancel(this);
  }
}

class Immediate {
  #entry;
  constructor(callback, given) {
    this._onImmediate = callback;
    this._destroyed = false;
    this.#entry = loop.addImmediate(() => {
      this._destroyed = true;
      this._onImmediate(...given);
    }, this);
  }

  static stop(immediate) {
    if (typeof immediate !== "object" || immediate === null || !(#entry in immediate)) return;
    loop.stop(immediate.#entry);
    immediate._destroyed = true;
  }

  ref() {
    this.#entry.kept = true;
    return this;
  }

  unref() {
    this.#entry.kept = false;
    return this;
  }

  hasRef() {
    return this.#entry.kept;
  }
}
const stopImmediate = Immediate.stop;
delete Immediate.stop;

function cancel(timer) {
  let entry;
  if (typeof timer === "object" && timer !== null) entry = entryOf(timer);
  else if (typeof timer === "number" || typeof timer === "string") entry = loop.findTimer(+timer);
  if (entry === undefined) return;
  loop.stop(entry);
  entry.repeat = false;
  entry.owner._destroyed = true;
}

export function setTimeout(callback, after, ...given) {
  checkFunction(callback, "callback");
  return new Timeout(callback, after, given, false);
}

export function setInterval(callback, repeat, ...given) {
  checkFunction(callback, "callback");
  return new Timeout(callback, repeat, given, true);
}

export function setImmediate(callback, ...given) {
  checkFunction(callback, "callback");
  return new Immediate(callback, given);
}

export function clearTimeout(timer) {
  cancel(timer);
}

export function clearInterval(timer) {
  cancel(timer);
}

export function clearImmediate(immediate) {
  stopImmediate(immediate);
}

/** A promise that `start` settles, unless the signal comes first; `cancel` is called then. */
function waiting(start, cancelled, { signal, ref = true } = {}) {
  if (signal?.aborted) return Promise.reject(new AbortError(undefined, { cause: signal.reason }));
  const { promise, resolve, reject } = Promise.withResolvers();
  const timer = start(resolve);
  if (!ref) timer.unref();
  if (signal === undefined) return promise;
  const abort = () => {
    cancelled(timer);
    reject(new AbortError(undefined, { cause: signal.reason }));
  };
  signal.addEventListener("abort", abort, { once: true });
  return promise.finally(() => signal.removeEventListener("abort", abort));
}

export const promises = {
  setTimeout: (after, value, options) =>
    waiting((resolve) => setTimeout(resolve, after, value), clearTimeout, options),
  setImmediate: (value, options) =>
    waiting((resolve) => setImmediate(resolve, value), clearImmediate, options),
  async *setInterval(after, value, { signal, ref = true } = {}) {
    if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
    let due = 0;
    let wake;
    const timer = setInterval(() => {
      due++;
      wake?.();
    }, after);
    if (!ref) timer.unref();
    const abort = () => wake?.();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      for (;;) {
        if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
        if (due === 0) await new Promise((resolve) => (wake = resolve));
        for (; due > 0; due--) yield value;
      }
    } finally {
      clearInterval(timer);
      signal?.removeEventListener("abort", abort);
    }
  },
  scheduler: {
    wait: (after, options) => promises.setTimeout(after, undefined, options),
    yield: () => promises.setImmediate(),
  },
};

const promisified = Symbol.for("nodejs.util.promisify.custom");
Object.defineProperty(setTimeout, promisified, { get: () => promises.setTimeout });
Object.defineProperty(setImmediate, promisified, { get: () => promises.setImmediate });

export const globals = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate };
export const module = { ...globals, promises };
