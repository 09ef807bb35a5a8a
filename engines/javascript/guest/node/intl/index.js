/**
 * `Intl`, and the methods of numbers, dates and texts that go by a locale. A locale that is not bundled is
 * answered in English, as a Node without locale data does.
 */
import { Intl, Locale, getCanonicalLocales } from "./base.js";
import { localeCompare } from "./collator.js";
import { DateTimeFormat, NumberFormat } from "./formats.js";
import "./segmenter.js";

/** Formatters are costly to make; as many as a loop is likely to use in turn are kept. */
const KEPT_FORMATTERS = 8;

function cached(Format) {
  const kept = new Map();
  return function formatter(locales, options) {
    if (locales !== undefined && typeof locales !== "string") return new Format(locales, options);
    const key = JSON.stringify([locales, options]);
    let format = kept.get(key);
    if (format === undefined) {
      format = new Format(locales, options);
      if (kept.size === KEPT_FORMATTERS) kept.delete(kept.keys().next().value);
      kept.set(key, format);
    }
    return format;
  };
}
const numberFormat = cached(NumberFormat);
const dateFormat = cached(DateTimeFormat);

const isEnglish = (locales) => locales === undefined || locales === "en-US" || locales === "en";
/** Up to here every digit of a number is in its decimal text. */
const PLAIN_LIMIT = 1e15;
const group = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

const DEFAULT_FRACTION = 3;

/** Decimal text rounded to three digits after the point, half away from zero, as ICU rounds it. */
function rounded(text) {
  const [whole, fraction = ""] = text.split(".");
  if (fraction.length <= DEFAULT_FRACTION) return [whole, fraction];
  let digits = BigInt(whole + fraction.slice(0, DEFAULT_FRACTION));
  if (fraction[DEFAULT_FRACTION] >= "5") digits++;
  const all = `${digits}`.padStart(DEFAULT_FRACTION + 1, "0");
  return [all.slice(0, -DEFAULT_FRACTION), all.slice(-DEFAULT_FRACTION)];
}

/** The default format of English, which is nearly every call, without a formatter. */
function plainNumber(value) {
  const text = `${Math.abs(value)}`;
  if (!(Math.abs(value) < PLAIN_LIMIT) || text.includes("e")) return undefined;
  const [whole, fraction] = rounded(text);
  const kept = fraction.replace(/0+$/, "");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return sign + group(whole) + (kept === "" ? "" : `.${kept}`);
}

const DATE = { year: "numeric", month: "numeric", day: "numeric" };
const TIME = { hour: "numeric", minute: "numeric", second: "numeric" };
const DATE_PARTS = ["weekday", "year", "month", "day", "dateStyle"];
const TIME_PARTS = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits", "timeStyle"];

/** The options with what is shown when none of the parts is asked for. */
function withDefaults(options, asked, defaults) {
  const given = options ?? {};
  return asked.some((part) => given[part] !== undefined) ? given : { ...given, ...defaults };
}

const pad = (value) => `${value}`.padStart(2, "0");
const plainDate = (date) => `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
const plainTime = (date) => {
  const hour = date.getUTCHours();
  const clock = `${hour % 12 || 12}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
  return `${clock} ${hour < 12 ? "AM" : "PM"}`;
};
const isPlainYear = (date) => date.getUTCFullYear() > 0;

/** A method of dates: the English default at once, anything else by a formatter. */
function dateMethod(asked, defaults, plain) {
  return (date, locales, options) => {
    if (Number.isNaN(date.getTime())) return "Invalid Date";
    if (options === undefined && isEnglish(locales) && isPlainYear(date)) return plain(date);
    return dateFormat(locales, withDefaults(options, asked, defaults)).format(date);
  };
}
const shown = {
  toLocaleString: dateMethod(
    [...DATE_PARTS, ...TIME_PARTS],
    { ...DATE, ...TIME },
    (date) => `${plainDate(date)}, ${plainTime(date)}`,
  ),
  toLocaleDateString: dateMethod(DATE_PARTS, DATE, plainDate),
  toLocaleTimeString: dateMethod(TIME_PARTS, TIME, plainTime),
};

const getTime = Date.prototype.getTime;
const numberOf = Number.prototype.valueOf;
const bigintOf = BigInt.prototype.valueOf;
const { toString: dateText, toTimeString: timeText } = Date.prototype;
const ZONE_NAME = " (Coordinated Universal Time)";
const withZone = (text) => (text.endsWith("+0000") ? text + ZONE_NAME : text);

const METHODS = [
  [
    Number.prototype,
    {
      toLocaleString(locales = undefined, options = undefined) {
        const value = numberOf.call(this);
        const plain = options === undefined && isEnglish(locales) ? plainNumber(value) : undefined;
        return plain ?? numberFormat(locales, options).format(value);
      },
    },
  ],
  [
    BigInt.prototype,
    {
      toLocaleString(locales = undefined, options = undefined) {
        const value = bigintOf.call(this);
        if (options !== undefined || !isEnglish(locales)) return numberFormat(locales, options).format(value);
        return (value < 0n ? "-" : "") + group(`${value < 0n ? -value : value}`);
      },
    },
  ],
  [
    String.prototype,
    {
      localeCompare(that, locales = undefined, options = undefined) {
        return localeCompare(`${this}`, `${that}`, locales, options);
      },
    },
  ],
  [
    Date.prototype,
    {
      toLocaleString(locales = undefined, options = undefined) {
        return shown.toLocaleString(new Date(getTime.call(this)), locales, options);
      },
      toLocaleDateString(locales = undefined, options = undefined) {
        return shown.toLocaleDateString(new Date(getTime.call(this)), locales, options);
      },
      toLocaleTimeString(locales = undefined, options = undefined) {
        return shown.toLocaleTimeString(new Date(getTime.call(this)), locales, options);
      },
      toString() {
        return withZone(dateText.call(this));
      },
      toTimeString() {
        return withZone(timeText.call(this));
      },
    },
  ],
];

const SUPPORTED = { calendar: ["gregory"], collation: ["default"], numberingSystem: ["latn"] };

export function installIntl(globalThis) {
  Object.assign(Intl, {
    Locale,
    getCanonicalLocales,
    supportedValuesOf(key) {
      if (key === "timeZone") return Object.keys(DateTimeFormat.tzData);
      if (SUPPORTED[key] === undefined) throw new RangeError(`Invalid key : ${key}`);
      return [...SUPPORTED[key]];
    },
  });
  Object.defineProperty(globalThis, "Intl", { value: Intl, writable: true, configurable: true });
  for (const [target, methods] of METHODS) {
    for (const [name, value] of Object.entries(methods)) {
      Object.defineProperty(target, name, { value, writable: true, configurable: true });
    }
  }
}
