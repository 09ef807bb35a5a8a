/**
 * Takes the types out of TypeScript. Nothing is checked.
 */
import { transform } from "sucrase";

const OPTIONS = {
  transforms: ["typescript"],
  // The engine knows all of today's JavaScript: only types are to go.
  disableESTransforms: true,
  keepUnusedImports: true,
};
const NAMESPACE = /^[ \t]*(?:export[ \t]+)?(?:namespace|module)[ \t]+[\w$.]+[ \t]*\{/m;
const REFUSED = "TypeScript's namespaces cannot be run: write a module or an object instead";

/** {code} without types, {refused} with what cannot be run, or {} when it is not TypeScript. */
export function stripTypes(source) {
  let code;
  try {
    ({ code } = transform(source, OPTIONS));
  } catch {
    return {};
  }
  // They would vanish with the types, silently.
  return NAMESPACE.test(source) ? { refused: REFUSED } : { code };
}
