/**
 * Locale data for the bundle, cut to what a sandbox needs: evaluated from the packages' files, trimmed, and
 * handed over as JSON text. Knows the shape of the packages' data; knows nothing of the bundle.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = join(fileURLToPath(new URL(".", import.meta.url)), "node_modules", "@formatjs");

/** What a file of locale data registers. */
async function registered(path, constructor, method) {
  let found;
  const Intl = { [constructor]: { [method]: (data) => (found = data) } };
  new Function("Intl", await readFile(join(PACKAGES, path), "utf8"))(Intl);
  if (found === undefined) throw new Error(`${path} registered nothing`);
  return found;
}

/** Formats of calendars, eras, quarters, weeks and day periods are a half of all, and every search walks them. */
const RARE_SKELETON = /[BGQwWUr]/;
const FALLBACK = "intervalFormatFallback";
/** What ICU puts before AM and PM; V8 shows a plain space instead, and so do we. */
const NARROW_SPACE = /\u202f/g;
/** Between a date in words and a time ICU says "at"; the package's data have the comma everywhere. */
const AT = "{1} 'at' {0}";

function trimDates(data) {
  const { formats, intervalFormats } = data.data;
  const isKept = ([skeleton]) => skeleton === FALLBACK || !RARE_SKELETON.test(skeleton);
  const kept = (skeletons) => Object.fromEntries(Object.entries(skeletons).filter(isKept));
  data.data.formats = { gregory: kept(formats.gregory) };
  data.data.intervalFormats = kept(intervalFormats);
  Object.assign(data.data.dateTimeFormat, { full: AT, long: AT });
  data.data.ca = ["gregory"];
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
  const { abbrvs, offsets, zones } = await registered("intl-datetimeformat/add-golden-tz.js", "DateTimeFormat", "__addTZData");
  return { abbrvs, offsets, zones: Object.fromEntries(zones.map(trimZone)) };
}

const KINDS = {
  numbers: ["intl-numberformat", "NumberFormat"],
  dates: ["intl-datetimeformat", "DateTimeFormat"],
  relative: ["intl-relativetimeformat", "RelativeTimeFormat"],
  lists: ["intl-listformat", "ListFormat"],
};

/** The JSON text of one kind of data: `zones`, or `KIND/LOCALE`. */
export async function intlData(name) {
  if (name === "zones") return JSON.stringify(await zones());
  const [kind, locale] = name.split("/");
  const [folder, constructor] = KINDS[kind];
  const data = await registered(`${folder}/locale-data/${locale}.js`, constructor, "__addLocaleData");
  return JSON.stringify(kind === "dates" ? trimDates(data) : data).replace(NARROW_SPACE, " ");
}
