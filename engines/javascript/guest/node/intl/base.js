/**
 * The `Intl` object itself, and what needs no locale data: canonical names of locales, `Intl.Locale`.
 * The bundler gives it to the packages in place of the global, which users may replace.
 */
const LANGUAGE = "(?<language>[a-z]{2,3}|[a-z]{5,8})";
const SCRIPT = "(?:-(?<script>[a-z]{4}))?";
const REGION = "(?:-(?<region>[a-z]{2}|[0-9]{3}))?";
/** Variants and extensions, whose singletons must have something to follow. */
const REST = "(?<rest>(?:-[a-z0-9]{2,8}|-[a-z0-9](?=-))*)";
const TAG = new RegExp(`^${LANGUAGE}${SCRIPT}${REGION}${REST}$`, "i");
const capitalised = (text) => text[0].toUpperCase() + text.slice(1).toLowerCase();

function parts(tag) {
  const found = TAG.exec(tag);
  if (found === null) throw new RangeError(`Incorrect locale information provided`);
  const { language, script, region, rest } = found.groups;
  return {
    language: language.toLowerCase(),
    script: script && capitalised(script),
    region: region?.toUpperCase(),
    rest: rest.toLowerCase(),
  };
}

function canonical(tag) {
  const { language, script, region, rest } = parts(tag);
  return [language, script, region].filter(Boolean).join("-") + rest;
}

let tellLocales = () => {};

/** Who wants to know which locales are asked for, before they are looked up. */
export function onLocales(listener) {
  tellLocales = listener;
}

export function getCanonicalLocales(locales = undefined) {
  if (locales === undefined) return [];
  const given = typeof locales === "string" || locales instanceof Locale ? [locales] : [...locales];
  const names = given.map((one) => {
    if (typeof one !== "string" && (typeof one !== "object" || one === null)) {
      throw new TypeError("Incorrect locale information provided");
    }
    return canonical(`${one}`);
  });
  tellLocales(names);
  return [...new Set(names)];
}

/** Option of `Intl.Locale` -> key of the Unicode extension. */
const KEYS = {
  calendar: "ca",
  collation: "co",
  hourCycle: "hc",
  caseFirst: "kf",
  numeric: "kn",
  numberingSystem: "nu",
};

const LIKELY = {
  ar: ["Arab", "EG"],
  cs: ["Latn", "CZ"],
  da: ["Latn", "DK"],
  de: ["Latn", "DE"],
  en: ["Latn", "US"],
  es: ["Latn", "ES"],
  fi: ["Latn", "FI"],
  fr: ["Latn", "FR"],
  he: ["Hebr", "IL"],
  hi: ["Deva", "IN"],
  it: ["Latn", "IT"],
  ja: ["Jpan", "JP"],
  ko: ["Kore", "KR"],
  nb: ["Latn", "NO"],
  nl: ["Latn", "NL"],
  pl: ["Latn", "PL"],
  pt: ["Latn", "BR"],
  ru: ["Cyrl", "RU"],
  sv: ["Latn", "SE"],
  tr: ["Latn", "TR"],
  uk: ["Cyrl", "UA"],
  zh: ["Hans", "CN"],
};
/** Where Chinese is written in traditional characters. */
const TRADITIONAL = ["TW", "HK", "MO"];

export class Locale {
  #parts;
  #keywords = new Map();
  constructor(tag, options = {}) {
    if (typeof tag !== "string" && !(tag instanceof Locale))
      throw new TypeError("First argument to Intl.Locale constructor can't be empty or missing");
    const found = parts(`${tag}`);
    const { language = found.language, script = found.script, region = found.region } = options;
    this.#parts = parts([language, script, region].filter(Boolean).join("-"));
    const [, extension = ""] = /-u((?:-[a-z0-9]{2,8})*)/.exec(found.rest) ?? [];
    for (const [, key, value = ""] of extension.matchAll(
      /-([a-z0-9]{2})(?:-([a-z0-9]{3,8}))?(?![a-z0-9])/g,
    )) {
      this.#keywords.set(key, value);
    }
    for (const name in KEYS)
      if (options[name] !== undefined) this.#keywords.set(KEYS[name], `${options[name]}`);
  }
  get language() {
    return this.#parts.language;
  }
  get script() {
    return this.#parts.script;
  }
  get region() {
    return this.#parts.region;
  }
  get baseName() {
    return [this.language, this.script, this.region].filter(Boolean).join("-");
  }
  /** With the script and the region that a language most likely has, as far as they are known here. */
  maximize() {
    const [script, region] = LIKELY[this.language] ?? [];
    const regional = this.language === "zh" && TRADITIONAL.includes(this.region) ? "Hant" : script;
    return new Locale(this.toString(), { script: this.script ?? regional, region: this.region ?? region });
  }
  minimize() {
    const [script, region] = LIKELY[this.language] ?? [];
    const whole = this.maximize();
    const parts = [
      this.language,
      whole.script === script ? "" : whole.script,
      whole.region === region ? "" : whole.region,
    ];
    return new Locale(parts.filter(Boolean).join("-"));
  }
  get numeric() {
    return this.#keywords.has("kn") && this.#keywords.get("kn") !== "false";
  }
  toString() {
    const keywords = [...this.#keywords].sort(([a], [b]) => (a < b ? -1 : 1));
    const extension = keywords
      .map(([key, value]) => `-${key}${value === "" || value === "true" ? "" : `-${value}`}`)
      .join("");
    return this.baseName + (extension === "" ? "" : `-u${extension}`);
  }
  static {
    for (const name of ["calendar", "collation", "hourCycle", "caseFirst", "numberingSystem"]) {
      Object.defineProperty(this.prototype, name, {
        get() {
          return this.#keywords.get(KEYS[name]);
        },
        configurable: true,
      });
    }
    Object.defineProperty(this.prototype, Symbol.toStringTag, { value: "Intl.Locale", configurable: true });
  }
}

export const Intl = {};
Object.defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });
Object.defineProperty(Intl, "getCanonicalLocales", {
  value: getCanonicalLocales,
  writable: true,
  configurable: true,
});
