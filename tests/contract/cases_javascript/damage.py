"""Code that takes apart what the harness might need."""

# ruff: noqa: E501 - the code of a case reads best in one piece

from tests.contract.cases_javascript.common import value

#: Overwrites everything that can be: the prototypes' functions and the globals.
WRECK = """
for (const one of [Object, Function, Array, String, Number, Boolean, Symbol, Map, Set, WeakMap, Promise, RegExp, Error,
                   BigInt, Date, Uint8Array, Reflect, JSON, Math, Proxy]) {
  for (const owner of [one, one.prototype]) {
    if (!owner) continue;
    for (const name of Reflect_ownKeys(owner)) {
      if (name === 'prototype' || (owner === Object.prototype && name === '__proto__')) continue;
      try { define(owner, name, { get() { throw 'wrecked' }, configurable: true }) } catch {}
    }
  }
}
""".replace("Reflect_ownKeys", "ownKeys")
BEFORE = "const ownKeys = Reflect.ownKeys, define = Object.defineProperty;"

VANDALISM = (
    value(
        "functions set to nonsense",
        "Array.prototype.push = String.prototype.split = JSON.stringify = JSON.parse = Map.prototype.get = null\n"
        "RegExp.prototype.exec = Object.keys = Reflect.apply = Function.prototype.call = null; undefined",
        "[{a: 1}]",
        json=[{"a": 1}],
        text="[ { a: 1 } ]",
    ),
    value(
        "globals are removed",
        "const g = globalThis; for (const n of Reflect.ownKeys(g)) delete g[n]\nundefined",
        "1 + 1",
        text="2",
    ),
    value(
        "errors are told after that",
        "const g = globalThis; for (const n of Reflect.ownKeys(g)) delete g[n]\nundefined",
        "null.x",
        error="TypeError",
        line=1,
    ),
    value("everything is wrecked", BEFORE + WRECK, "1 + 1", text="2", may_fail_before=True),
    value(
        "errors are told when everything is wrecked",
        BEFORE + WRECK,
        "null.x",
        error="TypeError",
        line=1,
        may_fail_before=True,
    ),
    value(
        "TypeScript runs when everything is wrecked",
        BEFORE + WRECK,
        "let n: number = 4; n",
        text="4",
        may_fail_before=True,
    ),
    value(
        "arrays are not iterable",
        "Array.prototype[Symbol.iterator] = null; undefined",
        "[1, 2]",
        json=[1, 2],
        text="[ 1, 2 ]",
    ),
    value(
        "Object.prototype grows",
        "Object.prototype.toJSON = () => 5; Object.prototype.type = 'result'; undefined",
        "1",
        text="1",
    ),
    value(
        "setters on Object.prototype",
        "for (const k of ['value', 'get', 'data', 'type', 'then', '0']) Object.defineProperty(Object.prototype, k, {__proto__: null, set() { throw 1 }, configurable: true})",
        "'ok'",
        text="'ok'",
    ),
    value(
        "a then on Object.prototype",
        "Object.prototype.then = function () { while (true); }; undefined",
        "3",
        text="3",
    ),
    value(
        "Promise is replaced",
        "Promise = null; Promise_ = (async () => 1)().constructor; Promise_.prototype.then = null; undefined",
        "await 5",
        text="5",
    ),
    value("console is removed", "delete globalThis.console; undefined", "2", text="2"),
    value("process is replaced", "process = null; undefined", "2", text="2", cwd="/workspace"),
    value(
        "the global object cannot be extended",
        "Object.preventExtensions(globalThis); undefined",
        "let q = 3; q",
        text="3",
    ),
    value(
        "Error.prepareStackTrace throws",
        "Error.prepareStackTrace = () => { throw 1 }; undefined",
        "null.x",
        error="TypeError",
    ),
    value(
        "Error.stackTraceLimit is nonsense",
        "Error.stackTraceLimit = -1; undefined",
        "null.x",
        error="TypeError",
    ),
    value(
        "what a failed call of ours throws is the user's",
        "let e; try { require('./missing') } catch (x) { e = x }\ne instanceof Error && e.constructor === Error",
        text="true",
    ),
    value(
        "require's cache is nonsense",
        "require.cache['/workspace/m.js'] = null; Object.freeze(require.cache); undefined",
        "require('path').sep",
        text="'/'",
    ),
    value(
        "descriptors are closed",
        "try { require('fs').closeSync(0) } catch {}\ntry { require('fs').closeSync(2) } catch {}\nundefined",
        "4",
        text="4",
    ),
    value(
        "a descriptor leak",
        "const fs = require('fs'); let n = 0; try { for (;;) { fs.openSync('leak', 'w'); n++ } } catch (e) { n = e.code }\nn",
        "1",
        text="1",
    ),
    value(
        "WebAssembly and shared memory are absent",
        "[typeof WebAssembly, typeof SharedArrayBuffer, typeof Atomics]",
        json=["undefined"] * 3,
    ),
    value(
        "the harness's scripts are not in a stack", "new Error('x').stack.includes('torpor')", text="false"
    ),
    value(
        "functions of the library show no source", "require.toString().includes('native code')", text="true"
    ),
)
