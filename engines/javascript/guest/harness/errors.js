/**
 * Turns what was thrown into the fields of an error frame.
 *
 * Nothing that was thrown may hurt: its properties may be getters that throw or never end, its message may be
 * huge, it may be a proxy. Whatever cannot be told is left out.
 */
import { grouped, withoutHalf } from "./frames.js";

const NOT_AN_ERROR = "Uncaught";
/** Of a line of a cell, so much is shown around the place of a syntax error. */
const SHOWN_BEFORE = 120;
const SHOWN_AFTER = 40;
/** Frames are looked for in so many characters at the end of a stack; ten of them take a few hundred. */
const FRAMES_END = 16384;
const LONG_MESSAGE = 65536;
/** Names that say less than the class does. */
const BARE_NAMES = new Set(["Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError"]);

/** `execution` has the cell's name and code, and the limits. */
export function describeError(native, results, error, { cell, code, limits }) {
  const { messageChars, tracebackLines } = limits;
  if (!isErrorObject(native, error)) {
    const text = cap(shown(results, error), messageChars);
    return { name: NOT_AN_ERROR, message: text, traceback: [`${NOT_AN_ERROR} ${text}`], lineNumber: null };
  }
  const stack = native.stack(error);
  const place = typeof stack === "string" ? placeIn(stack, cell) : undefined;
  const name = cap(nameOf(error), messageChars);
  const whole = messageOf(error);
  const message = cap(whole, messageChars);
  const isLong = whole.length > LONG_MESSAGE;
  const lines = attempt(() => tracebackOf(results, error, { name, message, isLong, stack, place, code, cell }));
  return {
    name,
    message,
    traceback: capLines(lines ?? [`${name}: ${message}`], tracebackLines).map((line) => cap(line, messageChars)),
    lineNumber: place?.line ?? null,
  };
}

/** What is told when even telling fails, as it does when memory is used up. */
export function describeUntold() {
  const message = "The code failed, and what it threw cannot be told";
  return { name: "Error", message, traceback: [`Error: ${message}`], lineNumber: null };
}

/** The error frame of code that ended itself with a status other than 0. */
export function describeExit(status) {
  const message = `The code ended itself with status ${status}`;
  return { name: "ExitError", message, traceback: [`ExitError: ${message}`], lineNumber: null };
}

function isErrorObject(native, value) {
  const name = native.className(value);
  return name === "Error" || name === "DOMException";
}

function attempt(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function nameOf(error) {
  const name = attempt(() => error.name);
  if (typeof name !== "string" || name === "") return "Error";
  const className = attempt(() => error.constructor.name);
  return BARE_NAMES.has(name) && typeof className === "string" && className !== "" ? className : name;
}

function messageOf(error) {
  const message = attempt(() => error.message);
  if (typeof message === "string") return message;
  return attempt(() => String(message)) ?? "<a message that cannot be told>";
}

function shown(results, value) {
  return attempt(() => results.inspect(value)) ?? "<a value that cannot be shown>";
}

function tracebackOf(results, error, { name, message, isLong, stack, place, code, cell }) {
  if (place?.isSyntax && name === "SyntaxError") return syntaxLines(message, place, code, cell);
  const header = name === "" ? message : `${name}: ${message}`;
  if (typeof stack !== "string") return [header];
  const frames = framesOf(stack);
  // A gigantic message is not taken through `inspect`, which would copy it several times.
  if (isLong) return [header, ...frames.split("\n")];
  const text = attempt(() => results.inspect(error));
  if (typeof text !== "string") return stack.split("\n");
  return frames === "" && text === `[${stack}]` ? [header] : text.split("\n");
}

/** The lines of a stack's frames. There is a limit to their number, so they lie near the end. */
function framesOf(stack) {
  const end = stack.slice(-FRAMES_END);
  const at = end.search(/(?:^|\n) {4}at /);
  return at < 0 ? "" : end.slice(at).replace(/^\n/, "");
}

/** Where in the submitted code: the innermost frame there. */
function placeIn(stack, cell) {
  const lines = framesOf(stack).split("\n");
  for (let i = 0; i < lines.length; i++) {
    const found = /^ {4}at (?:.* \()?(<cell \d+>):(\d+):(\d+)\)?$/.exec(lines[i]);
    if (found === null || found[1] !== cell) continue;
    // What did not compile has no frames: its stack names the place alone.
    const isSyntax = lines.length === 1 && lines[i].startsWith("    at <");
    return { line: Number(found[2]), column: Number(found[3]), isSyntax };
  }
  return undefined;
}

/** The line of a syntax error and a mark under its place, as Node shows it. */
function syntaxLines(message, { line, column }, code, cell) {
  const header = `SyntaxError: ${message}`;
  const source = code.split(/\r\n|[\n\r\u2028\u2029]/)[line - 1];
  if (source === undefined || column < 1 || column > source.length + 1) return [`${cell}:${line}`, header];
  const from = Math.max(0, column - 1 - SHOWN_BEFORE);
  const part = source.slice(from, column - 1 + SHOWN_AFTER);
  const indent = part.slice(0, column - 1 - from).replace(/[^\t]/g, " ");
  return [`${cell}:${line}`, part, `${indent}^`, "", header];
}

/** The beginning of a text and a marker, together within `chars`. */
function cap(text, chars) {
  if (text.length <= chars) return text;
  const marker = `... [${grouped(text.length)} characters in all]`;
  return withoutHalf(text.slice(0, Math.max(0, chars - marker.length))) + marker;
}

/** The first and the last lines: the first say what it was, the last where it came from. */
function capLines(lines, most) {
  if (lines.length <= most) return lines;
  const head = Math.ceil((most * 2) / 3);
  const tail = most - head - 1;
  return [...lines.slice(0, head), `    ... ${lines.length - head - tail} lines left out ...`, ...lines.slice(-tail)];
}
