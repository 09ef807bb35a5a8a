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
/** Names that say less than the class does. */
const BARE_NAMES = new Set(["Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError"]);

/** `execution` has the cell's name and code, and the limits. */
export function describeError(native, realm, error, { cell, code, limits }) {
  const { messageChars, tracebackLines } = limits;
  const isError = isErrorObject(native, error);
  const place = isError ? placeIn(native, error, cell) : undefined;
  const name = isError ? nameOf(error) : NOT_AN_ERROR;
  const message = isError ? messageOf(error) : shown(realm, error);
  const lines = isError ? tracebackOf(native, realm, error, place, code, cell) : [`${NOT_AN_ERROR} ${message}`];
  return {
    name: cap(name, messageChars),
    message: cap(message, messageChars),
    traceback: capLines(lines, tracebackLines).map((line) => cap(line, messageChars)),
    lineNumber: place?.line ?? null,
  };
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

function shown(realm, value) {
  const text = attempt(() => realm.library.inspect(value));
  return typeof text === "string" ? text : "<a value that cannot be shown>";
}

function tracebackOf(native, realm, error, place, code, cell) {
  if (place?.isSyntax) return syntaxLines(native, error, place, code, cell);
  const text = attempt(() => realm.library.inspect(error));
  if (typeof text === "string") return text.split("\n");
  const stack = native.stack(error);
  return typeof stack === "string" ? stack.split("\n") : [nameOf(error)];
}

/** Where in the submitted code: the innermost frame there. */
function placeIn(native, error, cell) {
  const stack = native.stack(error);
  if (typeof stack !== "string") return undefined;
  const escaped = cell.replace(/[<>]/g, "\\$&");
  const found = new RegExp(`^    at (?:.* \\()?${escaped}:(\\d+):(\\d+)\\)?$`, "m").exec(stack);
  if (found === null) return undefined;
  // What did not compile has no frames: its stack names the place alone.
  const isSyntax = stack.trimEnd().endsWith(`\n    at ${found[0].slice("    at ".length)}`) && attempt(() => error.name) === "SyntaxError" && found[0].indexOf("(") < 0;
  return { line: Number(found[1]), column: Number(found[2]), isSyntax };
}

/** The line of a syntax error and a mark under its place, as Node shows it. */
function syntaxLines(native, error, { line, column }, code, cell) {
  const header = `SyntaxError: ${messageOf(error)}`;
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
