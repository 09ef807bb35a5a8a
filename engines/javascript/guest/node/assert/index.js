/** The `assert` module. */
import comparisons from "assert/build/internal/util/comparisons.js";
import { checkFunction, codedError, invalidArgType } from "../errors.js";
import { inspect } from "../inspect.js";
import { isPromise, isRegExp } from "../types.js";
import { AssertionError } from "./error.js";

const { isDeepEqual, isDeepStrictEqual } = comparisons;

function fail(details) {
  if (details.message instanceof Error) throw details.message;
  throw new AssertionError(details);
}

function checkCount(given, count) {
  if (given >= count) return;
  const names = count === 1 ? '"value" argument' : '"actual" and "expected" arguments';
  throw codedError(TypeError, "ERR_MISSING_ARGS", `The ${names} must be specified`);
}

const FALSY = "The expression evaluated to a falsy value";

function ok(...given) {
  check(ok, given);
}

function check(stackStartFn, given) {
  const [value, message] = given;
  if (value) return;
  const missing = given.length === 0 ? "No value argument passed to `assert.ok()`" : FALSY;
  fail({
    actual: value,
    expected: true,
    operator: "==",
    stackStartFn,
    message: message ?? missing,
    generated: message === undefined || message === null,
  });
}

/** A comparison of two values. */
function comparison(operator, holds, shownOperator = operator) {
  const compare = {
    [operator](actual, expected, message = undefined) {
      checkCount(arguments.length, 2);
      if (holds(actual, expected)) return;
      fail({ actual, expected, message, operator: shownOperator, stackStartFn: compare });
    },
  }[operator];
  return compare;
}

const isLooselyEqual = (a, b) => a == b || (Number.isNaN(a) && Number.isNaN(b)); // eslint-disable-line eqeqeq

/** The properties of an error that a validation object names: what a difference is shown of. */
class Comparison {
  constructor(error, keys, expected = undefined) {
    for (const key of keys) {
      if (!(key in error)) continue;
      const matches =
        expected &&
        typeof error[key] === "string" &&
        isRegExp(expected[key]) &&
        expected[key].test(error[key]);
      this[key] = matches ? expected[key] : error[key];
    }
  }
}

function checkProperties(error, expected, message, stackStartFn) {
  const keys = Object.keys(expected);
  if (expected instanceof Error) keys.push("name", "message");
  else if (keys.length === 0) {
    throw codedError(
      TypeError,
      "ERR_INVALID_ARG_VALUE",
      "The argument 'error' may not be an empty object. Received {}",
    );
  }
  for (const key of keys) {
    const matches =
      typeof error[key] === "string" && isRegExp(expected[key]) && expected[key].test(error[key]);
    if (matches || (key in error && isDeepStrictEqual(error[key], expected[key]))) continue;
    if (message !== undefined)
      fail({ actual: error, expected, message, operator: stackStartFn.name, stackStartFn });
    const [actual, wanted] = [new Comparison(error, keys, expected), new Comparison(expected, keys)];
    const failure = new AssertionError({
      actual,
      expected: wanted,
      operator: "deepStrictEqual",
      stackStartFn,
    });
    throw Object.assign(failure, { actual: error, expected, operator: stackStartFn.name });
  }
}

/** Whether what was thrown is what was expected; says why not by an AssertionError. */
function checkThrown(error, expected, message, stackStartFn) {
  if (expected === undefined) return;
  const operator = stackStartFn.name;
  const unexpected = (text) =>
    fail({
      actual: error,
      expected,
      message: message ?? text,
      operator,
      stackStartFn,
      generated: message === undefined,
    });
  if (isRegExp(expected)) {
    if (expected.test(`${error}`)) return;
    unexpected(
      `The input did not match the regular expression ${inspect(expected)}. ` +
        `Input:\n\n${inspect(`${error}`)}\n`,
    );
  }
  if (typeof expected === "object") {
    if (typeof error !== "object" || error === null) unexpected(undefined);
    checkProperties(error, expected, message, stackStartFn);
    return;
  }
  if (expected.prototype !== undefined && error instanceof expected) return;
  if (Object.prototype.isPrototypeOf.call(Error, expected)) {
    const found = error?.constructor?.name ?? inspect(error);
    const text = `\n\nError message:\n\n${error?.message}`;
    unexpected(`The error is expected to be an instance of "${expected.name}". Received "${found}"${text}`);
  }
  if (Reflect.apply(expected, {}, [error]) === true) return;
  const name = expected.name ? `"${expected.name}" ` : "";
  unexpected(
    `The ${name}validation function is expected to return "true". Received ${inspect(false)}\n\n` +
      `Caught error:\n\n${error}`,
  );
}

const NOTHING = Symbol("nothing thrown");

function thrownBy(action) {
  checkFunction(action, "fn");
  try {
    action();
  } catch (error) {
    return error;
  }
  return NOTHING;
}

