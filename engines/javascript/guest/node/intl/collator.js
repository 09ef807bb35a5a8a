/**
 * `Intl.Collator` and `localeCompare` for English: by letters first, then accents, then case, with numbers by
 * value on request. Letters of other scripts follow by code point.
 */
import { Intl, getCanonicalLocales } from "./base.js";

const MARKS = /\p{M}/gu;
const PUNCTUATION = /[\p{P}\p{Z}\p{S}\p{C}]/gu;
/** Whitespace, punctuation, symbols, digits, letters: the order of the groups. */
const GROUPS = [/^\s/u, /^\p{P}/u, /^\p{S}/u, /^\p{N}/u];
/** The order of the Unicode collation among the ASCII characters that are neither letters nor digits. */
const SPECIAL = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
const DIGITS = /(\d+)/;

const base = (text) => text.normalize("NFD").replace(MARKS, "").toLowerCase();
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function rank(character) {
  const special = SPECIAL.indexOf(character);
  if (special >= 0) return [1, special];
  const group = GROUPS.findIndex((pattern) => pattern.test(character));
  return [group < 0 ? GROUPS.length : group, character.codePointAt(0)];
}

function compareLetters(a, b) {
  const [first, second] = [[...a], [...b]];
  const shared = Math.min(first.length, second.length);
  for (let i = 0; i < shared; i++) {
    if (first[i] === second[i]) continue;
    const [one, other] = [rank(first[i]), rank(second[i])];
    return compare(one[0], other[0]) || compare(one[1], other[1]);
  }
  return compare(first.length, second.length);
}

function compareNumerically(a, b) {
  const [first, second] = [a.split(DIGITS), b.split(DIGITS)];
  for (let i = 0; i < Math.min(first.length, second.length); i++) {
    const digits = i % 2 === 1;
    const found = digits ? compare(BigInt(first[i]), BigInt(second[i])) : compareLetters(first[i], second[i]);
    // A text that ends where the other has a number is the shorter one.
    if (found !== 0) return found;
  }
  return compare(first.length, second.length);
}

/** Marks of the two, in order: what is left when the letters agree. */
const accents = (text) => (text.normalize("NFD").match(MARKS) ?? []).join("");

/** Small letters before capitals, at the first place where they differ. */
function compareCase(a, b, upperFirst) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] === b[i]) continue;
    const lower = a[i] === a[i].toLowerCase() && a[i] !== a[i].toUpperCase();
    return lower === upperFirst ? 1 : -1;
  }
  return 0;
}

function collate(a, b, { sensitivity, numeric, ignorePunctuation, caseFirst }) {
  if (a === b) return 0;
  const [first, second] = ignorePunctuation
    ? [a.replace(PUNCTUATION, ""), b.replace(PUNCTUATION, "")]
    : [a, b];
  const letters = (numeric ? compareNumerically : compareLetters)(base(first), base(second));
  if (letters !== 0 || sensitivity === "base") return letters;
  const marks = sensitivity === "case" ? 0 : compare(accents(first), accents(second));
  if (marks !== 0 || sensitivity === "accent") return marks;
  return compareCase(first.normalize("NFC"), second.normalize("NFC"), caseFirst === "upper");
}

const DEFAULTS = Object.freeze({
  locale: "en-US",
  usage: "sort",
  sensitivity: "variant",
  ignorePunctuation: false,
  collation: "default",
  numeric: false,
  caseFirst: "false",
});
const SENSITIVITIES = ["base", "accent", "case", "variant"];

export class Collator {
  #settings;
  #compare;
  constructor(locales = undefined, options = {}) {
    const [locale = DEFAULTS.locale] = getCanonicalLocales(locales);
    const numericTag = /-u(?:-[a-z0-9]+)*-kn(?!-false)/.test(locale);
    const {
      sensitivity = DEFAULTS.sensitivity,
      usage = "sort",
      ignorePunctuation = false,
      caseFirst = "false",
    } = options;
    if (!SENSITIVITIES.includes(sensitivity)) {
      throw new RangeError(
        `Value ${sensitivity} out of range for Intl.Collator options property sensitivity`,
      );
    }
    const numeric = !!(options.numeric ?? numericTag);
    this.#settings = {
      ...DEFAULTS,
      locale: locale.replace(/-u-.*/, ""),
      usage,
      sensitivity,
      ignorePunctuation,
      numeric,
      caseFirst,
    };
    this.#compare = (a, b) => collate(`${a}`, `${b}`, this.#settings);
  }
  get compare() {
    return this.#compare;
  }
  resolvedOptions() {
    return { ...this.#settings };
  }
  static supportedLocalesOf(locales) {
    return getCanonicalLocales(locales).filter((locale) => /^en\b/.test(locale));
  }
}
Object.defineProperty(Collator.prototype, Symbol.toStringTag, { value: "Intl.Collator", configurable: true });
Object.defineProperty(Intl, "Collator", { value: Collator, writable: true, configurable: true });

export const localeCompare = (a, b, locales, options) =>
  locales === undefined && options === undefined
    ? collate(a, b, DEFAULTS)
    : new Collator(locales, options).compare(a, b);
