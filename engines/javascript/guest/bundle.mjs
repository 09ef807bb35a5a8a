/**
 * Bundles the JavaScript half of the engine into one classic script: `node bundle.mjs ENTRY OUTFILE`.
 *
 * The script's value is a function `(native, globalThis) => hooks`. All of the bundle, third-party code
 * included, sees the language's globals as locals of that function, read once at boot: whoever overwrites
 * `globalThis.Map` later does not reach in here. Knows which modules replace which; knows no behaviour.
 */
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { intlData } from "./intl_data.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const substitute = (name) => join(here, "node", "substitutes", name);

/** What packages ask for, and what they get instead of an npm package of that name. */
const REPLACED = {
  process: "process.cjs",
  "process/": "process.cjs",
  events: "events.cjs",
  buffer: "buffer.cjs",
  "buffer/": "buffer.cjs",
  util: "util.cjs",
  "util/": "util.cjs",
  "abort-controller": "abort.cjs",
  "object-is": "object_is.cjs",
  "is-nan": "is_nan.cjs",
  "safe-buffer": "buffer.cjs",
};

/** The globals that the language itself has; whatever else a package reads is looked up when it runs. */
const INTRINSICS = `
  AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date
  DOMException Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function
  Int16Array Int32Array Int8Array InternalError Iterator JSON Map Math Number Object Promise Proxy
  RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError
  URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI
  decodeURIComponent encodeURI encodeURIComponent escape isFinite isNaN parseFloat parseInt
  queueMicrotask unescape`
  .trim()
  .split(/\s+/);

const HEAD = `(function (torporNative, globalThis) {
"use strict";
const {${INTRINSICS.join(",")}} = globalThis, global = globalThis;`;
const TAIL = "return torporEntry.default(torporNative, globalThis);\n})";

/** Replaces `from` by `to`, which must stand there exactly once. */
function exchange(text, from, to) {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${JSON.stringify(from)} stands ${parts.length - 1} times`);
  return parts.join(to);
}

/** The package is of a later version than the Node that people know: where the two differ. */
const CHANGES = [
  // What is behind a proxy, and not that it is one.
  ["c=je(e=c,!1),s+=1}while", "c=je(e=c,!1)}while"],
  ['s=t.stylize(e,"symbol")}else', 's=`[${t.stylize(e,"symbol")}]`}else'],
  ["return!1===i.enumerable&&(s=", 'return!1===i.enumerable&&"symbol"!=typeof r&&(s='],
  ['t.stylize(`[${r}]`,"string")', 't.stylize(o?`[${r}]`:r,o?"string":"name")'],
  ["{ [byteLength]: ${", "{ byteLength: ${"],
  // URLs show themselves; a user's object with a `href` is no reason to ask the user's `URL`.
  ["t.exports=URL", "t.exports=class{}"],
];

/** The inspector asks the engine about types, promises, proxies and iterators, not stand-ins of its own. */
function wireInspector(text) {
  const table = "const e={};return function n(r)";
  const wired =
    "t[499]=module=>{module.exports=TYPES};" +
    "{const binding=t[727];" +
    "t[727]=(module,exports,n)=>{binding(module,exports,n);BINDING.complete(module.exports)}}";
  const head =
    'const TYPES=require("../../../node/types.js"),BINDING=require("../../../node/inspect_binding.js");';
  // The engine is built without threads' memory.
  const unthreaded = exchange(text, '["Atomics","JSON",', '["JSON",');
  const aged = CHANGES.reduce((code, [from, to]) => exchange(code, from, to), unthreaded);
  return head + exchange(aged, table, wired + table);
}

/** Small functions in the innermost loops of hashes. A call costs more here than all that such a one does. */
const INLINED = [
  [/\brotr\((\w+), (\d+)\)/g, (call, word, by) => `(${word}<<${32 - by}|${word}>>>${by})`],
  [/\brotl\((\w+), (\d+)\)/g, (call, word, by) => `(${word}<<${by}|${word}>>>${32 - by})`],
  [/\bChi\((\w+), (\w+), (\w+)\)/g, "($1&$2^~$1&$3)"],
  [/\bMaj\((\w+), (\w+), (\w+)\)/g, "($1&$2^$1&$3^$2&$3)"],
  // A word above 2^31 is a float to the engine, unless it is read as a negative number.
  [/\bUint32Array\b/g, "Int32Array"],
];
const inlined = (text) => INLINED.reduce((code, [call, body]) => code.replace(call, body), text);

export const replacements = {
  name: "replacements",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z]/ }, ({ path, importer }) => {
      if (!importer.includes("/node_modules/") || !Object.hasOwn(REPLACED, path)) return undefined;
      return { path: substitute(REPLACED[path]) };
    });
    onResolve({ filter: /^torpor:intl\// }, ({ path }) => ({
      path: path.slice("torpor:intl/".length),
      namespace: "intl",
    }));
    onLoad({ filter: /.*/, namespace: "intl" }, ({ path }) => intlData(path));
    onLoad({ filter: /@noble\/hashes\/(?:sha2|legacy)\.js$/ }, async ({ path }) => ({
      contents: inlined(await readFile(path, "utf8")),
      loader: "js",
    }));
    onLoad({ filter: /node-inspect-extracted\/dist\/inspect\.js$/ }, async ({ path }) => ({
      contents: wireInspector(await readFile(path, "utf8")),
      loader: "js",
    }));
  },
};

export async function bundle(entry, outfile) {
  return build({
    entryPoints: [entry],
    // Names of modules are in the bundle, from this folder on: the same bytes wherever it is built.
    absWorkingDir: here,
    outfile,
    bundle: true,
    format: "iife",
    globalName: "torporEntry",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["import", "require", "default"],
    target: "es2023",
    charset: "utf8",
    // Names of functions are seen by users (in inspect and in stacks), so identifiers stay as they are.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    logLevel: "warning",
    inject: [substitute("globals.js")],
    banner: { js: HEAD },
    footer: { js: TAIL },
    plugins: [replacements],
    metafile: true,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [entry, outfile] = process.argv.slice(2);
  await bundle(resolve(entry), resolve(outfile));
}
