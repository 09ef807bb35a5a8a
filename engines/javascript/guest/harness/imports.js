/**
 * Makes `import` and `export` declarations at the top of a cell into what a script may hold.
 *
 * `import { a as b } from "m"` becomes `const { a: b } = await import("m")`, and `export` is taken away: a cell's
 * names are visible to other cells anyway. Lines stay where they are.
 */
import { parse } from "sucrase/dist/esm/parser/index.js";
import { TokenType as tt } from "sucrase/dist/esm/parser/tokenizer/types.js";

const WORD = /\b(?:import|export)\b/;

export function hasImports(code) {
  return WORD.test(code);
}

/** The code with its declarations exchanged; undefined when it cannot be read, or has none. */
export function exchangeImports(code, isTypeScript) {
  let tokens;
  try {
    ({ tokens } = parse(code, false, isTypeScript, false));
  } catch {
    return undefined;
  }
  const edits = [];
  let depth = 0;
  for (let i = 0; i < tokens.length; i++) {
    const { type } = tokens[i];
    if (opens(type)) depth += 1;
    else if (closes(type)) depth -= 1;
    if (depth !== 0) continue;
    const reader = new Reader(code, tokens, i);
    if (type === tt._import) reader.readImport();
    else if (type === tt._export) reader.readExport();
    if (reader.edit !== undefined) {
      edits.push(reader.edit);
      i = reader.at - 1;
    }
  }
  return edits.length > 0 ? apply(code, edits) : undefined;
}

const OPENING = new Set([tt.braceL, tt.parenL, tt.bracketL, tt.dollarBraceL]);
const CLOSING = new Set([tt.braceR, tt.parenR, tt.bracketR]);
const opens = (type) => OPENING.has(type);
const closes = (type) => CLOSING.has(type);

function apply(code, edits) {
  let result = "";
  let from = 0;
  for (const { start, end, text } of edits) {
    // Lines that a declaration spans are kept, so that errors name the user's lines.
    const lines = code.slice(start, end).split("\n").length - text.split("\n").length;
    result += code.slice(from, start) + text + "\n".repeat(Math.max(0, lines));
    from = end;
  }
  return result + code.slice(from);
}

/** Reads one declaration from a token on; `edit` is what it becomes. */
class Reader {
  constructor(code, tokens, at) {
    this.code = code;
    this.tokens = tokens;
    this.first = at;
    this.at = at + 1;
  }

  is(type) {
    return this.tokens[this.at]?.type === type;
  }

  take(type) {
    if (!this.is(type)) return false;
    this.at += 1;
    return true;
  }

  get text() {
    const token = this.tokens[this.at];
    return token === undefined ? "" : this.code.slice(token.start, token.end);
  }

  takeWord(word) {
    if (this.text !== word) return false;
    this.at += 1;
    return true;
  }

  takeText() {
    const { text } = this;
    this.at += 1;
    return text;
  }

  finish(text) {
    this.take(tt.semi);
    this.edit = { start: this.tokens[this.first].start, end: this.tokens[this.at - 1].end, text };
  }

  readImport() {
    if (this.is(tt.parenL) || this.is(tt.dot)) return;
    if (this.is(tt.string)) {
      this.finish(`await ${this.readSource()};`);
      return;
    }
    const names = [];
    let all;
    if (!this.is(tt.star) && !this.is(tt.braceL)) names.push(`default: ${this.takeText()}`);
    this.take(tt.comma);
    if (this.take(tt.star)) {
      this.takeWord("as");
      all = this.takeText();
    } else if (this.take(tt.braceL)) {
      this.readNames(names);
    }
    if (!this.takeWord("from") || !this.is(tt.string)) return;
    const source = `await ${this.readSource()}`;
    const parts = [];
    if (all !== undefined) parts.push(`${all} = ${source}`);
    if (names.length > 0) parts.push(`{ ${names.join(", ")} } = ${all ?? source}`);
    this.finish(parts.length > 0 ? `const ${parts.join(", ")};` : `${source};`);
  }

  /** `a, b as c, type D` up to the brace. */
  readNames(names) {
    while (!this.take(tt.braceR) && this.at < this.tokens.length) {
      const name = this.takeText();
      const own = this.takeWord("as") ? this.takeText() : name;
      names.push(name === own ? name : `${name}: ${own}`);
      this.take(tt.comma);
    }
  }

  /** `"module"`, with attributes: the call that imports it. */
  readSource() {
    const source = this.takeText();
    if (this.text !== "with" && this.text !== "assert") return `import(${source})`;
    this.at += 1;
    const from = this.tokens[this.at].start;
    while (!this.take(tt.braceR) && this.at < this.tokens.length) this.at += 1;
    return `import(${source}, { with: ${this.code.slice(from, this.tokens[this.at - 1].end)} })`;
  }

  readExport() {
    if (this.is(tt.star)) {
      while (!this.is(tt.string) && this.at < this.tokens.length) this.at += 1;
      this.finish(`await ${this.readSource()};`);
    } else if (this.take(tt.braceL)) {
      while (!this.take(tt.braceR) && this.at < this.tokens.length) this.at += 1;
      if (this.takeWord("from")) this.finish(`await ${this.readSource()};`);
      else this.finish("");
    } else {
      this.take(tt._default);
      const { start } = this.tokens[this.first];
      this.edit = { start, end: this.tokens[this.at].start, text: "" };
    }
  }
}
