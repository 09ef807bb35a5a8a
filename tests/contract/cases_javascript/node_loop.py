"""When things run: the event loop, and how an execution ends by `process`."""

from tests.contract.cases_javascript.common import value
from tests.contract.expectations import Step

_ORDER = """
setTimeout(() => console.log("timeout"), 0)
setImmediate(() => console.log("immediate"))
process.nextTick(() => console.log("tick"))
Promise.resolve().then(() => { console.log("promise"); process.nextTick(() => console.log("second tick")) })
queueMicrotask(() => console.log("microtask"))
console.log("code")
"""

LOOP = (
    value(
        "the order of the event loop",
        _ORDER,
        stdout="code\ntick\npromise\nmicrotask\nsecond tick\ntimeout\nimmediate\n",
    ),
    value(
        "ticks and promises come between timers",
        "for (const n of [1, 2]) setTimeout(() => { console.log(n); Promise.resolve().then(() => "
        "console.log('promise')); process.nextTick(() => console.log('tick')) }, 1)",
        stdout="1\ntick\npromise\n2\ntick\npromise\n",
    ),
    value(
        "timers run by their time",
        "for (const ms of [30, 10, 20]) setTimeout(console.log, ms, ms)",
        stdout="10\n20\n30\n",
    ),
    value(
        "an interval until it is cleared",
        "let n = 0; const i = setInterval(() => { console.log(++n); if (n === 3) clearInterval(i) }, 1)",
        stdout="1\n2\n3\n",
    ),
    value("a cleared timer", "clearTimeout(setTimeout(() => console.log('never'), 1))", stdout=""),
    value("a timer by its number", "clearTimeout(+setTimeout(() => console.log('never'), 1))", stdout=""),
    value("a timer that nobody waits for", "setInterval(() => {}, 1).unref(); 'done'", text="'done'"),
    value(
        "what is thrown in a timer fails the execution",
        "globalThis.kept = 1; setTimeout(() => { throw new TypeError('late') }, 1)",
        error="TypeError",
        message="late",
        line=1,
    ),
    value(
        "after a failure the other timers are gone",
        "setTimeout(() => { throw new Error('late') }, 1); setTimeout(() => console.log('never'), 2)",
        "await require('timers/promises').setTimeout(5, 'waited')",
        text="'waited'",
        stdout="",
        may_fail_before=True,
    ),
    value(
        "what is thrown in a tick fails the execution",
        "process.nextTick(() => { throw new RangeError('tick') })",
        error="RangeError",
        message="tick",
    ),
    value(
        "timers as promises",
        "const {setTimeout: wait, setInterval: each} = require('timers/promises'); let n = 0;\n"
        "for await (const x of each(1, 'x')) if (++n === 3) break\n[n, await wait(1, 'v')]",
        json=[3, "v"],
    ),
    value(
        "an aborted wait",
        "const stop = new AbortController(); setTimeout(() => stop.abort(), 1)\n"
        "await require('timers/promises').setTimeout(60_000, null, {signal: stop.signal}).catch(e => e.code)",
        text="'ABORT_ERR'",
    ),
    value(
        "a callback comes after the code and before what it asks for",
        "const fs = require('fs'); fs.writeFileSync('f', 'x')\n"
        "fs.readFile('f', 'utf8', (error, text) => { console.log(error, text); "
        "setTimeout(() => console.log('timeout')); setImmediate(() => console.log('immediate')) })\n"
        "console.log('code')",
        stdout="code\nnull x\nimmediate\ntimeout\n",
    ),
)

PROCESS = (
    value(
        "process.exit cannot be caught",
        "try { process.exit(3) } catch { console.log('caught') } finally { console.log('finally') }",
        stdout="",
        error="ExitError",
        exit_status=3,
    ),
    value(
        "listeners of exit are told once",
        "process.on('exit', (status) => console.log('bye', status)); process.exit(4)",
        "1",
        text="1",
        stdout="",
        may_fail_before=True,
    ),
    value(
        "listeners of exit are told when the code ends",
        "process.on('exit', (status) => console.log('bye', status)); 5",
        text="5",
        stdout="bye 0\n",
    ),
    value("an exit code is set", "process.exitCode = 2; undefined", error="ExitError", exit_status=2),
    value("an exit code is of its execution", "process.exitCode = 0", "1", text="1"),
    value(
        "uncaught exceptions can be listened to",
        "process.on('uncaughtException', (error, origin) => console.log(error.message, origin))\n"
        "setTimeout(() => { throw new Error('late') }, 1)",
        stdout="late uncaughtException\n",
    ),
    value(
        "unhandled rejections can be listened to",
        "process.on('unhandledRejection', (reason) => console.log(reason.message)); "
        "Promise.reject(new Error('lost')); undefined",
        stdout="lost\n",
    ),
    value(
        "a warning",
        "process.emitWarning('careful', {code: 'W1'}); undefined",
        stderr="(node:1) [W1] Warning: careful\n",
    ),
    value(
        "environment variables are text",
        Step("process.env.N = 5; [process.env.N, process.env.GIVEN, 'M' in process.env]", env={"GIVEN": "g"}),
        json=["5", "g", False],
    ),
    value(
        "a folder that is not there",
        "process.chdir('nowhere')",
        error="Error",
        message="ENOENT: no such file or directory, chdir '/workspace' -> 'nowhere'",
    ),
    value(
        "the machine",
        "[process.platform, process.arch, process.version]",
        json=["linux", "wasm32", "v20.0.0"],
    ),
)
