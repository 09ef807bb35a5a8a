/** English plural rules, in the package's shape. */
const MANY = "other";

function cardinal(text) {
  return text === "1" || text === "-1" ? "one" : MANY;
}

/** 1st, 2nd, 3rd, but 11th, 12th, 13th. */
function ordinal(number) {
  const [units, hundreds] = [number % 10, number % 100];
  if (units === 1 && hundreds !== 11) return "one";
  if (units === 2 && hundreds !== 12) return "two";
  if (units === 3 && hundreds !== 13) return "few";
  return MANY;
}

export const pluralsEn = {
  locale: "en",
  data: {
    categories: { cardinal: ["one", "other"], ordinal: ["few", "one", "other", "two"] },
    fn: (value, isOrdinal) => (isOrdinal ? ordinal(Math.abs(Number.parseFloat(`${value}`))) : cardinal(`${value}`)),
    pluralRanges: { cardinal: { one_other: "other", other_one: "other", other_other: "other" }, ordinal: {} },
  },
};
