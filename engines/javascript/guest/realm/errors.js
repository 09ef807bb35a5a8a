/**
 * Errors of the user's realm, for what the harness has to say, and the way in which its functions are called.
 */
export function makeErrors() {
  const kinds = { Error, SyntaxError, TypeError, RangeError };
  const { defineProperty } = Object;
  const { apply } = Reflect;

  /** An error of a kind, with Node's `code` where there is one. */
  function make(kind, message, code) {
    const error = new kinds[kind](message);
    if (code !== undefined) {
      defineProperty(error, "code", { __proto__: null, value: code, writable: true, enumerable: true, configurable: true });
    }
    return error;
  }

  /**
   * The harness's functions, for callers in this realm. What one of them throws is of the harness's realm
   * (its stack or memory ran out below users' calls), so that its text alone goes on.
   */
  function guard(harness) {
    const guarded = { __proto__: null };
    for (const name of Object.keys(harness)) {
      const inner = harness[name];
      guarded[name] = (...given) => {
        try {
          return apply(inner, undefined, given);
        } catch (error) {
          const overflow = error?.message === "Maximum call stack size exceeded";
          throw make(overflow ? "RangeError" : "Error", overflow ? error.message : "out of memory");
        }
      };
    }
    return guarded;
  }

  return { make, guard };
}
