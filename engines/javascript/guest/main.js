/**
 * The user's realm: the Node-like library, `require`, `display` and `_`.
 *
 * All that is made here belongs to users, who may overwrite any of it. The harness gets what it needs at boot
 * and keeps it. Its own functions are called from here but never given away, and neither are its errors.
 */
import makeLibrary from "./node/main.js";
import { makeErrors } from "./realm/errors.js";
import { installDisplay } from "./realm/display.js";
import { installModules } from "./realm/modules.js";

/** What the harness works with: see realm.d.ts. */
export default function makeRealm(native) {
  const library = makeLibrary(native);
  const errors = makeErrors();
  return {
    library,
    systemError: library.systemError,
    global: globalThis,
    makeError: errors.make,
    prototypes: {
      string: String.prototype,
      number: Number.prototype,
      boolean: Boolean.prototype,
      bigint: BigInt.prototype,
      symbol: Symbol.prototype,
    },
    connect(harness) {
      const call = errors.guard(harness);
      return { ...installDisplay(call), ...installModules(call, native, library) };
    },
  };
}
