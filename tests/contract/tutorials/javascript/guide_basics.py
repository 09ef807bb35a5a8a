"""The MDN JavaScript guide from its introduction to regular expressions, about a small observatory."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.snippets import Snippet

SNIPPETS = (
    Snippet(
        "Introduction: a greeting and a value",
        """
const station = 'Ridge';
console.log(`Welcome to ${station}`);
station.length * 7
""",
        out="Welcome to Ridge\n",
        value="35",
    ),
    Snippet(
        "Introduction: the last value has a name",
        "_ + 1",
        value="36",
    ),
    Snippet(
        "Grammar and types: declarations keep their kind",
        """
var nights = 3;
let clear = true;
const limits = { low: -40, high: 55 };
typeof nights + ' ' + typeof clear + ' ' + typeof limits
""",
        value="'number boolean object'",
    ),
    Snippet(
        "Grammar and types: a constant cannot be given another value",
        "limits = null",
        error="TypeError",
    ),
    Snippet(
        "Grammar and types: but what it holds can change",
        "limits.high += 5; limits",
        value="{ low: -40, high: 60 }",
    ),
    Snippet(
        "Grammar and types: text and numbers are converted",
        """
['7' + nights, '7' - nights, '7' * '2', +'0x1f', parseInt('101', 2), Number(''), String([4, [5]])]
""",
        value="[\n  '73',  4, 14,\n  31,    5, 0,\n  '4,5'\n]",
    ),
    Snippet(
        "Grammar and types: literals of every kind",
        """
({ octal: 0o17, binary: 0b1001, wide: 1_000_000, huge: 9007199254740993n, pattern: /ab+c/gi, list: [1, , 3], nothing: null })
""",
        value="{\n  octal: 15,\n  binary: 9,\n  wide: 1000000,\n  huge: 9007199254740993n,\n  pattern: /ab+c/gi,\n  list: [ 1, <1 empty item>, 3 ],\n  nothing: null\n}",
    ),
    Snippet(
        "Grammar and types: a name that was never declared",
        "telescope",
        error="ReferenceError",
    ),
    Snippet(
        "Control flow and error handling: a choice by case",
        """
function weather(cloud) {
  switch (true) {
    case cloud < 0.2: return 'clear';
    case cloud < 0.7: return 'mixed';
    default: return 'closed';
  }
}
[0.1, 0.5, 0.9].map(weather)
""",
        value="[ 'clear', 'mixed', 'closed' ]",
    ),
    Snippet(
        "Control flow and error handling: errors are caught and cleaned up after",
        """
const journal = [];
function observe(hour) {
  try {
    if (hour < 18) throw new RangeError(`too bright at ${hour}`);
    return 'seen';
  } catch (problem) {
    journal.push(problem.message);
    return problem.name;
  } finally {
    journal.push('closed ' + hour);
  }
}
[observe(12), observe(22), journal]
""",
        value="[\n  'RangeError',\n  'seen',\n  [ 'too bright at 12', 'closed 12', 'closed 22' ]\n]",
    ),
    Snippet(
        "Control flow and error handling: an error of one's own, with a cause",
        """
class DomeError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'DomeError';
  }
}
const stuck = new DomeError('the shutter is stuck', { cause: new Error('ice') });
console.log(stuck instanceof DomeError, stuck instanceof Error, stuck.cause.message);
String(stuck)
""",
        out="true true ice\n",
        value="'DomeError: the shutter is stuck'",
    ),
    Snippet(
        "Control flow and error handling: it reaches the reader when nobody catches it",
        "journal.push('before'); throw stuck",
        error="DomeError",
        message="the shutter is stuck",
    ),
    Snippet(
        "Control flow and error handling: what was done before it stays",
        "journal.at(-1)",
        value="'before'",
    ),
    Snippet(
        "Loops and iteration: for, while and do count",
        """
let total = 0;
for (let step = 1; step <= 10; step++) total += step;
while (total % 7) total++;
do { total *= 2; } while (total < 400);
console.log(total);
""",
        out="448\n",
    ),
    Snippet(
        "Loops and iteration: labels leave more than one loop",
        """
