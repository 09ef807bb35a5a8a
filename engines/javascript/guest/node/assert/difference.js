/** Two values set against each other, line by line, as `assert` shows them. */
import { inspect } from "../inspect.js";

/** Lines shown of a difference, and of a value that is shown alone. */
const MOST_LINES = 50;
const KEPT_LINES = 46;
/** Identical lines kept on each side of a change; longer runs are left out. */
const CONTEXT = 2;
const LONGEST_RUN = 5;
/** Beyond this many comparisons of lines, what differs is shown as one block. */
const MOST_COMPARISONS = 250_000;

export const shown = (value) =>
  inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
  });

export function shortened(lines) {
  return lines.length > MOST_LINES ? [...lines.slice(0, KEPT_LINES), "..."] : lines;
}

/** A comma at the end of a line is no difference: it only says that something follows. */
const bare = (line) => (line.endsWith(",") ? line.slice(0, -1) : line);
const same = (a, b) => bare(a) === bare(b);

/** Lengths of the longest common subsequences of all pairs of tails. */
function commonLengths(a, b) {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      rows[i][j] = same(a[i], b[j]) ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
    }
  }
  return rows;
}

/** Steps from one list of lines to the other: [" " | "+" | "-", line]; a line that goes comes first. */
function steps(actual, expected) {
  if (actual.length * expected.length > MOST_COMPARISONS) {
    return [...actual.map((line) => ["+", line]), ...expected.map((line) => ["-", line])];
  }
  const common = commonLengths(actual, expected);
  const found = [];
  let [i, j] = [0, 0];
  while (i < actual.length || j < expected.length) {
    if (i < actual.length && j < expected.length && same(actual[i], expected[j])) {
      const line = actual[i++];
      const other = expected[j++];
      found.push([" ", line.length < other.length ? other : line]);
    } else if (j === expected.length || (i < actual.length && common[i + 1][j] >= common[i][j + 1])) {
      found.push(["+", actual[i++]]);
    } else found.push(["-", expected[j++]]);
  }
  return found;
}

/** Leaves out the middle of long runs of identical lines. */
function abridged(found) {
  const result = [];
  for (let at = 0; at < found.length;) {
    let end = at;
    while (end < found.length && found[end][0] === " ") end++;
    if (end - at > LONGEST_RUN) {
      result.push(...found.slice(at, at + CONTEXT), ["...", ""], ...found.slice(end - CONTEXT, end));
    } else result.push(...found.slice(at, end));
    if (end < found.length) result.push(found[end]);
    at = end + 1;
  }
  return result;
}

/** The lines of a difference, and whether some were left out. */
export function difference(actual, expected) {
  const kept = abridged(steps(actual.split("\n"), expected.split("\n")));
  const skipped = kept.some(([mark]) => mark === "...") || kept.length > MOST_LINES;
  const lines = kept.map(([mark, line]) => (mark === "..." ? mark : `${mark} ${line}`));
  return { lines: lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), "..."] : lines, skipped };
}
