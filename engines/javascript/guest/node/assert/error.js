/** `AssertionError`, whose message says how two values differ. */
import { customInspect, inspect } from "../inspect.js";
import { difference, shortened, shown } from "./difference.js";

/** Two primitives that are shorter than this together are shown on one line. */
const SHORT = 12;
/** The place of the first mismatch is pointed at when both values fit a line of a terminal. */
const COLUMNS = 80;
/** Longest value that is shown where there is no difference to show. */
const LONGEST = 512;
const LONGEST_SINGLE = 1024;

const HEADS = {
  deepStrictEqual: "Expected values to be strictly deep-equal:",
  strictEqual: "Expected values to be strictly equal:",
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: "Expected values to be loosely deep-equal:",
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: "Values have same structure but are not reference-equal:",
  notDeepEqualUnequal: "Expected values not to be loosely deep-equal:",
};

const isCompound = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
const cut = (text, limit) => (text.length > limit ? `${text.slice(0, limit - 3)}...` : text);

/** The mark under the first mismatch of two single lines. */
function pointer(actual, expected) {
  if (actual.includes("\n") || expected.includes("\n") || actual.length + expected.length >= COLUMNS)
    return "";
  let at = 0;
  while (actual[at] === expected[at]) at++;
  return at > 2 ? `\n  ${" ".repeat(at)}^` : "";
}

function explainDifference(actual, expected, operator, message) {
  const [one, other] = [shown(actual), shown(expected)];
  const compound = isCompound(actual) && isCompound(expected);
  const head = message ?? HEADS[operator === "strictEqual" && compound ? "strictEqualObject" : operator];
  if (one === other) return `${HEADS.notIdentical}\n\n${shortened(one.split("\n")).join("\n")}\n`;
  const single = !one.includes("\n") && !other.includes("\n");
  if (single && one.length + other.length <= SHORT && !isCompound(actual) && !isCompound(expected)) {
    if (actual !== 0 || expected !== 0) return `${head}\n\n${one} !== ${other}\n`;
  }
  const { lines, skipped } = difference(one, other);
  const mark = single && operator === "strictEqual" && !compound ? pointer(one, other) : "";
  return `${head}\n+ actual - expected${skipped ? " ... Lines skipped" : ""}\n\n${lines.join("\n")}${mark}`;
}

function explainEquality(actual, operator) {
  const object = operator === "notStrictEqual" && isCompound(actual);
  const head = HEADS[object ? "notStrictEqualObject" : operator];
  const lines = shortened(shown(actual).split("\n"));
  if (lines.length > 1) return `${head}\n\n${lines.join("\n")}\n`;
  return `${head}${lines[0].length > 5 ? "\n\n" : " "}${lines[0]}`;
}

function explainLoosely(actual, expected, operator) {
  const [one, other] = [shown(actual), shown(expected)];
  if (operator === "notDeepEqual" && one === other)
    return cut(`${HEADS.notDeepEqual}\n\n${one}`, LONGEST_SINGLE);
  const [left, right] = [cut(one, LONGEST), cut(other, LONGEST)];
  if (operator === "deepEqual")
    return `${HEADS.deepEqual}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
  const head = HEADS[`${operator}Unequal`];
  return head
    ? `${head}\n\n${left}\n\nshould not loosely deep-equal\n\n${right}`
    : `${left} ${operator} ${right}`;
}

function explain({ actual, expected, operator, message }) {
  if (operator === "deepStrictEqual" || operator === "strictEqual") {
    return explainDifference(actual, expected, operator, message);
  }
  if (message !== undefined && message !== null) return `${message}`;
  if (operator === "notDeepStrictEqual" || operator === "notStrictEqual")
    return explainEquality(actual, operator);
  return explainLoosely(actual, expected, operator);
}

export class AssertionError extends Error {
  constructor(options) {
    super(explain(options));
    const { actual, expected, operator, message, stackStartFn } = options;
    this.generatedMessage = options.generated ?? !message;
    Object.defineProperty(this, "name", {
      value: "AssertionError [ERR_ASSERTION]",
      enumerable: false,
      writable: true,
      configurable: true,
    });
    this.code = "ERR_ASSERTION";
    this.actual = actual;
    this.expected = expected;
    this.operator = operator;
    // The stack is made while the name has the code in it.
    Error.captureStackTrace(this, stackStartFn);
    this.name = "AssertionError";
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [customInspect](depth, options) {
    return inspect(this, { ...options, customInspect: false, depth: 0 });
  }
}