let visited = 0;
rows:
for (let row = 0; row < 5; row++) {
  for (let column = 0; column < 5; column++) {
    if (column === row + 1) continue rows;
    if (row * column === 9) break rows;
    visited++;
  }
}
console.log(visited)
""",
        out="9\n",
    ),
    Snippet(
        "Loops and iteration: keys and values of a list",
        """
const gauges = [12, 15, 11];
gauges.unit = 'hPa';
for (const key in gauges) console.log('in', key);
for (const value of gauges) console.log('of', value);
""",
        out="in 0\nin 1\nin 2\nin unit\nof 12\nof 15\nof 11\n",
    ),
    Snippet(
        "Functions: a recursion and a function that is a value",
        """
const gcd = function inner(a, b) { return b === 0 ? a : inner(b, a % b); };
const twice = (f) => (...given) => f(...given) * 2;
[gcd(1071, 462), twice(gcd)(12, 18), twice.length]
""",
        value="[ 21, 12, 1 ]",
    ),
    Snippet(
        "Functions: a closure remembers",
        """
function tally(label) {
  let count = 0;
  return { up: () => `${label} ${++count}`, get count() { return count; } };
}
const comets = tally('comet'), novae = tally('nova');
comets.up(); comets.up(); novae.up()
""",
        value="'nova 1'",
    ),
    Snippet(
        "Functions: each closure has a count of its own",
        "[comets.count, novae.count, comets.up()]",
        value="[ 2, 1, 'comet 3' ]",
    ),
    Snippet(
        "Functions: defaults, rest and spread",
        """
function log(level, separator = ': ', ...parts) { return level.toUpperCase() + separator + parts.join('|'); }
console.log(log('info'));
console.log(log('warn', undefined, 1, 2));
log(...['note', '> ', ...'abc'])
""",
        out="INFO: \nWARN: 1|2\n",
        value="'NOTE> a|b|c'",
    ),
    Snippet(
        "Functions: arguments and hoisting",
        """
const early = hoisted(2, 3, 4);
function hoisted() { return Array.from(arguments).reduce((a, b) => a * b); }
early
""",
        value="24",
    ),
    Snippet(
        "Functions: an arrow takes this from around it",
        """
const mount = { angle: 40, turn(steps) { return steps.map((step) => this.angle += step); } };
mount.turn([1, 2, 3])
""",
        value="[ 41, 43, 46 ]",
    ),
    Snippet(
        "Expressions and operators: destructuring takes things apart",
        """
const [first, , third = 'none', ...others] = [1, 2, undefined, 4, 5];
const { low, high: top, ...nothingElse } = limits;
({ first, third, others, low, top, nothingElse })
""",
        value="{\n  first: 1,\n  third: 'none',\n  others: [ 4, 5 ],\n  low: -40,\n  top: 60,\n  nothingElse: {}\n}",
    ),
    Snippet(
        "Expressions and operators: optional chaining and the nullish operator",
        """
const reading = { sky: { magnitude: 0 } };
[reading?.sky?.magnitude ?? 'dark', reading.ground?.magnitude ?? 'none', reading.sky.magnitude || 'falsy', reading.calibrate?.()]
""",
        value="[ 0, 'none', 'falsy', undefined ]",
    ),
    Snippet(
        "Expressions and operators: bits and exponents",
        "[5 & 3, 5 | 3, 5 ^ 3, ~5, -9 >> 1, -9 >>> 28, 2 ** 10, 2n ** 70n, 17 % -5]",
        value="[ 1, 7, 6, -6, -5, 15, 1024, 1180591620717411303424n, 2 ]",
    ),
    Snippet(
        "Expressions and operators: assignment that looks first",
        """
let gain = null; let offset = 4; let scale = 0;
gain ??= 2; offset &&= offset + 1; scale ||= 9;
[gain, offset, scale, (gain, offset)]
""",
        value="[ 2, 5, 9, 5 ]",
    ),
    Snippet(
        "Expressions and operators: what something is",
        """
