/** `inspect` and `format`, the one pair that console, util, assert and the harness show values with. */
import util from "node-inspect-extracted";

export const { inspect, format, formatWithOptions, stripVTControlCharacters } = util;
Object.defineProperty(inspect, "name", { value: "inspect" });
export const customInspect = inspect.custom;
