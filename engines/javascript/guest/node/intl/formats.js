/** The formatters of the packages, with the data of the locales that are bundled. */
import { DateTimeFormat } from "@formatjs/intl-datetimeformat";
import ListFormat from "@formatjs/intl-listformat";
import { NumberFormat } from "@formatjs/intl-numberformat";
import { PluralRules } from "@formatjs/intl-pluralrules";
import RelativeTimeFormat from "@formatjs/intl-relativetimeformat";
import datesEn from "torpor:intl/dates/en";
import listsEn from "torpor:intl/lists/en";
import numbersEn from "torpor:intl/numbers/en";
import relativeEn from "torpor:intl/relative/en";
import { Intl } from "./base.js";
import { pluralsEn } from "./plurals.js";
import { zones } from "./zones.js";

const ZONE = "UTC";
const LOCALE = "en-US";

NumberFormat.__addLocaleData(JSON.parse(numbersEn));
DateTimeFormat.__addLocaleData(JSON.parse(datesEn));
RelativeTimeFormat.__addLocaleData(JSON.parse(relativeEn));
ListFormat.__addLocaleData(JSON.parse(listsEn));
PluralRules.__addLocaleData(pluralsEn);
DateTimeFormat.tzData = zones;
DateTimeFormat.__setDefaultTimeZone?.(ZONE);

const FORMATS = { NumberFormat, DateTimeFormat, PluralRules, RelativeTimeFormat, ListFormat };
for (const [name, Format] of Object.entries(FORMATS)) {
  Format.__defaultLocale = LOCALE;
  Format.getDefaultLocale = () => LOCALE;
  Object.defineProperty(Intl, name, { value: Format, writable: true, configurable: true });
}

export { DateTimeFormat, NumberFormat };

/**
 * The packages parse their data when it is first asked for, which takes a third of a second for dates. It is
 * asked for here, while the base image is made, so that it is nobody's step and nobody's memory.
 */
new DateTimeFormat(LOCALE, { month: "short", timeZone: "America/New_York" }).formatRange(0, 1);
new DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" }).format(0);
new NumberFormat(LOCALE, { style: "currency", currency: "USD" }).format(1);
new NumberFormat(LOCALE, { notation: "compact" }).format(1);
