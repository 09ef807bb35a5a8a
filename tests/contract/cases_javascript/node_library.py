"""What people expect around the language because Node has it, as far as it happens over time.

What an expression gives at once is held against Node in tests/unit/engines_javascript/node_tables.
"""

from tests.contract.cases_javascript.common import value
from tests.contract.cases_javascript.node_loop import LOOP, PROCESS
from tests.contract.expectations import Case, Expect, Step

_STREAMS = (
    value(
        "standard input as a stream",
        Step("let text = ''; for await (const part of process.stdin) text += part\ntext", stdin="one\ntwo\n"),
        text=r"'one\ntwo\n'",
    ),
    value(
        "standard input by events",
        Step(
            "process.stdin.setEncoding('utf8').on('data', (t) => console.log(t.length)).on('end', () => "
            "console.log('end')); undefined",
            stdin="grüß",
        ),
        stdout="4\nend\n",
    ),
    value(
        "standard input is new in each execution",
        Step("for await (const part of process.stdin) {}", stdin="first"),
        Step("let text = ''; for await (const part of process.stdin) text += part\ntext", stdin="second"),
        text="'second'",
    ),
    value(
        "lines of standard input",
        Step(
            "for await (const line of require('readline').createInterface({input: process.stdin})) "
            "console.log([line])",
            stdin="a\r\n\nb",
        ),
        stdout="[ 'a' ]\n[ '' ]\n[ 'b' ]\n",
    ),
    value(
        "questions are answered by standard input",
        Step(
            "const rl = require('readline/promises').createInterface({input: process.stdin, output: "
            "process.stdout})\nconst answers = [await rl.question('name? '), await rl.question('age? ')]; "
            "rl.close(); answers",
            stdin="Ada\n36\n",
        ),
        json=["Ada", "36"],
        stdout="name? age? ",
    ),
    value(
        "a pipeline of streams",
        "const fs = require('fs'); fs.writeFileSync('in', 'abc'.repeat(50_000))\n"
        "await require('stream/promises').pipeline(fs.createReadStream('in'), async function* (parts) { "
        "for await (const part of parts) yield String(part).toUpperCase() }, fs.createWriteStream('out'))\n"
        "const out = fs.readFileSync('out', 'utf8'); [out.length, out.slice(0, 4)]",
        json=[150_000, "ABCA"],
    ),
    value(
        "operators of streams",
        "await require('stream').Readable.from([1, 2, 3]).filter((n) => n > 1).map((n) => n * 2).toArray()",
        json=[4, 6],
    ),
    value(
        "part of a file",
        "const fs = require('fs'); fs.writeFileSync('f', '0123456789'); let s = ''\n"
        "const parts = fs.createReadStream('f', {start: 2, end: 5, encoding: 'utf8'})\n"
        "for await (const part of parts) s += part\ns",
        text="'2345'",
    ),
    value(
        "a stream of a file that is not there",
        "require('fs').createReadStream('nowhere').on('error', (e) => console.log(e.code)); undefined",
        stdout="ENOENT\n",
    ),
)

_TREE = """
const fs = require("fs"), out = []
fs.mkdirSync("t/a/b", {recursive: true}); fs.writeFileSync("t/a/f", "x"); fs.writeFileSync("t/a/b/g", "yy")
out.push(fs.readdirSync("t", {recursive: true}).sort())
out.push(fs.readdirSync("t/a", {withFileTypes: true}).map((e) => [e.name, e.isFile(), e.isDirectory()]))
fs.cpSync("t/a", "t/z", {recursive: true}); fs.renameSync("t/z", "t/y"); fs.appendFileSync("t/y/f", "++")
out.push(fs.readFileSync("t/y/f", "latin1"), fs.existsSync("t/z"), fs.readFileSync("t/y/b/g", "utf8"))
fs.truncateSync("t/y/f", 2); fs.utimesSync("t/y/f", 1, 2)
const {size, mtimeMs, atime} = fs.statSync("t/y/f"); out.push(size, mtimeMs, atime.getTime())
const fd = fs.openSync("t/n", "w+"), buffer = Buffer.alloc(5)
out.push(fs.writeSync(fd, "hello"), fs.writeSync(fd, Buffer.from("XY"), 0, 2, 1))
out.push(fs.readSync(fd, buffer, 0, 5, 0), buffer.toString())
fs.ftruncateSync(fd, 3); out.push(fs.fstatSync(fd).size); fs.closeSync(fd)
fs.copyFileSync("t/n", "t/m"); out.push(fs.readFileSync("t/m", "utf8")); fs.unlinkSync("t/m")
fs.rmSync("t", {recursive: true}); out.push(fs.existsSync("t")); out
"""

