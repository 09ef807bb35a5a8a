"""The MDN JavaScript guide from collections to modules; goes on where `guide_basics` ends."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.snippets import Snippet

SNIPPETS = (
    Snippet(
        "Indexed collections: the usual methods",
        """
const depths = [30, 4, 21];
depths.push(8); depths.unshift(100);
[depths.toSorted(), [...depths].sort((a, b) => a - b), depths.indexOf(21), depths.splice(1, 2), depths]
""",
        value="[\n  [ 100, 21, 30, 4, 8 ],\n  [ 4, 8, 21, 30, 100 ],\n  3,\n  [ 30, 4 ],\n  [ 100, 21, 8 ]\n]",
    ),
    Snippet(
        "Indexed collections: a pipeline",
        """
const sum = depths.filter((depth) => depth > 10).flatMap((depth) => [depth, depth / 2]).reduce((a, b) => a + b, 0);
[sum, depths.find((depth) => depth < 10), depths.every(Number.isInteger), Array.from({ length: 3 }, (_, i) => i * i), [[1, [2]], 3].flat(Infinity)]
""",
        value="[ 181.5, 8, true, [ 0, 1, 4 ], [ 1, 2, 3 ] ]",
    ),
    Snippet(
        "Indexed collections: with, fill and holes",
        r"""
const grid = Array.from({ length: 2 }, () => Array(3).fill('.'));
grid[1][2] = '#';
console.log(grid.map((line) => line.join('')).join('\n'));
[depths.with(0, 'deep'), Array(2), depths.length = 1, depths]
""",
        out="...\n..#\n",
        value="[ [ 'deep', 21, 8 ], [ <2 empty items> ], 1, [ 100 ] ]",
    ),
    Snippet(
        "Keyed collections: a map keeps the order of its keys",
        """
const catalogue = new Map([['M31', { kind: 'galaxy' }], ['M45', { kind: 'cluster' }]]);
catalogue.set(NaN, 'odd').set('M31', { kind: 'spiral' });
console.log([...catalogue.keys()], catalogue.size, catalogue.get(NaN));
catalogue
""",
        out="[ 'M31', 'M45', NaN ] 3 odd\n",
        value="Map(3) {\n  'M31' => { kind: 'spiral' },\n  'M45' => { kind: 'cluster' },\n  NaN => 'odd'\n}",
    ),
    Snippet(
        "Keyed collections: sets and what they share",
        """
const seen = new Set('andromeda');
const names = new Set(['d', 'x']);
[seen.size, [...seen].filter((letter) => names.has(letter)), seen.delete('a'), seen]
""",
        value="[ 7, [ 'd' ], true, Set(6) { 'n', 'd', 'r', 'o', 'm', 'e' } ]",
    ),
    Snippet(
        "Keyed collections: weak keys",
        """
const notes = new WeakMap([[mount, 'greased']]);
[notes.get(mount), notes.has({}), new WeakSet([mount]).has(mount)]
""",
        value="[ 'greased', false, true ]",
    ),
    Snippet(
        "Working with objects: properties of every sort",
        """
const key = 'f' + 8;
const lens = { [key]: 'wide', get area() { return this.size ** 2; }, set area(value) { this.size = Math.sqrt(value); }, toString() { return `lens ${this.size}`; } };
lens.area = 49;
console.log(`${lens}`, lens.area, Object.keys(lens));
lens
""",
        out="lens 7 49 [ 'f8', 'area', 'toString', 'size' ]\n",
        value="{\n  f8: 'wide',\n  area: [Getter/Setter],\n  toString: [Function: toString],\n  size: 7\n}",
    ),
    Snippet(
        "Working with objects: prototypes are followed",
        """
const finder = Object.create(lens, { size: { value: 3, enumerable: false, writable: true } });
[finder.area, Object.keys(finder), Object.hasOwn(finder, 'f8'), finder.f8, lens.isPrototypeOf(finder)]
""",
        value="[ 9, [], false, 'wide', true ]",
    ),
    Snippet(
        "Working with objects: frozen and copied",
        """
const frozen = Object.freeze({ deep: { n: 1 } });
frozen.deep.n = 2; frozen.other = 1;
[frozen, structuredClone(frozen) === frozen, Object.entries({ b: 1, a: 2 }), Object.fromEntries([['z', 26]]), Object.isFrozen(frozen.deep)]
""",
        value="[\n  { deep: { n: 2 } },\n  false,\n  [ [ 'b', 1 ], [ 'a', 2 ] ],\n  { z: 26 },\n  false\n]",
    ),
    Snippet(
        "Using classes: fields, private parts and statics",
        """