[typeof null, typeof (() => {}), 'sky' in reading, delete reading.sky, 'sky' in reading, void 0, stuck instanceof Object]
""",
        value="[ 'object', 'function', true, true, false, undefined, true ]",
    ),
    Snippet(
        "Numbers and strings: rounding and bases",
        """
[(0.1 + 0.2).toFixed(3), (255).toString(16), (1234.5678).toPrecision(6), Number.MAX_SAFE_INTEGER, Math.hypot(3, 4), -0, 0.1 + 0.2, 1e21, NaN]
""",
        value="[\n  '0.300',\n  'ff',\n  '1234.57',\n  9007199254740991,\n  5,\n  -0,\n  0.30000000000000004,\n  1e+21,\n  NaN\n]",
    ),
    Snippet(
        "Numbers and strings: text by its characters",
        """
const title = 'naïve 🌌 sky';
[title.length, [...title].length, title.codePointAt(6), title.at(-1), title.slice(-3), title.padStart(14, '*'), 'ab'.repeat(2)]
""",
        value="[ 12, 11, 127756, 'y', 'sky', '**naïve 🌌 sky', 'abab' ]",
    ),
    Snippet(
        "Numbers and strings: a tag reads a template",
        r"""
const mark = (texts, ...values) => texts.raw.join('_') + values.map((value) => `<${value}>`).join('');
mark`a${1}b\n${[2, 3]}c`
""",
        value="'a_b\\\\n_c<1><2,3>'",
    ),
    Snippet(
        "Numbers and strings: lines in a template",
        """
const poster = `To ${station.toLowerCase()}
by ${'night'}`;
poster
""",
        value="'To ridge\\nby night'",
    ),
    Snippet(
        "Dates and times: a moment in parts",
        """
const opening = new Date(Date.UTC(2031, 1, 27, 21, 30));
opening.setUTCDate(opening.getUTCDate() + 3);
[opening.toISOString(), opening.getUTCDay(), opening.getTime()]
""",
        value="[ '2031-03-02T21:30:00.000Z', 0, 1930253400000 ]",
    ),
    Snippet(
        "Dates and times: moments are compared and shown",
        """
const closing = new Date('2031-03-03T04:00:00Z');
console.log((closing - opening) / 3_600_000, 'hours');
closing
""",
        out="6.5 hours\n",
        value="2031-03-03T04:00:00.000Z",
    ),
    Snippet(
        "Regular expressions: groups by number and by name",
        r"""
const entry = /(?<day>\d{1,2})\.(?<month>\d{1,2})\. (\w+)/u;
const match = entry.exec('on 14.3. eclipse');
[match[0], match.index, match[3], { ...match.groups }]
""",
        value="[ '14.3. eclipse', 3, 'eclipse', { day: '14', month: '3' } ]",
    ),
    Snippet(
        "Regular expressions: a sticky pattern remembers where it was",
        r"""
const word = /\p{L}+/gu;
word.test('où est');
word.lastIndex
""",
        value="2",
    ),
    Snippet(
        "Regular expressions: and goes on there",
        "[word.exec('où est')[0], word.lastIndex, word.exec('où est'), word.lastIndex]",
        value="[ 'est', 6, null, 0 ]",
    ),
    Snippet(
        "Regular expressions: replacing, splitting, looking around",
        r"""
['2031-03-02'.replace(/(\d+)-(\d+)-(\d+)/, '$3/$2/$1'), 'a1b22'.replaceAll(/\d+/g, (digits) => digits.length), 'x, y;z'.split(/[,;]\s*/), 'cost 40€ 7$'.match(/\d+(?=€)/)[0], [...'k=v;m=n'.matchAll(/(\w)=(\w)/g)].map(([, key, value]) => key + value)]
""",
        value="[ '02/03/2031', 'a1b2', [ 'x', 'y', 'z' ], '40', [ 'kv', 'mn' ] ]",
    ),
)
