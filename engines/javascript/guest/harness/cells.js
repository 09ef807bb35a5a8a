/**
 * Finds a reading of a cell that compiles: an object literal, JavaScript, with `import`s, as TypeScript.
 *
 * JavaScript comes first, so what is valid in both is never changed. Lines stay where they are in every reading.
 */
import { exchangeImports, hasImports } from "./imports.js";
import { stripTypes } from "./typescript.js";

/** A cell that begins with a brace and is not ended as a statement: an object, as in Node's REPL. */
const OBJECT = /^\s*\{(?![^]*;\s*$)/;

/** Compiles the cell. Gives {error} when it is not possible in any reading. */
export function compileCell(native, realm, code, name) {
  if (OBJECT.test(code) && native.compile(`(${code}\n)`, name) === undefined) return undefined;
  const first = native.compile(code, name);
  if (first === undefined) return undefined;
  return compileOtherwise(native, realm, code, name, first);
}

function compileOtherwise(native, realm, code, name, first) {
  let problem = first;
  if (hasImports(code)) {
    const plain = exchangeImports(code, false);
    if (plain !== undefined) problem = native.compile(plain, name);
    if (problem === undefined) return undefined;
  }
  const stripped = stripTypes(code);
  if (stripped.refused !== undefined) return { error: realm.makeError("SyntaxError", stripped.refused) };
  if (stripped.code === undefined || stripped.code === code) return { error: problem };
  const typed = hasImports(stripped.code) ? (exchangeImports(stripped.code, true) ?? stripped.code) : stripped.code;
  const last = native.compile(typed, name);
  // The types were taken out, so what is still wrong is what is really wrong.
  return last === undefined ? undefined : { error: last };
}