async function rejectionOf(action) {
  const promise = typeof action === "function" ? action() : action;
  if (!isPromise(promise) && typeof promise?.then !== "function")
    throw invalidArgType("promiseFn", ["Function", "Promise"], action);
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return NOTHING;
}

/** Whether the second argument is the message, which is so when it is text. */
const sorted = (expected, message) =>
  typeof expected === "string" ? [undefined, expected] : [expected, message];

function expectThrown(error, given, stackStartFn) {
  const [expected, message] = sorted(...given);
  if (error !== NOTHING) {
    checkThrown(error, expected, message, stackStartFn);
    return;
  }
  const what = stackStartFn.name === "rejects" ? "rejection" : "exception";
  const named = expected?.name ? ` (${expected.name}).` : message ? ": " : ".";
  const text = `Missing expected ${what}${named}${message ?? ""}`;
  fail({
    actual: undefined,
    expected,
    operator: stackStartFn.name,
    message: text,
    stackStartFn,
    generated: !message,
  });
}

function expectNothing(error, given, stackStartFn) {
  if (error === NOTHING) return;
  const [expected, message] = sorted(...given);
  if (typeof expected === "function" && expected.prototype !== undefined && !(error instanceof expected))
    throw error;
  const what = stackStartFn.name === "doesNotReject" ? "rejection" : "exception";
  const text = `Got unwanted ${what}${message ? `: ${message}` : "."}\nActual message: "${error?.message}"`;
  fail({
    actual: error,
    expected,
    operator: stackStartFn.name,
    message: text,
    stackStartFn,
    generated: !message,
  });
}

function matching(name, wanted, sentence) {
  const test = {
    [name](text, pattern, message = undefined) {
      if (!isRegExp(pattern)) throw invalidArgType("regexp", "RegExp", pattern);
      if (typeof text === "string" && pattern.test(text) === wanted) return;
      const reason =
        typeof text === "string"
          ? `${sentence} the regular expression ${inspect(pattern)}. Input:\n\n${inspect(text)}\n`
          : `The "string" argument must be of type string. Received type ${typeof text} (${inspect(text)})`;
      fail({
        actual: text,
        expected: pattern,
        message: message ?? reason,
        operator: name,
        stackStartFn: test,
        generated: message === undefined,
      });
    },
  }[name];
  return test;
}

const ASSERTIONS = {
  ok,
  fail(message = "Failed") {
    if (message instanceof Error) throw message;
    throw new AssertionError({
      message,
      operator: "fail",
      stackStartFn: ASSERTIONS.fail,
      generated: arguments.length === 0,
    });
  },
  equal: comparison("equal", isLooselyEqual, "=="),
  notEqual: comparison("notEqual", (a, b) => !isLooselyEqual(a, b), "!="),
  deepEqual: comparison("deepEqual", isDeepEqual),
  notDeepEqual: comparison("notDeepEqual", (a, b) => !isDeepEqual(a, b)),
  deepStrictEqual: comparison("deepStrictEqual", isDeepStrictEqual),
  notDeepStrictEqual: comparison("notDeepStrictEqual", (a, b) => !isDeepStrictEqual(a, b)),
  strictEqual: comparison("strictEqual", Object.is),
  notStrictEqual: comparison("notStrictEqual", (a, b) => !Object.is(a, b)),
  throws: function throws(action, ...given) {
    expectThrown(thrownBy(action), given, throws);
  },
  rejects: async function rejects(action, ...given) {
    expectThrown(await rejectionOf(action), given, rejects);
  },
  doesNotThrow: function doesNotThrow(action, ...given) {
    expectNothing(thrownBy(action), given, doesNotThrow);
  },
  doesNotReject: async function doesNotReject(action, ...given) {
    expectNothing(await rejectionOf(action), given, doesNotReject);
  },
  ifError: function ifError(value) {
    if (value === null || value === undefined) return;
    const shown = value instanceof Error ? value.message || value.constructor.name : inspect(value);
    const text = `ifError got unwanted exception: ${shown}`;
    fail({
      actual: value,
      expected: null,
      operator: "ifError",
      message: text,
      stackStartFn: ifError,
      generated: true,
    });
  },
  match: matching("match", true, "The input did not match"),
  doesNotMatch: matching("doesNotMatch", false, "The input was expected to not match"),
  AssertionError,
};

export const assert = Object.assign(function assert(...given) {
  check(assert, given);
}, ASSERTIONS);

assert.strict = Object.assign(
  function strict(...given) {
    check(strict, given);
  },
  ASSERTIONS,
  {
    equal: ASSERTIONS.strictEqual,
    notEqual: ASSERTIONS.notStrictEqual,
    deepEqual: ASSERTIONS.deepStrictEqual,
    notDeepEqual: ASSERTIONS.notDeepStrictEqual,
  },
);
assert.strict.strict = assert.strict;