_ERRORS_OF_FILES = """
const fs = require("fs"); fs.mkdirSync("d"); fs.writeFileSync("d/f", "x")
for (const call of [
  () => fs.readFileSync("nope"), () => fs.readFileSync("d"), () => fs.writeFileSync("d", "x"),
  () => fs.rmdirSync("d"), () => fs.mkdirSync("d"), () => fs.readdirSync("nope"),
  () => fs.renameSync("nope", "x"), () => fs.rmSync("nope"), () => fs.copyFileSync("nope", "x"),
  () => fs.accessSync("nope"), () => fs.mkdtempSync("nope/x"), () => fs.rmSync("d"),
]) try { call() } catch (error) { console.log(error.message) }
"""

_FILES = (
    value(
        "files and folders",
        _TREE,
        json=[
            ["a", "a/b", "a/b/g", "a/f"],
            [["b", False, True], ["f", True, False]],
            *("x++", False, "yy", 2, 2000, 1000, 5, 2, 5, "hXYlo", 3, "hXY", False),
        ],
    ),
    value(
        "failed file calls are told as in Node",
        _ERRORS_OF_FILES,
        stdout="ENOENT: no such file or directory, open 'nope'\n"
        "EISDIR: illegal operation on a directory, read\n"
        "EISDIR: illegal operation on a directory, open 'd'\n"
        "ENOTEMPTY: directory not empty, rmdir 'd'\n"
        "EEXIST: file already exists, mkdir 'd'\n"
        "ENOENT: no such file or directory, scandir 'nope'\n"
        "ENOENT: no such file or directory, rename 'nope' -> 'x'\n"
        "ENOENT: no such file or directory, lstat 'nope'\n"
        "ENOENT: no such file or directory, copyfile 'nope' -> 'x'\n"
        "ENOENT: no such file or directory, access 'nope'\n"
        "ENOENT: no such file or directory, mkdtemp 'nope/xXXXXXX'\n"
        "Path is a directory: rm returned EISDIR (is a directory) d\n",
    ),
    value(
        "a promise of a file that is not there",
        "await require('fs/promises').readFile('nope').catch(({code, errno, syscall, path}) => "
        "({code, errno, syscall, path}))",
        json={"code": "ENOENT", "errno": -2, "syscall": "open", "path": "nope"},
    ),
    value(
        "an open file is kept, position and all",
        "const fs = require('fs'); fs.writeFileSync('f', 'one two')\n"
        "const file = await fs.promises.open('f');\n"
        "(await file.read(Buffer.alloc(4), 0, 4)).buffer.toString()",
        "fs.unlinkSync('f'); await file.readFile('utf8')",
        text="'two'",
    ),
    value(
        "links",
        "const fs = require('fs'); fs.mkdirSync('d'); fs.writeFileSync('d/f', '')\n"
        "fs.symlinkSync('d', 'l');\n"
        "[fs.readlinkSync('l'), fs.realpathSync('l/f'), fs.lstatSync('l').isSymbolicLink(), "
        "fs.statSync('l').isDirectory()]",
        json=["d", "/workspace/d/f", True, True],
    ),
    value(
        "lines of a file",
        "const fs = require('fs'); fs.writeFileSync('f', 'a\\nb\\n'); const lines = []\n"
        "for await (const line of (await fs.promises.open('f')).readLines()) lines.push(line)\nlines",
        json=["a", "b"],
    ),
    value(
        "entries of a folder",
        "const fs = require('fs'); for (const f of ['b', 'a']) fs.writeFileSync(f, ''); const names = []\n"
        "for await (const entry of await fs.promises.opendir('.')) names.push(entry.name)\nnames",
        json=["a", "b"],
    ),
    Case(
        "a file by its address",
        ("require('fs').readFileSync(new URL('file:///workspace/a%20b'), 'utf8')",),
        Expect(text="'x'"),
        files={"a b": "x"},
    ),
)

_CONSOLE = (
    value(
        "a table",
        "console.table([{a: 1, b: 'x'}, {a: 2, c: true}])",
        stdout="""\
┌─────────┬───┬─────┬──────┐
│ (index) │ a │ b   │ c    │
├─────────┼───┼─────┼──────┤
│ 0       │ 1 │ 'x' │      │
│ 1       │ 2 │     │ true │
└─────────┴───┴─────┴──────┘
""",
    ),
    value(
        "groups",
        "console.group('A'); console.log('in\\nside'); console.groupEnd(); console.log('out')",
        stdout="A\n  in\n  side\nout\n",
    ),
    value(
        "counts go on",
        "console.count(); console.count('x')",
        "console.count(); console.countReset(); console.count()",
        stdout="default: 2\ndefault: 1\n",
    ),
    value("an assertion", "console.assert(1 > 2, 'no %d', 3)", stderr="Assertion failed: no 3\n", stdout=""),
    value(
        "a time that was not begun",
        "console.timeEnd('x')",
        stderr="(node) Warning: No such label 'x' for console.timeEnd()\n",
    ),
    value("a trace", "console.trace('here')", stderr_has=("Trace: here\n    at <cell 1>:1:",)),
    value(
        "dir shows as deep as asked",
        "console.dir({a: {b: {c: {d: 1}}}}, {depth: 0})",
        stdout="{ a: [Object] }\n",
    ),
    value(
        "an error with a cause",
        "console.log(new Error('outer', {cause: new TypeError('inner')}))",
        stdout_has=("Error: outer\n    at <cell 1>:1:", "[cause]: TypeError: inner\n      at <cell 1>:1:"),
    ),
)

