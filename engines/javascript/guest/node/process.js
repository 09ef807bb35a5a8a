/** The `process` object: the surroundings that the host gives an execution. */
import { EventEmitter } from "./events.js";
import {
  checkInteger,
  checkString,
  codedError,
  invalidArgType,
  notAvailable,
  systemErrorOf,
} from "./errors.js";
import { native } from "./native.js";
import { sinceStart } from "./performance.js";
import { path } from "./path.js";
import { nextTick } from "./ticks.js";

const VERSION = "v20.0.0";
const IS_DIRECTORY = 0o040000;
const TYPE_MASK = 0o170000;
const STDERR = 2;
const NANOSECONDS = 1_000_000_000n;
/** The exit status of a process that failed. */
const FAILURE = 1;
const LAST_STATUS = 255;
const HOME = "/workspace";

const { stat, write, exit, monotonic, memory } = native;
const ownKeys = Reflect.ownKeys;
const defineProperty = Reflect.defineProperty;

let directory = HOME;
/** What process.env shows: text only, whatever is put in. */
const variables = {};

function textOf(value) {
  if (typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
  return `${value}`;
}
/** A descriptor that inherits nothing: users may have given Object.prototype a `get`. */
const asText = (value) => ({
  __proto__: null,
  value: textOf(value),
  writable: true,
  enumerable: true,
  configurable: true,
});

const environment = new Proxy(variables, {
  __proto__: null,
  set: (target, name, value) =>
    defineProperty(target, typeof name === "symbol" ? textOf(name) : name, asText(value)),
  defineProperty(target, name, descriptor) {
    if ("value" in descriptor) return defineProperty(target, name, asText(descriptor.value));
    const message = "'process.env' does not accept an accessor(getter/setter) descriptor";
    throw codedError(TypeError, "ERR_INVALID_OBJECT_DEFINE_PROPERTY", message);
  },
});

/** Makes the environment exactly this; what is the same already is not written again. */
export function setEnvironment(wanted) {
  const present = ownKeys(variables);
  for (let i = 0; i < present.length; i++) {
    if (wanted[present[i]] === undefined) delete variables[present[i]];
  }
  const names = ownKeys(wanted);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (variables[name] !== wanted[name]) defineProperty(variables, name, asText(wanted[name]));
  }
}

export const getCwd = () => directory;
export function setCwd(wanted) {
  directory = wanted;
}

function chdir(wanted) {
  checkString(wanted, "directory");
  const resolved = path.resolve(directory, wanted);
  let mode;
  try {
    [, , mode] = stat(resolved);
  } catch (error) {
    throw systemErrorOf(error.code, "chdir", directory, wanted);
  }
  if ((mode & TYPE_MASK) !== IS_DIRECTORY) throw systemErrorOf("ENOTDIR", "chdir", directory, wanted);
  directory = resolved;
}

function hrtime(since = undefined) {
  const time = monotonic();
  let seconds = Number(time / NANOSECONDS);
  let rest = Number(time % NANOSECONDS);
  if (since !== undefined) {
    if (!Array.isArray(since)) throw invalidArgType("time", "Array", since);
    seconds -= since[0];
    rest -= since[1];
    if (rest < 0) {
      seconds--;
      rest += Number(NANOSECONDS);
    }
  }
  return [seconds, rest];
}
hrtime.bigint = () => monotonic();

function memoryUsage() {
  const { used, limit, total } = memory();
  return { rss: total, heapTotal: limit, heapUsed: used, external: 0, arrayBuffers: 0 };
}
memoryUsage.rss = () => memory().total;

export function emitWarning(warning, typeOrOptions = "Warning", code = undefined) {
  const options =
    typeof typeOrOptions === "object" && typeOrOptions !== null
      ? typeOrOptions
      : { type: typeOrOptions, code };
  let error = warning;
  if (typeof warning === "string") {
    error = new Error(warning);
    error.name = options.type ?? "Warning";
    if (options.code !== undefined) error.code = options.code;
  } else if (!(warning instanceof Error)) throw invalidArgType("warning", ["Error", "string"], warning);
  if (process.noDeprecation && error.name === "DeprecationWarning") return;
  nextTick(() => {
    const named = error.code ? `[${error.code}] ` : "";
    write(STDERR, `(node:${process.pid}) ${named}${error.name}: ${error.message}\n`);
    if (options.detail) write(STDERR, `${options.detail}\n`);
    process.emit("warning", error);
  });
}

