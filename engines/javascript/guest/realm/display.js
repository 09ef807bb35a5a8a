/**
 * `display(value, ...)`, which shows results besides the last one, and `_`, the value of the last cell.
 */
export function installDisplay(harness) {
  const { defineProperty } = Object;
  let last;

  /** Shows values as results. With `{ raw: true }` last, each value is an object of MIME type -> content. */
  function display(...values) {
    const options = values.length > 1 ? values[values.length - 1] : undefined;
    const raw = options !== null && typeof options === "object" && options.raw === true;
    const count = values.length - (raw ? 1 : 0);
    for (let i = 0; i < count; i++) harness.show(values[i], raw);
  }

  defineProperty(globalThis, "display", { value: display, writable: true, enumerable: false, configurable: true });
  // Assigning to it ends it, as in Node: from then on it is the user's variable.
  defineProperty(globalThis, "_", {
    get: () => last,
    set(value) {
      defineProperty(globalThis, "_", { value, writable: true, enumerable: true, configurable: true });
    },
    enumerable: false,
    configurable: true,
  });
  return {
    keepLast(value) {
      last = value;
    },
  };
}
