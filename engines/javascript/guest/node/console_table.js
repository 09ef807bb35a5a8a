/** The text of `console.table`. */
import { inspect } from "./inspect.js";
import { isMap, isMapIterator, isSet, isSetIterator } from "./types.js";

const INDEX = "(index)";
const ITERATION = "(iteration index)";
const KEY = "Key";
const VALUES = "Values";

const isCompound = (value) => (typeof value === "object" && value !== null) || typeof value === "function";

/** A cell's text: one level deep, on one line. */
function cell(value) {
  const deep =
    value !== null && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length > 2;
  return inspect(value, { maxArrayLength: 3, breakLength: Infinity, colors: false, depth: deep ? -1 : 0 });
}

/** First and last characters of the ranges that take two columns. */
const WIDE = [
  "\u1100\u115f", "\u2e80\u303e", "\u3041\ua4cf", "\uac00\ud7a3", "\uf900\ufaff", "\ufe30\ufe6f",
  "\uff00\uff60", "\uffe0\uffe6", "\u{1f300}\u{1f64f}", "\u{1f900}\u{1f9ff}", "\u{20000}\u{3fffd}",
];
const wide = new RegExp(`[${WIDE.map((range) => [...range].join("-")).join("")}]`, "u");
const invisible = /[\p{Mn}\p{Me}\u200b-\u200d\ufe0f]/u;

/** Columns that a text takes on a terminal. */
function width(text) {
  let columns = 0;
  for (const character of text) columns += invisible.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return columns;
}

function draw(head, columns) {
  const height = Math.max(...columns.map((column) => column.length));
  const widths = columns.map((column, i) => Math.max(width(head[i]), ...column.map(width)) + 2);
  const row = (cells) => {
    const padded = cells.map((text, i) => ` ${text}${" ".repeat(widths[i] - width(text) - 1)}`);
    return `│${padded.join("│")}│`;
  };
  const bars = widths.map((count) => "─".repeat(count));
  const rule = (left, middle, right) => left + bars.join(middle) + right;
  const lines = [rule("┌", "┬", "┐"), row(head), rule("├", "┼", "┤")];
  for (let i = 0; i < height; i++) lines.push(row(columns.map((column) => column[i] ?? "")));
  return [...lines, rule("└", "┴", "┘")].join("\n");
}

function mapTable(entries) {
  const columns = [
    entries.map((_, i) => `${i}`),
    entries.map(([key]) => cell(key)),
    entries.map(([, one]) => cell(one)),
  ];
  return draw([ITERATION, KEY, VALUES], columns);
}

export function table(data, chosen = undefined) {
  if (isMap(data)) return mapTable([...data]);
  if (isMapIterator(data) || isSetIterator(data)) {
    const items = [...data];
    return draw([ITERATION, VALUES], [items.map((_, i) => `${i}`), items.map(cell)]);
  }
  const set = isSet(data);
  const rows = set
    ? [...data].map((one, i) => [`${i}`, one])
    : Object.keys(data).map((key) => [key, data[key]]);
  return rowsTable(rows, set ? ITERATION : INDEX, chosen);
}

function rowsTable(rows, index, chosen) {
  const columns = new Map();
  for (const name of chosen ?? []) columns.set(`${name}`, []);
  const values = [];
  let plain = false;
  rows.forEach(([, item], i) => {
    if (!isCompound(item)) {
      values[i] = cell(item);
      plain = true;
      return;
    }
    for (const key of chosen ?? Object.keys(item)) {
      if (!Object.hasOwn(item, key)) continue;
      if (!columns.has(key)) columns.set(key, []);
      columns.get(key)[i] = cell(item[key]);
    }
  });
  const filled = (column) => Array.from({ length: rows.length }, (_, i) => column[i] ?? "");
  const head = [index, ...columns.keys()];
  const body = [rows.map(([key]) => key), ...[...columns.values()].map(filled)];
  if (plain) {
    head.push(VALUES);
    body.push(filled(values));
  }
  return draw(head, body);
}