/** The status that Node makes of a code: an integer, or text of one. */
function statusOf(code) {
  if (code === undefined || code === null) return undefined;
  const status = typeof code === "string" && /^[-+]?\d+$/.test(code) ? Number(code) : code;
  if (typeof status !== "number") throw invalidArgType("code", "integer", code);
  checkInteger(status, "code");
  return status;
}

let exitCode;
let exiting = false;

/**
 * Emits 'exit' for the execution that ends with this status; gives the status to end with. Listeners are of
 * the execution that they were added in: in the next one nobody would expect them.
 */
export function announceExit(status) {
  if (exiting || process.listenerCount("exit") === 0) return exitCode ?? status;
  exiting = true;
  const before = exitCode;
  exitCode = status;
  try {
    process.emit("exit", status);
    return exitCode;
  } finally {
    process.removeAllListeners("exit");
    if (exitCode === status) exitCode = before;
    exiting = false;
  }
}

function quit(code = undefined) {
  const status = statusOf(code) ?? exitCode ?? 0;
  exitCode = undefined;
  const last = exiting ? status : announceExit(status);
  exitCode = undefined;
  exit(last & LAST_STATUS);
}

/** process.exitCode as the execution left it, and undefined from now on. */
export function takeExitCode() {
  const status = exitCode;
  if (status !== undefined) exitCode = undefined;
  return status === undefined ? undefined : status & LAST_STATUS;
}

function missing(name, why) {
  return {
    [name]: () => {
      throw notAvailable(`process.${name}`, why);
    },
  }[name];
}

const NO_PROCESSES = "there are no processes in the sandbox";

export const process = Object.create(
  Object.create(EventEmitter.prototype, {
    constructor: { value: function process() {}, writable: true, configurable: true },
  }),
);
EventEmitter.init.call(process);
Object.assign(process, {
  version: VERSION,
  versions: { node: VERSION.slice(1), quickjs: "0.17.0" },
  release: { name: "node", lts: "Iron" },
  arch: "wasm32",
  platform: "linux",
  title: "node",
  argv: ["/usr/local/bin/node"],
  argv0: "node",
  execArgv: [],
  execPath: "/usr/local/bin/node",
  pid: 1,
  ppid: 0,
  env: environment,
  features: {},
  config: { target_defaults: {}, variables: {} },
  cwd: () => directory,
  chdir,
  hrtime,
  uptime: () => sinceStart() / 1000,
  memoryUsage,
  cpuUsage: () => ({ user: Math.round(sinceStart() * 1000), system: 0 }),
  resourceUsage: () => ({
    userCPUTime: Math.round(sinceStart() * 1000),
    systemCPUTime: 0,
    maxRSS: memory().total / 1024,
  }),
  constrainedMemory: () => memory().total,
  availableMemory: () => memory().limit - memory().used,
  nextTick,
  emitWarning,
  exit: (code = undefined) => quit(code),
  reallyExit: (code = undefined) => quit(code),
  abort: () => quit(FAILURE),
  umask: () => 0o022,
  getuid: () => 0,
  geteuid: () => 0,
  getgid: () => 0,
  getegid: () => 0,
  getgroups: () => [0],
  kill: missing("kill", NO_PROCESSES),
  binding: missing("binding", "there is no native code to bind"),
  dlopen: missing("dlopen", "there is no native code to load"),
  getActiveResourcesInfo: () => [],
  hasUncaughtExceptionCaptureCallback: () => false,
  allowedNodeEnvironmentFlags: new Set(),
});
Object.defineProperty(process, "exitCode", {
  get: () => exitCode,
  set(code) {
    exitCode = statusOf(code);
  },
  enumerable: true,
  configurable: true,
});
Object.defineProperty(process, Symbol.toStringTag, { value: "process", configurable: true });

/** Asks the listeners of `process` about what nobody caught; true when there was one. */
export function announceUncaught(error, origin, promise) {
  if (origin === "unhandledRejection" && process.emit("unhandledRejection", error, promise)) return true;
  process.emit("uncaughtExceptionMonitor", error, origin);
  return process.emit("uncaughtException", error, origin);
}
