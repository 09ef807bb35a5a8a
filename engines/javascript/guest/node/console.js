/** `console`: Node's text, written to the descriptors at once. */
import { format, formatWithOptions, inspect } from "./inspect.js";
import { native } from "./native.js";
import { now } from "./loop.js";
import { table } from "./console_table.js";

const [STDOUT, STDERR] = [1, 2];
const INDENTATION = 2;
const DEFAULT_LABEL = "default";

/** Milliseconds as Node shows them: 1.234ms, 1.234s, 1:02.003 (m:ss.mmm). */
function formatTime(ms) {
  const pad = (value) => `${value}`.padStart(2, "0");
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = (ms % 60_000) / 1000;
  if (hours > 0) return `${hours}:${pad(minutes)}:${pad(Math.trunc(seconds))} (h:mm:ss)`;
  if (minutes > 0) {
    const [whole, rest] = seconds.toFixed(3).split(".");
    return `${minutes}:${pad(whole)}.${rest} (m:ss.mmm)`;
  }
  if (seconds >= 1) return `${seconds.toFixed(3)}s`;
  return `${Number(ms.toFixed(3))}ms`;
}

/** A console over two functions that write text. */
export function makeConsole(writeOut, writeError) {
  const counts = new Map();
  const started = new Map();
  let indent = "";

  const line = (write, text) => {
    const shifted = indent === "" ? text : indent + text.replaceAll("\n", `\n${indent}`);
    write(`${shifted}\n`);
  };
  const out = (...given) => line(writeOut, format(...given));
  const fail = (...given) => line(writeError, format(...given));
  const warnAbout = (message) => writeError(`(node) Warning: ${message}\n`);

  function timeLog(label, given, ending) {
    const name = `${label}`;
    const since = started.get(name);
    if (since === undefined) {
      warnAbout(`No such label '${name}' for console.${ending ? "timeEnd" : "timeLog"}()`);
      return;
    }
    out("%s: %s", name, formatTime(now() - since), ...given);
    if (ending) started.delete(name);
  }

  return {
    log(...given) {
      out(...given);
    },
    warn(...given) {
      fail(...given);
    },
    dir(value, options = undefined) {
      line(writeOut, inspect(value, { customInspect: false, ...options }));
    },
    time(label = DEFAULT_LABEL) {
      const name = `${label}`;
      if (started.has(name)) warnAbout(`Label '${name}' already exists for console.time()`);
      else started.set(name, now());
    },
    timeEnd(label = DEFAULT_LABEL) {
      timeLog(label, [], true);
    },
    timeLog(label = DEFAULT_LABEL, ...given) {
      timeLog(label, given, false);
    },
    trace: function trace(...given) {
      const error = { name: "Trace", message: formatWithOptions({}, ...given) };
      Error.captureStackTrace(error, trace);
      const frames = `${error.stack ?? ""}`.split("\n").filter((frame) => /^\s+at /.test(frame));
      line(writeError, [`Trace${error.message === "" ? "" : `: ${error.message}`}`, ...frames].join("\n"));
    },
    assert(condition, ...given) {
      if (condition) return;
      if (typeof given[0] === "string") given[0] = `Assertion failed: ${given[0]}`;
      else given.unshift(given.length === 0 ? "Assertion failed" : "Assertion failed:");
      this.warn(...given);
    },
    clear() {},
    count(label = DEFAULT_LABEL) {
      const name = `${label}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      this.log(`${name}: ${count}`);
    },
    countReset(label = DEFAULT_LABEL) {
      const name = `${label}`;
      if (counts.has(name)) counts.set(name, 0);
      else warnAbout(`Count for '${name}' does not exist`);
    },
    group(...given) {
      if (given.length > 0) this.log(...given);
      indent += " ".repeat(INDENTATION);
    },
    groupEnd() {
      indent = indent.slice(INDENTATION);
    },
    table(data, columns = undefined) {
      if (data === null || typeof data !== "object") this.log(data);
      else this.log(table(data, columns));
    },
    debug(...given) {
      out(...given);
    },
    info(...given) {
      out(...given);
    },
    dirxml(...given) {
      out(...given);
    },
    error(...given) {
      fail(...given);
    },
    groupCollapsed(...given) {
      this.group(...given);
    },
  };
}

/** The methods may be taken off: each is bound, as in Node. */
function bound(members) {
  const console = Object.create({});
  for (const [name, method] of Object.entries(members)) {
    const held = method.bind(console);
    Object.defineProperty(held, "name", { value: name });
    console[name] = held;
  }
  return console;
}

const { write } = native;
export const console = bound(
  makeConsole(
    (text) => write(STDOUT, text),
    (text) => write(STDERR, text),
  ),
);

/** `new console.Console(stdout, stderr)` over streams. */
console.Console = function Console(stdout, stderr = undefined) {
  const options = typeof stdout?.write === "function" ? { stdout, stderr } : stdout;
  const { stdout: first, stderr: second = first } = options;
  const made = bound(
    makeConsole(
      (text) => first.write(text),
      (text) => second.write(text),
    ),
  );
  return Object.setPrototypeOf(made, new.target?.prototype ?? Object.prototype);
};
Object.defineProperty(console, Symbol.toStringTag, { value: "console", configurable: true });