_PACKED = (
    value(
        "gzip and back",
        "const zlib = require('zlib'), packed = zlib.gzipSync('abc'.repeat(1000))\n"
        "const unpacked = await require('util').promisify(zlib.gunzip)(packed);\n"
        "[packed.length < 100, unpacked.length, packed.subarray(0, 2).toString('hex')]",
        json=[True, 3000, "1f8b"],
    ),
    value(
        "what is not gzip",
        "try { require('zlib').gunzipSync('nothing of the kind') } catch (e) { [e.code, e.message] }",
        json=["Z_DATA_ERROR", "incorrect header check"],
    ),
    value(
        "a stream of gzip",
        "const zlib = require('zlib'), {Readable} = require('stream')\n"
        "Buffer.concat(await Readable.from(['a', 'b']).pipe(zlib.createGzip()).pipe(zlib.createGunzip())"
        ".toArray()).toString()",
        text="'ab'",
    ),
)

_LIVES_ON = (
    value(
        "emitters, buffers and controllers live on",
        "const e = new (require('events'))(); e.on('x', (v) => console.log('got', v)); "
        "const b = Buffer.from('hi'), c = new AbortController()\n"
        "c.signal.onabort = () => console.log('aborted')",
        "e.emit('x', b.toString()); c.abort(); c.signal.aborted",
        text="true",
        stdout="got hi\naborted\n",
    ),
    value(
        "a hash goes on",
        "const hash = require('crypto').createHash('sha256').update('a')",
        "hash.update('b').digest('hex')",
        text="'fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603'",
    ),
    value(
        "random identifiers differ",
        "const ids = [crypto.randomUUID()]; undefined",
        "ids.push(crypto.randomUUID(), require('crypto').randomBytes(16).toString('hex')); new Set(ids).size",
        text="3",
    ),
    value(
        "the clock goes on",
        "const started = performance.now(), precise = process.hrtime.bigint(); undefined",
        "performance.now() > started && process.hrtime.bigint() > precise",
        text="true",
    ),
)

_MISSING = (
    value(
        "there is no network",
        "require('node:http')",
        error="Error",
        message="The module 'http' is not available: there is no network in the sandbox",
    ),
    value(
        "fetch says so too",
        "await fetch('http://example.test/').catch((e) => [e.message, e.cause.message])",
        json=["fetch failed", "fetch http://example.test/: there is no network in the sandbox"],
    ),
    value(
        "there are no processes",
        "try { require('child_process') } catch (e) { [e.code, e.message] }",
        json=[
            "ERR_MODULE_NOT_AVAILABLE",
            "The module 'child_process' is not available: there are no processes in the sandbox",
        ],
    ),
    value(
        "nothing is watched",
        "require('fs').watch('.')",
        error="Error",
        message_has=("nobody else changes files while code runs",),
    ),
)

_BREAK = """
Array.prototype.push = Array.prototype.map = Map.prototype.get = Function.prototype.apply = null
JSON.stringify = JSON.parse = Object.keys = Promise.prototype.then = String.prototype.slice = null
globalThis.Map = globalThis.Promise = globalThis.Reflect = globalThis.Buffer = undefined
Object.prototype.get = () => 1; Object.prototype.run = Object.prototype.next = null; undefined
"""

_DAMAGE = (
    value(
        "values are shown after damage",
        _BREAK,
        "({a: [1, {b: 2}], s: 'x'})",
        text="{ a: [ 1, { b: 2 } ], s: 'x' }",
    ),
    value("timers run after damage", _BREAK, "setTimeout(() => { globalThis.n = 7 }, 1); 1", "n", text="7"),
    value(
        "the environment is set after damage",
        _BREAK,
        Step("process.env.X", env={"X": "y"}),
        text="'y'",
    ),
)

CASES = (
    *LOOP,
    *PROCESS,
    *_STREAMS,
    *_FILES,
    *_CONSOLE,
    *_PACKED,
    *_LIVES_ON,
    *_MISSING,
    *_DAMAGE,
)
