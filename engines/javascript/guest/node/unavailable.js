/** What Node has and the sandbox has not: each is missing with a sentence that says why. */
import { codedError, notAvailable } from "./errors.js";

const NETWORK = "there is no network in the sandbox";
const PROCESSES = "there are no processes in the sandbox";
const THREADS = "there are no threads in the sandbox";
const ENGINE = "the sandbox's engine is not V8";
const NOT_THERE = "the sandbox does not have it";

const REASONS = {
  __proto__: null,
  net: NETWORK,
  http: NETWORK,
  https: NETWORK,
  http2: NETWORK,
  dgram: NETWORK,
  dns: NETWORK,
  "dns/promises": NETWORK,
  tls: NETWORK,
  inspector: NETWORK,
  "inspector/promises": NETWORK,
  child_process: PROCESSES,
  cluster: PROCESSES,
  worker_threads: THREADS,
  v8: ENGINE,
  vm: NOT_THERE,
  wasi: NOT_THERE,
  async_hooks: NOT_THERE,
  repl: NOT_THERE,
  domain: NOT_THERE,
  diagnostics_channel: NOT_THERE,
  trace_events: NOT_THERE,
  test: NOT_THERE,
  sqlite: NOT_THERE,
  sea: NOT_THERE,
  "stream/web": NOT_THERE,
  "test/reporters": NOT_THERE,
};

/** The error of `require(name)`, when Node would have that module; undefined otherwise. */
export function missing(name) {
  const reason = REASONS[name];
  if (reason === undefined) return undefined;
  return codedError(Error, "ERR_MODULE_NOT_AVAILABLE", `The module '${name}' is not available: ${reason}`);
}

/** `fetch` is there, so that code can ask for it and be told. */
export async function fetch(resource) {
  const failure = new TypeError("fetch failed");
  Object.defineProperty(failure, "cause", {
    value: notAvailable(`fetch ${resource?.url ?? resource}`, NETWORK),
    configurable: true,
    writable: true,
  });
  throw failure;
}
