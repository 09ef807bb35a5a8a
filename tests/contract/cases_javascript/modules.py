"""Modules: built in, of /workspace, CommonJS and ES modules, and TypeScript."""

# ruff: noqa: E501 - the code of a case reads best in one piece

import json

from tests.contract.cases_javascript.common import value
from tests.contract.expectations import Case, Expect

WRITE_FILES = """
for (const [path, text] of Object.entries(FILES)) {
  require('fs').mkdirSync(require('path').dirname(path), {recursive: true})
  require('fs').writeFileSync(path, text)
}
"""


def files(name: str, code: str, contents: dict[str, str], *more: str, **expect: object) -> Case:
    """A case with files. Those in folders are written by its first step, since a case has no folders."""
    nested = {path: text for path, text in contents.items() if "/" in path}
    flat = {path: text for path, text in contents.items() if path not in nested}
    steps = [code, *more]
    if nested:
        steps.insert(0, WRITE_FILES.replace("FILES", json.dumps(nested)))
    return Case(name, tuple(steps), Expect(**expect), flat)  # type: ignore[arg-type]


MODULES = (
    value(
        "require of a built-in module",
        "require('path').join('a', '..', 'b') + require('node:path').sep",
        text="'b/'",
    ),
    value(
        "a static import of a cell",
        "import path, { join as j } from 'node:path'\nimport * as p from 'path'\nj('a', 'b') + p.sep + path.sep",
        text="'a/b//'",
    ),
    value("its names live on", "import { join } from 'path'", "join('x', 'y')", text="'x/y'"),
    value(
        "an import of several lines keeps the lines",
        "import {\n  join,\n  basename,\n} from 'path'\nnull.x",
        error="TypeError",
        line=5,
    ),
    value("import()", "const { sep } = await import('node:path'); sep", text="'/'"),
    value(
        "exports in a cell are declarations",
        "export const a = 1\nexport default function g() { return 2 }\nexport { a as b }",
        "a + g()",
        text="3",
    ),
    value(
        "a module that is not there",
        "require('./missing')",
        error="Error",
        message_has=("Cannot find module './missing'",),
        traceback_has=("code: 'MODULE_NOT_FOUND'",),
    ),
    value(
        "a package that is not there",
        "import x from 'left-pad'",
        error="Error",
        message_has=("Cannot find module 'left-pad'", "node_modules"),
    ),
    value(
        "a built-in module that is not there",
        "require('node:nothing')",
        error="Error",
        message_has=("node:nothing",),
    ),
    files(
        "a CommonJS module",
        "require('./m').f(20)",
        {"m.js": "let n = 1; exports.f = x => x + ++n"},
        "require('./m.js').f(20)",
        text="23",
    ),
    files(
        "__filename, __dirname and relative names",
        "require('./d/a.js')",
        {
            "d/a.js": "module.exports = [__filename, __dirname, require('./b')]",
            "d/b.js": "module.exports = require('../c.json').v",
            "c.json": '{"v": 5}',
        },
        json=["/workspace/d/a.js", "/workspace/d", 5],
    ),
    files(
        "an ES module",
        "const m = await import('./m.mjs'); m.default + m.two",
        {"m.mjs": "export default 1; export const two = 2"},
        text="3",
    ),
    files(
        "import.meta",
        "(await import('./m.mjs')).default",
        {"m.mjs": "export default [import.meta.url, import.meta.filename, import.meta.dirname]"},
        json=["file:///workspace/m.mjs", "/workspace/m.mjs", "/workspace"],
    ),
    files(
        "an ES module by its text", "import { v } from './m.js'\nv", {"m.js": "export const v = 6"}, text="6"
    ),
    files(
        "an ES module by its package",
        "import { v } from './p/m.js'\nv",
        {"p/package.json": '{"type": "module"}', "p/m.js": "export const v = typeof this"},
        text="'undefined'",
    ),
    files("require of an ES module", "require('./m.mjs').v", {"m.mjs": "export const v = 7"}, text="7"),
    files(
        "require of a module that awaits",
        "require('./m.mjs')",
        {"m.mjs": "export const v = await 7"},
        error="Error",
        message_has=("use import()",),
    ),
    files(
        "an ES module that awaits",
        "(await import('./m.mjs')).v",
        {"m.mjs": "export const v = await Promise.resolve(7)"},
        text="7",
    ),
    files(
        "import of a CommonJS module",
        "import m, { a } from './m.cjs'\n[m.a, a]",
        {"m.cjs": "exports.a = 1"},
        json=[1, 1],
    ),
    files(
        "modules import each other",
        "(await import('./a.mjs')).f()",
        {
            "a.mjs": "import { g } from './b.mjs'; export const f = () => g() + 1; export const one = 1",
            "b.mjs": "import { one } from './a.mjs'; export const g = () => one",
        },
        text="2",
    ),
    files(
        "CommonJS modules require each other",
        "require('./a').x",
        {
            "a.js": "exports.early = 1; exports.x = require('./b').y",
            "b.js": "exports.y = require('./a').early + 1",
        },
        text="2",
    ),
    files(
        "json with attributes",
        "import data from './d.json' with { type: 'json' }\ndata.a",
        {"d.json": '{"a": [1]}'},
        json=[1],
    ),
    files(
        "a package of node_modules",
        "require('pkg').v + require('pkg/sub').v",
        {
            "node_modules/pkg/package.json": '{"main": "lib.js"}',
            "node_modules/pkg/lib.js": "exports.v = 1",
            "node_modules/pkg/sub.js": "exports.v = 2",
        },
        text="3",
    ),
    files(
        "a package with exports",
        "import { v } from '@s/pkg/deep/x'\n[v, require('@s/pkg').v]",
        {
            "node_modules/@s/pkg/package.json": '{"exports": {".": {"import": "./m.mjs", "require": "./c.cjs"}, "./deep/*": "./d/*.mjs"}}',
            "node_modules/@s/pkg/m.mjs": "export const v = 'esm'",
            "node_modules/@s/pkg/c.cjs": "exports.v = 'cjs'",
            "node_modules/@s/pkg/d/x.mjs": "export const v = 'deep'",
        },
        json=["deep", "cjs"],
    ),
    files(
        "a folder with an index",
        "require('./lib')",
        {"lib/index.js": "module.exports = 'index'"},
        text="'index'",
    ),
    files(
        "relative names count from the working directory",
        "process.chdir('d'); require('./m')",
        {"d/m.js": "module.exports = 8"},
        text="8",
    ),
    files(
        "a module is loaded once",
        "require('./m'); require('./m'); globalThis.loads",
        {"m.js": "globalThis.loads = (globalThis.loads ?? 0) + 1"},
        text="1",
    ),
    files(
        "an edited module is loaded again on demand",
        "require('./m')",
        {"m.js": "module.exports = 1"},
        "require('fs').writeFileSync('m.js', 'module.exports = 2')",
        "delete require.cache[require.resolve('./m')]; require('./m')",
        text="2",
    ),
    files(
        "an edited ES module is loaded by a query",
        "(await import('./m.mjs')).v",
        {"m.mjs": "export const v = 1"},
        "require('fs').writeFileSync('m.mjs', 'export const v = 2')",
        "(await import('./m.mjs?again')).v",
        text="2",
    ),
    Case(
        "a module that failed is loaded anew",
        (
            "await import('./m.mjs')",
            "require('fs').writeFileSync('m.mjs', 'export const v = 3')",
            "(await import('./m.mjs')).v",
        ),
        Expect(text="3"),
        {"m.mjs": "throw new Error('not yet')"},
        may_fail_before=True,
    ),
    files(
        "a module that does not compile",
        "await import('./m.mjs')",
        {"m.mjs": "export const x = ;"},
        error="SyntaxError",
        traceback_has=("/workspace/m.mjs:1",),
    ),
    files(
        "a missing export",
        "await import('./a.mjs')",
        {"a.mjs": "import { no } from './b.mjs'", "b.mjs": "export const yes = 1"},
        error="SyntaxError",
        message_has=("no",),
    ),
    files("a JSON file that is none", "require('./d.json')", {"d.json": "{"}, error="SyntaxError"),
    value("createRequire", "require('module').createRequire('/workspace/x.js')('path').sep", text="'/'"),
    value("require.resolve", "require.resolve('fs')", text="'fs'"),
)

