/** The `events` module: the package's EventEmitter, with what Node has added to it since. */
import EventEmitter from "events";
import { checkFunction, codedError, invalidArgType } from "./errors.js";
import { inspect } from "./inspect.js";
import { AbortError } from "./web/abort.js";

export { EventEmitter };

const isTarget = (emitter) => typeof emitter.addEventListener === "function";

function listen(emitter, name, listener, options) {
  if (typeof emitter.on === "function") {
    if (options?.once) emitter.once(name, listener);
    else emitter.on(name, listener);
  } else if (isTarget(emitter)) emitter.addEventListener(name, listener, options);
  else throw invalidArgType("emitter", "EventEmitter", emitter);
}

function unlisten(emitter, name, listener) {
  if (typeof emitter.removeListener === "function") emitter.removeListener(name, listener);
  else emitter.removeEventListener(name, listener);
}

/** A promise of the arguments of the next event of that name. */
export async function once(emitter, name, { signal } = {}) {
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const { promise, resolve, reject } = Promise.withResolvers();
  const abort = () => reject(new AbortError(undefined, { cause: signal.reason }));
  const happened = (...values) => resolve(values);
  listen(emitter, name, happened, { once: true });
  const failing = name !== "error" && typeof emitter.once === "function";
  if (failing) emitter.once("error", reject);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await promise;
  } finally {
    unlisten(emitter, name, happened);
    if (failing) emitter.removeListener("error", reject);
    signal?.removeEventListener("abort", abort);
  }
}

/** An async iterator over the arguments of all events of that name. */
export function on(emitter, name, { signal, close = [] } = {}) {
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const arrived = [];
  const waiting = [];
  let failure;
  let finished = false;
  const arrive = (...values) => {
    const next = waiting.shift();
    if (next) next.resolve({ value: values, done: false });
    else arrived.push(values);
  };
  const finish = () => {
    finished = true;
    unlisten(emitter, name, arrive);
    if (name !== "error") unlisten(emitter, "error", fail);
    for (const ending of close) unlisten(emitter, ending, finish);
    signal?.removeEventListener("abort", abort);
    for (const next of waiting.splice(0)) next.resolve({ value: undefined, done: true });
    return Promise.resolve({ value: undefined, done: true });
  };
  const fail = (error) => {
    const next = waiting.shift();
    if (next) next.reject(error);
    else failure = { error };
    finish();
  };
  const abort = () => fail(new AbortError(undefined, { cause: signal.reason }));
  listen(emitter, name, arrive);
  if (name !== "error" && !isTarget(emitter)) listen(emitter, "error", fail);
  for (const ending of close) listen(emitter, ending, finish);
  signal?.addEventListener("abort", abort, { once: true });
  return Object.setPrototypeOf(
    {
      next() {
        if (arrived.length > 0) return Promise.resolve({ value: arrived.shift(), done: false });
        if (failure) {
          const { error } = failure;
          failure = undefined;
          return Promise.reject(error);
        }
        if (finished) return Promise.resolve({ value: undefined, done: true });
        const next = Promise.withResolvers();
        waiting.push(next);
        return next.promise;
      },
      return: finish,
      throw(error) {
        fail(error);
        return Promise.resolve({ value: undefined, done: true });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    },
    AsyncIteratorPrototype,
  );
}

const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

const packagedEmit = EventEmitter.prototype.emit;
const ERROR_MONITOR = Symbol("events.errorMonitor");

/** An error that nobody listens to is thrown; what is no Error is wrapped in one, as Node does. */
EventEmitter.prototype.emit = function emit(name, ...given) {
  if (name === "error") {
    if (this.listenerCount(ERROR_MONITOR) > 0) Reflect.apply(packagedEmit, this, [ERROR_MONITOR, ...given]);
    const [error] = given;
    if (this.listenerCount("error") === 0 && !(error instanceof Error)) {
      throw Object.assign(codedError(Error, "ERR_UNHANDLED_ERROR", `Unhandled error. (${inspect(error)})`), {
        context: error,
      });
    }
  }
  return Reflect.apply(packagedEmit, this, [name, ...given]);
};

/** The package's own complaint about a listener has no code. */
for (const name of [
  "on",
  "addListener",
  "prependListener",
  "once",
  "prependOnceListener",
  "off",
  "removeListener",
]) {
  const packaged = EventEmitter.prototype[name];
  EventEmitter.prototype[name] = {
    [name](event, listener) {
      checkFunction(listener, "listener");
      return Reflect.apply(packaged, this, [event, listener]);
    },
  }[name];
}

function addAbortListener(signal, listener) {
  if (signal.aborted) queueMicrotask(() => listener());
  else signal.addEventListener("abort", listener, { once: true });
  const remove = () => signal.removeEventListener("abort", listener);
  return { [Symbol.dispose ?? Symbol.for("nodejs.dispose")]: remove };
}

Object.assign(EventEmitter, {
  addAbortListener,
  EventEmitter,
  once,
  on,
  errorMonitor: ERROR_MONITOR,
  captureRejectionSymbol: Symbol.for("nodejs.rejection"),
  captureRejections: false,
  usingDomains: false,
  getEventListeners: (emitter, name) => (emitter.listeners ? emitter.listeners(name) : []),
  getMaxListeners: (emitter) => emitter.getMaxListeners?.() ?? EventEmitter.defaultMaxListeners,
  setMaxListeners(count = EventEmitter.defaultMaxListeners, ...emitters) {
    if (emitters.length === 0) EventEmitter.defaultMaxListeners = count;
    for (const emitter of emitters) emitter.setMaxListeners?.(count);
  },
});
