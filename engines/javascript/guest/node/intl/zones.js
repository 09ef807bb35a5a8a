/** Rules of time zones, unpacked zone by zone when one is asked for: all together would be megabytes. */
import text from "torpor:intl/zones";

const packed = JSON.parse(text);
const abbreviations = packed.abbrvs.split("|");
const offsets = packed.offsets.split("|").map((offset) => Number.parseInt(offset, 36));

/** As the package wants it: [from second, abbreviation, offset in seconds, daylight saving?]. */
function unpack(rules) {
  return rules.split("|").map((rule) => {
    const [time, abbreviation, offset, saving] = rule.split(",");
    const from = time === "" ? -Infinity : Number.parseInt(time, 36);
    return [from, abbreviations[+abbreviation], offsets[+offset], saving === "1"];
  });
}

export const zones = {};
for (const name of Object.keys(packed.zones)) {
  Object.defineProperty(zones, name, {
    get: () => unpack(packed.zones[name]),
    enumerable: true,
    configurable: true,
  });
}
// UTC is what everything is told in, again and again.
const UTC = [[-Infinity, "UTC", 0, false]];
for (const name of ["UTC", "Etc/UTC"]) {
  Object.defineProperty(zones, name, { value: UTC, enumerable: true, configurable: true });
}
