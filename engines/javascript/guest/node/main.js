/**
 * The library around the language: installs Node's and the web's globals into the realm that it runs in, and
 * gives the harness what it drives them with: see library.d.ts. Called once, at boot; what it stands on is
 * in ../native.d.ts.
 *
 * What the harness calls in every execution (inspect, timers, ticks, the environment) uses only what was read
 * at boot, through locals of the bundle or saved here; users may overwrite whatever they see.
 */
import { assert } from "./assert/index.js";
import * as buffer from "./buffer.js";
import { console } from "./console.js";
import * as crypto from "./crypto.js";
import { systemError } from "./errors.js";
import { EventEmitter } from "./events.js";
import { fs, promises as fsPromises } from "./fs/index.js";
import { format, formatWithOptions, inspect } from "./inspect.js";
import { installIntl } from "./intl/index.js";
import * as loop from "./loop.js";
import { nameFunctions } from "./naming.js";
import { os } from "./os.js";
import { path } from "./path.js";
import * as performance from "./performance.js";
import {
  announceExit,
  announceUncaught,
  getCwd,
  process,
  setCwd,
  setEnvironment,
  takeExitCode,
} from "./process.js";
import { makeInput, makeOutput } from "./process_io.js";
import { querystring } from "./querystring.js";
import * as readline from "./readline.js";
import { stream } from "./stream.js";
import { StringDecoder } from "string_decoder";
import { dropTicks, hasTicks, runTicks } from "./ticks.js";
import * as timers from "./timers.js";
import { fetch, missing } from "./unavailable.js";
import { util } from "./util.js";
import { define } from "./util_basics.js";
import { AbortController, AbortSignal } from "./web/abort.js";
import { Blob, File } from "./web/blob.js";
import { structuredClone } from "./web/clone.js";
import { TextDecoder, TextEncoder } from "./web/encoding.js";
import { CustomEvent, Event, EventTarget } from "./web/events.js";
import * as url from "./web/url.js";
import { zlib } from "./zlib.js";

const [STDOUT, STDERR] = [1, 2];

/** Streams are made when somebody asks for them: most executions print through `console` only. */
function defineStreams() {
  let input;
  const outputs = { __proto__: null };
  const output = (name, fd) => ({
    get: () => (outputs[name] ??= makeOutput(fd)),
    enumerable: true,
    configurable: true,
  });
  Object.defineProperties(process, {
    stdin: { get: () => (input ??= makeInput()), enumerable: true, configurable: true },
    stdout: output("stdout", STDOUT),
    stderr: output("stderr", STDERR),
  });
  return function newInput() {
    input = undefined;
  };
}

const GLOBALS = {
  console,
  process,
  Buffer: buffer.Buffer,
  ...timers.globals,
  URL: url.module.URL,
  URLSearchParams: url.URLSearchParams,
  TextEncoder,
  TextDecoder,
  AbortController,
  AbortSignal,
  Event,
  EventTarget,
  CustomEvent,
  Blob,
  File,
  structuredClone,
  atob: buffer.module.atob,
  btoa: buffer.module.btoa,
  crypto: crypto.webcrypto,
  performance: performance.performance,
  Performance: performance.Performance,
  PerformanceEntry: performance.PerformanceEntry,
  PerformanceMark: performance.PerformanceMark,
  PerformanceMeasure: performance.PerformanceMeasure,
  Crypto: crypto.Crypto,
  SubtleCrypto: crypto.SubtleCrypto,
  navigator: {
    hardwareConcurrency: 1,
    language: "en-US",
    languages: ["en-US"],
    platform: "linux",
    userAgent: "Node.js/20",
  },
  fetch,
  global: globalThis,
};

const blobModule = { ...buffer.module, Blob, File };

/** Builtin modules by name, without "node:". */
const MODULES = {
  __proto__: null,
  assert: () => assert,
  "assert/strict": () => assert.strict,
  buffer: () => blobModule,
  console: () => console,
  constants: () => fs.constants,
  crypto: () => crypto.module,
  events: () => EventEmitter,
  fs: () => fs,
  "fs/promises": () => fsPromises,
  os: () => os,
  path: () => path,
  "path/posix": () => path,
  perf_hooks: () => performance.module,
  process: () => process,
  querystring: () => querystring,
  readline: () => readline.module,
  "readline/promises": () => readline.promises,
  stream: () => stream,
  "stream/promises": () => stream.promises,
  string_decoder: () => stringDecoder,
  sys: () => util,
  tty: () => tty,
  timers: () => timers.module,
  "timers/promises": () => timers.promises,
  url: () => url.module,
  util: () => util,
  "util/types": () => util.types,
  zlib: () => zlib,
};
const stringDecoder = { StringDecoder };
const tty = { isatty: () => false };

/** Milliseconds until something is due; -1 when nothing is left. What `nextTick` was given is due at once. */
const next = () => (hasTicks() ? 0 : loop.untilNext());

function run() {
  if (!runTicks()) loop.runNext();
}

/** Nothing that waits outlives the execution that it was to be part of. */
function clear() {
  loop.clear();
  dropTicks();
}

export default function install() {
  const newInput = defineStreams();
  define(globalThis, GLOBALS);
  nameFunctions(GLOBALS);
  for (const name in MODULES) nameFunctions(MODULES[name]());
  installIntl(globalThis);
  return {
    inspect,
    format,
    formatWithOptions,
    modules: MODULES,
    missing,
    timers: { next, run, clear },
    ticks: runTicks,
    setEnvironment,
    directory: { get: getCwd, set: setCwd },
    systemError,
    beginExecution: newInput,
    uncaught: announceUncaught,
    ending: announceExit,
    exitCode: takeExitCode,
  };
}
