"""The TypeScript handbook: what is typed runs as if it were not, about a small library."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.snippets import Snippet, Unlike

SNIPPETS = (
    Snippet(
        "The basics: types are no part of what runs",
        """
const shelf: string = 'north';
let books: number = 12;
function label(name: string, year?: number): string { return year ? `${name} (${year})` : name; }
label(shelf, books)
""",
        value="'north (12)'",
    ),
    Snippet(
        "Everyday types: unions, aliases and literals",
        """
type Id = number | string;
type Mood = 'open' | 'closed';
let mood: Mood = 'open';
const ids: Id[] = [7, 'b9'];
const widen = (id: Id): string => typeof id === 'string' ? id.toUpperCase() : id.toFixed(1);
ids.map(widen)
""",
        value="[ '7.0', 'B9' ]",
    ),
    Snippet(
        "Everyday types: assertions and things that are surely there",
        """
const found = ids.find((id) => id === 7) as number;
const sure = ids[1]!;
const loose = <unknown>sure as string;
[found + 1, sure, loose.length]
""",
        value="[ 8, 'b9', 2 ]",
    ),
    Snippet(
        "Everyday types: enumerations count and have names",
        """
enum Floor { Ground, First, Cellar = -1, Label = 'floor' }
[Floor.First, Floor[0], Floor.Cellar, Floor.Label, Floor]
""",
        value="[\n  1,\n  'Ground',\n  -1,\n  'floor',\n  {\n    '0': 'Ground',\n    '1': 'First',\n    Ground: 0,\n    First: 1,\n    Cellar: -1,\n    '-1': 'Cellar',\n    Label: 'floor'\n  }\n]",
    ),
    Snippet(
        "Narrowing: a predicate and a tag",
        """
interface Book { kind: 'book'; pages: number }
interface Chart { kind: 'chart'; scale: number }
type Item = Book | Chart;
const isBook = (item: Item): item is Book => item.kind === 'book';
function size(item: Item): number {
  switch (item.kind) {
    case 'book': return item.pages;
    case 'chart': return item.scale;
    default: { const rest: never = item; return rest; }
  }
}
const items: Item[] = [{ kind: 'book', pages: 90 }, { kind: 'chart', scale: 25 }];
[items.filter(isBook).length, items.map(size)]
""",
        value="[ 1, [ 90, 25 ] ]",
    ),
    Snippet(
        "More on functions: generics and overloads",
        """
function firstOf<T>(list: readonly T[], fallback?: T): T | undefined { return list.length ? list[0] : fallback; }
function pad(text: string): string;
function pad(text: number): string;
function pad(text: string | number): string { return String(text).padStart(4, '.'); }
[firstOf<number>([3, 4]), firstOf([], 'none'), pad(7), pad('x')]
""",
        value="[ 3, 'none', '...7', '...x' ]",
    ),
    Snippet(
        "More on functions: this, rest and destructured parameters",
        """
const desk = { name: 'desk', greet(this: { name: string }, ...guests: string[]): string { return `${this.name}: ${guests.join(' & ')}`; } };
function area({ w, h = 2 }: { w: number; h?: number }): number { return w * h; }
[desk.greet('Ida', 'Jon'), area({ w: 4 })]
""",
        value="[ 'desk: Ida & Jon', 8 ]",
    ),
    Snippet(
        "Object types: readonly, optional and indexed",
        """
interface Loan { readonly id: number; due?: Date; [extra: string]: unknown }
const loan: Loan = { id: 4, note: 'late' };
const pair: readonly [string, number] = ['shelf', 3];
const [where, count]: [string, number] = [...pair];
({ ...loan, where, count })
""",
        value="{ id: 4, note: 'late', where: 'shelf', count: 3 }",
    ),
    Snippet(
        "Type manipulation: keys, conditions and mapped types leave nothing behind",
        """
type Keys = keyof Book;
type Flags<T> = { [K in keyof T]?: boolean };
type Unwrapped<T> = T extends Promise<infer U> ? U : T;
const flags: Flags<Book> = { pages: true };
const pick = <T, K extends keyof T>(thing: T, name: K): T[K] => thing[name];
[flags, pick({ pages: 9 }, 'pages')]
""",
        value="[ { pages: true }, 9 ]",
    ),
    Snippet(
        "Type manipulation: satisfies and const",
        """
