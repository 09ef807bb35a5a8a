/**
 * `Intl.Segmenter` by the properties of characters: what people see as one character, words, and sentences. The
 * rules of the Unicode standard without its dictionaries, so words of Chinese and Thai are not told apart.
 */
import { Intl, getCanonicalLocales } from "./base.js";

const TAGS = "[\\u{e0020}-\\u{e007e}]+\\u{e007f}";
const EMOJI = `\\p{Extended_Pictographic}(?:\\p{EMod}|\\ufe0f|${TAGS})*`;
const EXTEND = "[\\p{M}\\u200c\\u200d\\p{EMod}\\u{e0020}-\\u{e007f}]";
const PREPEND = "[\\u0600-\\u0605\\u06dd\\u070f]";
const HANGUL =
  "[\\u1100-\\u115f]*(?:[\\uac00-\\ud7a3]|[\\u1160-\\u11a7])[\\u1160-\\u11a7]*[\\u11a8-\\u11ff]*";

/** A full stop ends nothing before a digit or a small letter. */
const WITHIN_SENTENCE = "[^.!?。！？\\n]|\\.(?=[\\p{N}\\p{Ll}])|\\.[^\\S\\n]+(?=\\p{Ll})";
const END_OF_SENTENCE = "[.!?。！？]+[\"'”’)\\]]*[^\\S\\n]*\\n?";

/** Each pattern matches the next segment, whatever stands there. */
const PATTERNS = {
  grapheme: [
    "\\r\\n",
    "\\p{Cc}",
    `\\p{RI}\\p{RI}${EXTEND}*`,
    `${EMOJI}(?:\\u200d${EMOJI})*${EXTEND}*`,
    `${PREPEND}*${HANGUL}${EXTEND}*`,
    `[\\s\\S]${EXTEND}*`,
  ],
  word: [
    "\\r\\n",
    "\\p{Script=Han}\\p{M}*",
    "(?:\\p{Script=Katakana}|ー)+",
    "\\p{Script=Hiragana}+",
    "[\\p{L}\\p{N}\\p{M}_]+(?:['’.:·](?=\\p{L})[\\p{L}\\p{N}\\p{M}_]+|[.,](?=\\p{N})[\\p{N}]+)*",
    `${EMOJI}(?:\\u200d${EMOJI})*`,
    "\\p{Zs}+",
    `[\\s\\S]${EXTEND}*`,
  ],
  sentence: [`(?:${WITHIN_SENTENCE})*(?:${END_OF_SENTENCE}|\\n|$)`],
};
const SEGMENTS = Object.fromEntries(
  Object.entries(PATTERNS).map(([granularity, patterns]) => [
    granularity,
    new RegExp(patterns.join("|"), "gu"),
  ]),
);
const WORD_LIKE = /[\p{L}\p{N}]/u;

class Segments {
  #input;
  #granularity;
  constructor(input, granularity) {
    this.#input = input;
    this.#granularity = granularity;
  }
  *[Symbol.iterator]() {
    const input = this.#input;
    for (const { 0: segment, index } of input.matchAll(SEGMENTS[this.#granularity])) {
      if (segment === "") continue;
      const found = { segment, index, input };
      yield this.#granularity === "word" ? { ...found, isWordLike: WORD_LIKE.test(segment) } : found;
    }
  }
  containing(position = 0) {
    for (const found of this)
      if (position >= found.index && position < found.index + found.segment.length) return found;
    return undefined;
  }
}

export class Segmenter {
  #locale;
  #granularity;
  constructor(locales = undefined, { granularity = "grapheme" } = {}) {
    [this.#locale = "en-US"] = getCanonicalLocales(locales);
    if (!Object.hasOwn(PATTERNS, granularity)) {
      throw new RangeError(
        `Value ${granularity} out of range for Intl.Segmenter options property granularity`,
      );
    }
    this.#granularity = granularity;
  }
  segment(input) {
    return new Segments(`${input}`, this.#granularity);
  }
  resolvedOptions() {
    return { locale: this.#locale, granularity: this.#granularity };
  }
  static supportedLocalesOf(locales) {
    return getCanonicalLocales(locales);
  }
}
Object.defineProperty(Segmenter.prototype, Symbol.toStringTag, {
  value: "Intl.Segmenter",
  configurable: true,
});
Object.defineProperty(Intl, "Segmenter", { value: Segmenter, writable: true, configurable: true });
