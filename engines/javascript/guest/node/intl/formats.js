/**
 * The formatters of the packages, with the data of the bundled locales. English is there from boot; another
 * locale's data are parsed when a formatter is first asked for it.
 */
import { DateTimeFormat } from "@formatjs/intl-datetimeformat";
import ListFormat from "@formatjs/intl-listformat";
import { NumberFormat } from "@formatjs/intl-numberformat";
import { PluralRules } from "@formatjs/intl-pluralrules";
import RelativeTimeFormat from "@formatjs/intl-relativetimeformat";
import locales from "torpor:intl/locales";
import plurals from "torpor:intl/plurals";
import { Intl, onLocales } from "./base.js";
import { zones } from "./zones.js";

const ZONE = "UTC";
const DEFAULT = "en-US";
const FORMATS = { NumberFormat, DateTimeFormat, PluralRules, RelativeTimeFormat, ListFormat };

function load(locale) {
  const texts = locales[locale];
  if (texts === undefined) return;
  delete locales[locale];
  for (const kind of Object.keys(texts)) FORMATS[kind].__addLocaleData(JSON.parse(texts[kind]));
}

/** The language itself first: a region's data may be all that there is, or none. */
onLocales((names) => {
  for (const name of names) {
    const [language, region] = name.split("-");
    load(language);
    if (region !== undefined) load(`${language}-${region}`);
  }
});

PluralRules.__addLocaleData(...plurals);
load("en");
DateTimeFormat.tzData = zones;
DateTimeFormat.__setDefaultTimeZone(ZONE);
for (const [name, Format] of Object.entries(FORMATS)) {
  Format.__defaultLocale = DEFAULT;
  Format.getDefaultLocale = () => DEFAULT;
  Object.defineProperty(Intl, name, { value: Format, writable: true, configurable: true });
}

/**
 * The packages parse their data when it is first asked for, which takes a third of a second for dates. It is
 * asked for here, while the base image is made, so that it is nobody's step and nobody's memory.
 */
new DateTimeFormat(DEFAULT, { month: "short", timeZone: "America/New_York" }).formatRange(0, 1);
new DateTimeFormat(DEFAULT, { dateStyle: "medium", timeStyle: "short" }).format(0);
new NumberFormat(DEFAULT, { style: "currency", currency: "USD" }).format(1);
new NumberFormat(DEFAULT, { notation: "compact" }).format(1);

export { DateTimeFormat, NumberFormat };
