/** `performance` and `perf_hooks`: the monotonic clock from the start of the context, marks and measures. */
import { codedError, invalidArgType } from "./errors.js";
import { customInspect, inspect } from "./inspect.js";
import { now as monotonic } from "./loop.js";
import { EventTarget } from "./web/events.js";

const started = monotonic();
const timeOrigin = Date.now();

export const sinceStart = () => monotonic() - started;

export class PerformanceEntry {
  constructor(name, entryType, startTime, duration, detail) {
    this.name = name;
    this.entryType = entryType;
    this.startTime = startTime;
    this.duration = duration;
    if (detail !== undefined) this.detail = detail;
  }
  toJSON() {
    return { ...this };
  }
}
export class PerformanceMark extends PerformanceEntry {
  constructor(name, { startTime = sinceStart(), detail = null } = {}) {
    super(`${name}`, "mark", startTime, 0, detail);
  }
}
export class PerformanceMeasure extends PerformanceEntry {}

let entries = [];

function timeOf(mark) {
  if (typeof mark === "number") return mark;
  const found = entries.findLast((entry) => entry.entryType === "mark" && entry.name === `${mark}`);
  if (found) return found.startTime;
  throw new DOMException(`The "${mark}" performance mark has not been set`, "SyntaxError");
}

function forget(entryType, name) {
  entries = entries.filter(
    (entry) => entry.entryType !== entryType || (name !== undefined && entry.name !== name),
  );
}

export class Performance extends EventTarget {
  get timeOrigin() {
    return timeOrigin;
  }
  now() {
    return sinceStart();
  }
  mark(name, options) {
    const entry = new PerformanceMark(name, options);
    entries.push(entry);
    return entry;
  }
  measure(name, startOrOptions = undefined, endMark = undefined) {
    const given =
      typeof startOrOptions === "object" && startOrOptions !== null
        ? startOrOptions
        : { start: startOrOptions, end: endMark };
    const { detail = null, duration } = given;
    let { start, end } = given;
    end = end !== undefined ? timeOf(end) : duration !== undefined ? timeOf(start) + duration : sinceStart();
    start = start !== undefined ? timeOf(start) : duration !== undefined ? end - duration : 0;
    const entry = new PerformanceMeasure(`${name}`, "measure", start, end - start, detail);
    entries.push(entry);
    return entry;
  }
  clearMarks(name) {
    forget("mark", name);
  }
  clearMeasures(name) {
    forget("measure", name);
  }
  getEntries() {
    return entries.toSorted((a, b) => a.startTime - b.startTime);
  }
  getEntriesByType(type) {
    return this.getEntries().filter((entry) => entry.entryType === type);
  }
  getEntriesByName(name, type = undefined) {
    return this.getEntries().filter(
      (entry) => entry.name === name && (type === undefined || entry.entryType === type),
    );
  }
  timerify(callback) {
    if (typeof callback !== "function") throw invalidArgType("fn", "function", callback);
    return callback;
  }
  eventLoopUtilization() {
    return { idle: 0, active: 0, utilization: 0 };
  }
  toJSON() {
    return { timeOrigin, eventLoopUtilization: this.eventLoopUtilization() };
  }
  [customInspect](depth, options) {
    return `Performance ${inspect({ timeOrigin }, options)}`;
  }
}

class PerformanceObserver {
  static supportedEntryTypes = Object.freeze([]);
  observe() {
    throw codedError(
      Error,
      "ERR_NOT_AVAILABLE_IN_SANDBOX",
      "PerformanceObserver: entries are read with getEntries()",
    );
  }
  disconnect() {}
}

export const performance = new Performance();
export const module = {
  performance,
  Performance,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  PerformanceObserver,
  constants: {},
};
