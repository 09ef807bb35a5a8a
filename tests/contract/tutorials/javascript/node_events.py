"""Node.js's own introduction from the console to events, about a small post office."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.snippets import Snippet, Unlike

SNIPPETS = (
    Snippet(
        "Introduction: the surroundings of a script",
        """
const path = require('node:path');
const { inspect, format, isDeepStrictEqual } = require('node:util');
[typeof process.version, typeof globalThis, global === globalThis, path.basename('/mail/in/letter.txt', '.txt')]
""",
        value="[ 'string', 'object', true, 'letter' ]",
    ),
    Snippet(
        "Command line: values are formatted for the console",
        """
console.log('%s sent %d letters, %i on time: %j', 'Ada', 3, 2.9, { to: 'Bo' });
console.error('late:', [1]);
format('%o|%%|%s', 'plain', 42n)
""",
        out='Ada sent 3 letters, 2 on time: {"to":"Bo"}\n',
        err="late: [ 1 ]\n",
        value="\"'plain'|%|42n\"",
    ),
    Snippet(
        "Command line: a table, groups and counts",
        r"""
console.table([{ town: 'Oslo', bags: 2 }, { town: 'Rome', bags: 11 }]);
console.group('inbox');
console.log('first\nsecond');
console.groupEnd();
console.count('parcel'); console.count('parcel');
""",
        out="┌─────────┬────────┬──────┐\n│ (index) │ town   │ bags │\n├─────────┼────────┼──────┤\n│ 0       │ 'Oslo' │ 2    │\n│ 1       │ 'Rome' │ 11   │\n└─────────┴────────┴──────┘\ninbox\n  first\n  second\nparcel: 1\nparcel: 2\n",
    ),
    Snippet(
        "Command line: counts go on",
        "console.count('parcel'); console.countReset('parcel'); console.count('parcel')",
        out="parcel: 3\nparcel: 1\n",
    ),
    Snippet(
        "Command line: the depth of what is shown",
        """
const nested = { one: { two: { three: { four: 4 } } }, list: Array.from({ length: 120 }, (_, i) => i) };
console.log(inspect({ one: nested.one }, { depth: 0 }), inspect(nested.one, { depth: null, compact: 9, breakLength: Infinity }));
nested
""",
        out="{ one: [Object] } { two: { three: { four: 4 } } }\n",
        value="{\n  one: { two: { three: [Object] } },\n  list: [\n     0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11,\n    12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,\n    24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,\n    36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,\n    48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,\n    60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71,\n    72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83,\n    84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,\n    96, 97, 98, 99,\n    ... 20 more items\n  ]\n}",
    ),
    Snippet(
        "Command line: writing without a line break",
        r"""
process.stdout.write('no break;');
process.stdout.write(' and a break\n');
process.argv.length >= 1
""",
        out="no break; and a break\n",
        value="true",
    ),
    Snippet(
        "Command line: the environment",
        """
process.env.POST_BOX = 12;
[process.env.POST_BOX, 'POST_BOX' in process.env, process.env.NO_SUCH_BOX]
""",
        value="[ '12', true, undefined ]",
    ),
    Snippet(
        "Command line: what an entry sets there",
        "process.env.POST_BOX",
        value="'12'",
        unlike=Unlike("the environment of every entry is the one that its call gives"),
    ),
    Snippet(
        "Modules: a module with state, in CommonJS",
        """
const fs = require('node:fs');
fs.writeFileSync('stamps.js', `
let sold = 0;
exports.sell = (n = 1) => (sold += n);
exports.where = require('node:path').basename(__filename);
`);
const stamps = require('./stamps.js');
[stamps.sell(), stamps.sell(4), stamps.where]
""",
        value="[ 1, 5, 'stamps.js' ]",
    ),
    Snippet(
        "Modules: it is loaded once",
        """
const sameStamps = require('./stamps');
[sameStamps === stamps, sameStamps.sell()]
""",
        value="[ true, 6 ]",
    ),
    Snippet(
        "Modules: data as a module, and one that is missing",
        """
