/**
 * Locale data for the bundle, cut to what a sandbox needs: evaluated from the packages' files, trimmed, and
 * handed over as JSON text. Knows the shape of the packages' data; knows nothing of the bundle.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = join(fileURLToPath(new URL(".", import.meta.url)), "node_modules", "@formatjs");

/** English is whole and always there; the others are parsed when they are first asked for. */
const ENGLISH = "en";
const OTHERS = ["en-GB", "en-CA", "en-IN", "de", "es", "es-MX", "fr", "it", "ja", "ko", "nl", "pt", "zh"];

/** What a file of locale data registers. */
async function registered(path, constructor, method) {
  let found;
  const Intl = { [constructor]: { [method]: (data) => (found = data) } };
  new Function("Intl", await readFile(join(PACKAGES, path), "utf8"))(Intl);
  if (found === undefined) throw new Error(`${path} registered nothing`);
  return found;
}

/** Formats with eras, quarters, weeks, day periods and generic zones are most, and every search walks all. */
const RARE_SKELETON = /[BGQwWUrv]/;
/** Ranges of dates with times are told by the fallback: from the one to the other, both in full. */
const WITH_DATE_AND_TIME = /[dEMyL].*[hHm]/;
const FALLBACK = "intervalFormatFallback";
/** What ICU puts before AM and PM; V8 shows a plain space instead, and so do we. */
const NARROW_SPACE = /\u202f(?=[aA]\b|[aApP]\.?[mM]\.?|a[,"])/g;
/** Between a date in words and a time; the package's data have what stands between numbers everywhere. */
const BETWEEN = {
  de: "{1} 'um' {0}",
  en: "{1} 'at' {0}",
  es: "{1}, {0}",
  fr: "{1} 'à' {0}",
  it: "{1} 'alle' 'ore' {0}",
  ja: "{1} {0}",
  ko: "{1} {0}",
  nl: "{1} 'om' {0}",
  pt: "{1} 'às' {0}",
  zh: "{1} {0}",
};

function trimDates(data) {
  const { formats, intervalFormats } = data.data;
  const whole = data.locale === ENGLISH;
  const isKept = ([skeleton]) => skeleton === FALLBACK || !RARE_SKELETON.test(skeleton);
  const isRange = ([skeleton]) => !WITH_DATE_AND_TIME.test(skeleton);
  const kept = (skeletons) => Object.fromEntries(Object.entries(skeletons).filter(isKept));
  const between = BETWEEN[data.locale.slice(0, 2)];
  Object.assign(data.data.dateTimeFormat, { full: between, long: between });
  data.data.formats = { gregory: kept(formats.gregory) };
  data.data.intervalFormats = whole
    ? Object.fromEntries(Object.entries(kept(intervalFormats)).filter(isRange))
    : { [FALLBACK]: intervalFormats[FALLBACK] };
  if (!whole) data.data.timeZoneName = { UTC: data.data.timeZoneName.UTC };
  data.data.ca = ["gregory"];
  data.data.nu = ["latn"];
  return data;
}

/** The currencies that have their symbols and names in other languages; any other is shown by its code. */
const CURRENCIES =
  `AED ARS AUD BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NOK NZD
  PHP PLN RON RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR`.split(/\s+/);

function trimNumbers(data) {
  if (data.locale === ENGLISH) return data;
  const { currencies, numbers } = data.data;
  data.data.currencies = Object.fromEntries(
    CURRENCIES.map((code) => [code, currencies[code]]).filter(([, one]) => one),
  );
  for (const part of ["symbols", "decimal", "percent", "currency"]) {
    if (numbers[part]?.latn) numbers[part] = { latn: numbers[part].latn };
  }
  data.data.nu = ["latn"];
  return data;
}

/** Transitions before this are told by the first rule that is kept (seconds since 1970). */
const FIRST_KEPT = 0;

/** A zone's rules without repetitions and without the time before 1970. */
function trimZone(packed) {
  const [name, ...rules] = packed.split("|");
  const kept = [];
  let previous;
  for (const rule of rules) {
    const [time, ...state] = rule.split(",");
    const same = previous === state.join();
    if (time !== "" && Number.parseInt(time, 36) < FIRST_KEPT) kept.length = 0;
    else if (same) continue;
    previous = state.join();
    kept.push([kept.length === 0 ? "" : time, ...state].join());
  }
  return [name, kept.join("|")];
}

async function zones() {
  const path = "intl-datetimeformat/add-golden-tz.js";
  const { abbrvs, offsets, zones } = await registered(path, "DateTimeFormat", "__addTZData");
  return { abbrvs, offsets, zones: Object.fromEntries(zones.map(trimZone)) };
}

/** Kind of data -> [package, constructor, what is left out]. */
const KINDS = {
  NumberFormat: ["intl-numberformat", trimNumbers],
  DateTimeFormat: ["intl-datetimeformat", trimDates],
  RelativeTimeFormat: ["intl-relativetimeformat", (data) => data],
  ListFormat: ["intl-listformat", (data) => data],
};

async function textOf(kind, locale) {
  const [folder, trim] = KINDS[kind];
  const data = await registered(`${folder}/locale-data/${locale}.js`, kind, "__addLocaleData");
  return JSON.stringify(trim({ ...data, locale })).replace(NARROW_SPACE, " ");
}

async function allOf(locale) {
  const texts = await Promise.all(Object.keys(KINDS).map(async (kind) => [kind, await textOf(kind, locale)]));
  return [locale, Object.fromEntries(texts)];
}

/** Plural rules are functions, so they are taken as code: the argument of the call that registers them. */
async function pluralsOf(locale) {
  const code = await readFile(
    join(PACKAGES, `intl-pluralrules/locale-data/${locale.slice(0, 2)}.js`),
    "utf8",
  );
  const [, argument] = /__addLocaleData\(([\s\S]*?)\)\n\} else/.exec(code);
  return argument;
}

/** A module of data: its text, and what the bundler is to take it for. */
export async function intlData(name) {
  if (name === "zones") return { contents: JSON.stringify(await zones()), loader: "text" };
  if (name === "plurals") {
    const languages = [...new Set([ENGLISH, ...OTHERS].map((locale) => locale.slice(0, 2)))];
    const rules = await Promise.all(languages.map(pluralsOf));
    return { contents: `export default [${rules.join(",\n")}]`, loader: "js" };
  }
  const locales = await Promise.all([ENGLISH, ...OTHERS].map(allOf));
  return { contents: `export default ${JSON.stringify(Object.fromEntries(locales))}`, loader: "js" };
}