const palette = { calm: [10, 20], loud: '#f00' } satisfies Record<string, string | number[]>;
const fixed = ['a', 'b'] as const;
[palette.calm[1], fixed.length]
""",
        value="[ 20, 2 ]",
    ),
    Snippet(
        "Classes: members with visibility",
        """
class Shelf<T extends { id: number }> {
  private items: T[] = [];
  protected static opened: number = 0;
  readonly made: string;
  constructor(public name: string, private readonly room = 5) { this.made = `${name}/${room}`; Shelf.opened++; }
  put(item: T): this { if (this.items.length < this.room) this.items.push(item); return this; }
  get full(): boolean { return this.items.length >= this.room; }
  static count(): number { return Shelf.opened; }
}
const tall = new Shelf<{ id: number }>('tall', 2);
tall.put({ id: 1 }).put({ id: 2 }).put({ id: 3 })
""",
        value="Shelf {\n  name: 'tall',\n  room: 2,\n  items: [ { id: 1 }, { id: 2 } ],\n  made: 'tall/2'\n}",
        unlike=Unlike(
            "parameter properties become assignments without declarations: they come after the declared fields",
            value="Shelf {\n  items: [ { id: 1 }, { id: 2 } ],\n  made: 'tall/2',\n  name: 'tall',\n  room: 2\n}",
        ),
    ),
    Snippet(
        "Classes: abstract ones and interfaces",
        """
interface Printable { print(): string }
abstract class Person implements Printable {
  constructor(protected name: string) {}
  abstract role(): string;
  print(): string { return `${this.name} (${this.role()})`; }
}
class Reader extends Person { override role(): string { return 'reader'; } }
const reader: Printable = new Reader('Kim');
[reader.print(), tall.full, Shelf.count()]
""",
        value="[ 'Kim (reader)', true, 1 ]",
    ),
    Snippet(
        "Classes: an accessor and an index",
        """
class Temperature {
  declare unit: string;
  #celsius = 20;
  get fahrenheit(): number { return this.#celsius * 9 / 5 + 32; }
  set fahrenheit(value: number) { this.#celsius = (value - 32) * 5 / 9; }
}
const room = new Temperature();
room.fahrenheit = 50;
[room.fahrenheit, 'unit' in room]
""",
        value="[ 50, false ]",
    ),
    Snippet(
        "Modules: a namespace",
        """
namespace Catalogue {
  let next = 100;
  export const issue = (): number => next++;
  export namespace Codes { export const prefix = 'C-'; }
}
[Catalogue.issue(), Catalogue.issue(), Catalogue.Codes.prefix]
""",
        value="[ 100, 101, 'C-' ]",
        unlike=Unlike("namespaces are more than types: they would have to be compiled", error="SyntaxError"),
    ),
    Snippet(
        "Modules: it goes on counting",
        "Catalogue.issue() + Object.keys(Catalogue).length",
        value="104",
        unlike=Unlike(
            "namespaces are more than types: they would have to be compiled", error="ReferenceError"
        ),
    ),
    Snippet(
        "The basics: an error keeps its class",
        """
function check(value: unknown): asserts value is string { if (typeof value !== 'string') throw new TypeError('a text is needed'); }
check(books as unknown);
""",
        error="TypeError",
        message="a text is needed",
    ),
    Snippet(
        "More on functions: asynchronous and generating ones",
        """
async function borrow<T>(thing: T): Promise<T[]> { await null; return [thing, thing]; }
function* pages(to: number): Generator<number, string, void> { for (let n = 1; n <= to; n++) yield n; return 'end'; }
const turning: Iterator<number, string> = pages(2);
[await borrow<string>('atlas'), turning.next()]
""",
        value="[ [ 'atlas', 'atlas' ], { value: 1, done: false } ]",
    ),
    Snippet(
        "More on functions: the generator is where it was",
        "[turning.next().value, turning.next(), mood, tall.made]",
        value="[ 2, { value: 'end', done: true }, 'open', 'tall/2' ]",
    ),
)