TYPESCRIPT = (
    value(
        "types are taken out",
        "interface P { a: number }\nconst p: P = { a: 1 }\nfunction f<T>(x: T): T { return x }\nf<number>(p.a)",
        text="1",
    ),
    value("valid JavaScript is left alone", "let a = 1, b = 2, c = 3; a < b > (c)", text="false"),
    value("an enum", "enum Colour { Red, Green = 5, Blue }\nColour.Blue + Colour[0]", text="'6Red'"),
    value(
        "parameter properties",
        "class A { constructor(private x: number, readonly y = 2) {} sum() { return this.x + this.y } }\nnew A(1).sum()",
        text="3",
    ),
    value(
        "as, satisfies and !",
        "const v = (1 as unknown as number) satisfies number; const w = v!; w",
        text="1",
    ),
    value("lines stay", "type A = {\n  a: number\n}\nconst x: number = null.y", error="TypeError", line=4),
    value(
        "types with imports",
        "import type { PathLike } from 'fs'\nimport { join, type ParsedPath } from 'path'\nconst s: string = join('a', 'b'); s",
        text="'a/b'",
    ),
    value("types with await", "const n: number = await Promise.resolve(4); n", text="4"),
    value("what is wrong in TypeScript is told", "const n: number = ;", error="SyntaxError", line=1),
    value("what is wrong in JavaScript is told", "let a = 1\nfunction {", error="SyntaxError", line=2),
    value(
        "a namespace is refused",
        "namespace N { export const a: number = 1 }",
        error="SyntaxError",
        message_has=("namespaces",),
    ),
    files(
        "a TypeScript file",
        "import { f } from './m.ts'\nf(2)",
        {"m.ts": "export const f = (n: number): number => n * 2"},
        text="4",
    ),
    files(
        "TypeScript by the name of its output",
        "import { f } from './m.js'\nf(2)",
        {"m.ts": "export const f = (n: number): number => n * 3"},
        text="6",
    ),
    files(
        "require of a TypeScript file",
        "require('./m').v",
        {"m.ts": "const v: number = 1; module.exports = { v }"},
        text="1",
    ),
)
