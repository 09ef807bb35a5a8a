/**
 * Bundles the harness into one classic script: `node bundle.mjs OUTFILE`. Its value is a function `(native) => boot`.
 *
 * The harness has a realm for itself, where nobody changes a global, so nothing is done about those.
 */
import { build } from "esbuild";
import { replacements } from "../bundle.mjs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** Parts of sucrase for things that are never asked of it. */
const UNUSED = /\/(?:computeSourceMap|formatTokens|CJSImportProcessor)$/;
const withoutUnused = {
  name: "without-unused",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNUSED }, ({ path }) => ({ path, namespace: "unused" }));
    onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "export default class {}" }));
  },
};

await build({
  entryPoints: [join(here, "main.js")],
  outfile: process.argv[2],
  bundle: true,
  format: "iife",
  globalName: "harness",
  platform: "neutral",
  mainFields: ["module", "main"],
  target: "es2023",
  charset: "utf8",
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
  banner: { js: "(function (torporNative, globalThis) {" },
  footer: { js: "return harness.default(torporNative);\n})" },
  plugins: [withoutUnused, replacements],
});