class Instrument {
  static #made = 0;
  static made() { return Instrument.#made; }
  #serial;
  colour = 'black';
  constructor(name) { this.name = name; this.#serial = ++Instrument.#made; }
  get serial() { return `${this.name}-${this.#serial}`; }
  describe() { return `${this.serial} in ${this.colour}`; }
  static isOne(thing) { return #serial in thing; }
}
const compass = new Instrument('compass');
compass
""",
        value="Instrument { colour: 'black', name: 'compass' }",
    ),
    Snippet(
        "Using classes: a subclass asks its parent",
        """
class Camera extends Instrument {
  static { this.kinds = ['plate', 'digital']; }
  describe() { return super.describe() + `, one of ${Camera.kinds.length}`; }
}
const camera = new Camera('cam');
console.log(camera.describe(), Instrument.made(), Instrument.isOne(camera), Instrument.isOne({}));
camera
""",
        out="cam-2 in black, one of 2 2 true false\n",
        value="Camera { colour: 'black', name: 'cam' }",
    ),
    Snippet(
        "Using classes: a private name is private",
        """
[Object.keys(camera), camera['#serial'], JSON.stringify(camera), Camera.name, Object.getPrototypeOf(Camera) === Instrument]
""",
        value="[\n  [ 'colour', 'name' ],\n  undefined,\n  '{\"colour\":\"black\",\"name\":\"cam\"}',\n  'Camera',\n  true\n]",
    ),
    Snippet(
        "Using classes: a class is not called like a function",
        "Camera('cam')",
        error="TypeError",
    ),
    Snippet(
        "Using promises: a chain",
        """
const wait = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
wait(2, 5).then((n) => n * 2).then((n) => console.log('chained', n)).finally(() => console.log('done'));
console.log('first');
""",
        out="first\nchained 10\ndone\n",
    ),
    Snippet(
        "Using promises: awaiting at the top",
        """
const waited = await wait(1, 'dew');
waited.toUpperCase()
""",
        value="'DEW'",
    ),
    Snippet(
        "Using promises: many at once",
        """
const settled = await Promise.allSettled([wait(1, 'a'), Promise.reject(new TypeError('b')), 3]);
[settled.map((one) => one.status), await Promise.race([wait(20, 'slow'), wait(1, 'fast')]), await Promise.all([1, wait(1, 2)]), await Promise.any([Promise.reject(0), 4])]
""",
        value="[ [ 'fulfilled', 'rejected', 'fulfilled' ], 'fast', [ 1, 2 ], 4 ]",
    ),
    Snippet(
        "Using promises: a promise that is settled later",
        """
let open;
const gate = new Promise((resolve) => { open = resolve; });
gate.then((light) => console.log('then', light));
[typeof open, gate instanceof Promise]
""",
        value="[ 'function', true ]",
    ),
    Snippet(
        "Using promises: in another entry",
        """
open('dawn');
const passed = await gate;
[passed, passed === await gate]
""",
        out="then dawn\n",
        value="[ 'dawn', true ]",
    ),
    Snippet(
        "Using promises: a rejection is thrown where it is awaited",
        "await wait(1).then(() => { throw new DomeError('no power'); })",
        error="DomeError",
        message="no power",
    ),
    Snippet(
        "Using promises: tasks and microtasks in their order",
        """
setTimeout(() => console.log('task'), 0);
queueMicrotask(() => console.log('microtask'));
(async () => { console.log('sync'); await null; console.log('after await'); })();
console.log('end');
""",
        out="sync\nend\nmicrotask\nafter await\ntask\n",
    ),
    Snippet(
        "Typed arrays: one buffer, two views",
        """
const buffer = new ArrayBuffer(8);
const words = new Uint16Array(buffer);
const view = new DataView(buffer);
words[0] = 513; view.setInt32(4, -2);
[new Uint8Array(buffer), view.getUint8(0), words.length, new Int8Array([200])[0], new Uint8ClampedArray([300, -5])]
""",
        value="[\n  Uint8Array(8) [\n      1,   2,   0,   0,\n    255, 255, 255, 254\n  ],\n  1,\n  4,\n  -56,\n  Uint8ClampedArray(2) [ 255, 0 ]\n]",
    ),
    Snippet(
        "Typed arrays: the buffer is shared by later entries",
        """
words.subarray(0, 2).fill(7);
[...new Uint8Array(buffer, 0, 4)]
""",
        value="[ 7, 0, 7, 0 ]",
    ),
    Snippet(
        "Iterators and generators: a generator waits between entries",
        """
function* orbit(period) {
  let lap = 0;
  while (true) {
    const change = yield `lap ${++lap} of ${period}`;
    if (change) period = change;
  }
}
const laps = orbit(88);
laps.next()
""",
        value="{ value: 'lap 1 of 88', done: false }",
    ),
    Snippet(
        "Iterators and generators: it is told something and answers",
        "[laps.next(225).value, laps.next().value, laps.return('over'), laps.next()]",
        value="[\n  'lap 2 of 225',\n  'lap 3 of 225',\n  { value: 'over', done: true },\n  { value: undefined, done: true }\n]",
    ),
    Snippet(
        "Iterators and generators: an object that can be iterated",
        """
const countdown = { from: 3, *[Symbol.iterator]() { for (let n = this.from; n > 0; n--) yield n; } };
console.log(Math.max(...countdown), Array.from(countdown, (n) => n * n));
const steps = countdown[Symbol.iterator]();
steps.next().value
""",
        out="3 [ 9, 4, 1 ]\n",
        value="3",
    ),
    Snippet(
        "Iterators and generators: an iterator goes on where it was",
        """
const rest = [...steps]; const delegated = (function* () { yield 0; yield* rest; return 'lost'; })();
[rest, ...delegated]
""",
        value="[ [ 2, 1 ], 0, 2, 1 ]",
    ),
    Snippet(
        "Iterators and generators: asynchronous ones",
        """
async function* signals() { for (const n of [1, 2, 3]) { await wait(1); yield n * 10; } }
const received = [];
for await (const signal of signals()) received.push(signal);
received
""",
        value="[ 10, 20, 30 ]",
    ),
    Snippet(
        "Meta programming: a proxy answers for its target",
        """
const polite = new Proxy({ known: 1 }, { get: (target, name) => name in target ? target[name] : `no ${String(name)}`, has: () => true });
[polite.known, polite.other, 'anything' in polite, Reflect.ownKeys({ [Symbol('s')]: 1, n: 2 })]
""",
        value="[ 1, 'no other', true, [ 'n', Symbol(s) ] ]",
    ),
    Snippet(
        "Meta programming: symbols change how objects behave",
        """
class Even { static [Symbol.hasInstance](n) { return n % 2 === 0; } }
const weighty = { [Symbol.toPrimitive]: (hint) => hint === 'number' ? 42 : hint };
[4 instanceof Even, +weighty, `${weighty}`, Symbol('q').description, Symbol.for('k') === Symbol.for('k')]
""",
        value="[ true, 42, 'string', 'q', true ]",
    ),
    Snippet(
        "Internationalization: text is compared and normalised",
        r"""
const accents = ['é', 'e\u0301'];
[accents[0] === accents[1], accents[0] === accents[1].normalize('NFC'), ['pear', 'apple', 'fig'].sort((a, b) => a.localeCompare(b)), 'STRASSE'.toLowerCase(), 'ß'.toUpperCase()]
""",
        value="[ false, true, [ 'apple', 'fig', 'pear' ], 'strasse', 'SS' ]",
    ),
    Snippet(
        "Modules: a module is written and imported",
        """
const { writeFileSync } = await import('node:fs');
writeFileSync('orbits.mjs', `
let calls = 0;
export const year = 365.25;
export function period(axis) { calls++; return Math.round(year * axis ** 1.5); }
export { calls };
export default class Planet { constructor(axis) { this.axis = axis; } }
`);
const orbits = await import('./orbits.mjs');
[orbits.period(1.524), orbits.calls]
""",
        value="[ 687, 1 ]",
    ),
    Snippet(
        "Modules: its bindings are live, and it is loaded once",
        """
const again = await import('./orbits.mjs');
again.period(0.723);
[again === orbits, orbits.calls, new orbits.default(5).axis, Object.keys(orbits)]
""",
        value="[ true, 2, 5, [ 'calls', 'default', 'period', 'year' ] ]",
    ),
    Snippet(
        "Introduction: all of it is still there",
        "[station, comets.up(), catalogue.size, compass.serial, journal.length, word.source]",
        value="[ 'Ridge', 'comet 4', 3, 'compass-1', 4, '\\\\p{L}+' ]",
    ),
)