fs.writeFileSync('rates.json', JSON.stringify({ letter: 0.95, parcel: [4, 7] }));
const rates = require('./rates.json');
try { require('./no-such-module'); } catch (problem) { console.log(problem.code); }
rates
""",
        out="MODULE_NOT_FOUND\n",
        value="{ letter: 0.95, parcel: [ 4, 7 ] }",
    ),
    Snippet(
        "Asynchronous work: a callback comes later",
        """
function deliver(letter, done) {
  setTimeout(() => letter ? done(null, `${letter} delivered`) : done(new Error('nothing to deliver')), 1);
}
deliver('postcard', (problem, receipt) => console.log(problem, receipt));
deliver('', (problem) => console.log(problem.message));
console.log('on the way');
""",
        out="on the way\nnull postcard delivered\nnothing to deliver\n",
    ),
    Snippet(
        "Asynchronous work: callbacks become promises",
        """
const { promisify } = require('node:util');
const delivered = promisify(deliver);
await delivered('letter')
""",
        value="'letter delivered'",
    ),
    Snippet(
        "Asynchronous work: a failure arrives as a rejection",
        "await delivered('')",
        error="Error",
        message="nothing to deliver",
    ),
    Snippet(
        "Asynchronous work: what runs before what",
        """
setImmediate(() => console.log('immediate'));
setTimeout(() => console.log('timeout'), 5);
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
console.log('script');
""",
        out="script\ntick\npromise\nimmediate\ntimeout\n",
    ),
    Snippet(
        "Asynchronous work: a timer that repeats and one that is cleared",
        """
let rounds = 0;
const never = setTimeout(() => console.log('never'), 1);
const bell = setInterval(() => { console.log('round', ++rounds); if (rounds === 3) clearInterval(bell); }, 1);
clearTimeout(never);
""",
        out="round 1\nround 2\nround 3\n",
    ),
    Snippet(
        "Asynchronous work: a timer as a promise",
        """
const timers = require('node:timers/promises');
[rounds, await timers.setTimeout(1, 'slept')]
""",
        value="[ 3, 'slept' ]",
    ),
    Snippet(
        "Events: listeners are called in their order",
        """
const EventEmitter = require('node:events');
const office = new EventEmitter();
const heard = [];
office.on('mail', (from, weight) => heard.push(`${from} ${weight}g`));
office.once('mail', () => heard.push('first one'));
office.prependListener('mail', () => heard.push('ring'));
[office.emit('mail', 'Cy', 20), office.emit('mail', 'Di', 5), office.emit('nothing'), heard]
""",
        value="[\n  true,\n  true,\n  false,\n  [ 'ring', 'Cy 20g', 'first one', 'ring', 'Di 5g' ]\n]",
    ),
    Snippet(
        "Events: they are still there in another entry",
        """
office.emit('mail', 'Eve', 7);
[heard.length, heard.at(-1), office.listenerCount('mail'), office.eventNames()]
""",
        value="[ 7, 'Eve 7g', 2, [ 'mail' ] ]",
    ),
    Snippet(
        "Events: an error that nobody listens to is thrown",
        "office.emit('error', new TypeError('wrong address'))",
        error="TypeError",
        message="wrong address",
    ),
    Snippet(
        "Events: a class that emits",
        """
class Sorter extends EventEmitter {
  sort(...codes) { for (const code of codes) this.emit(code < 5000 ? 'north' : 'south', code); return this; }
}
const sorter = new Sorter();
const south = [];
sorter.on('south', (code) => south.push(code)).sort(9000, 100, 6000);
south
""",
        value="[ 9000, 6000 ]",
    ),
    Snippet(
        "Events: waiting for one",
        """
const next = EventEmitter.once(sorter, 'north');
sorter.sort(1234);
await next
""",
        value="[ 1234 ]",
    ),
    Snippet(
        "Events: targets and signals as in a browser",
        """
const cancel = new AbortController();
cancel.signal.addEventListener('abort', (event) => console.log(event.type, cancel.signal.reason.message));
cancel.abort(new Error('strike'));
cancel.signal.aborted
""",
        out="abort strike\n",
        value="true",
    ),
)
