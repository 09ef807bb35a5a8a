/** The `querystring` module. */
import { Buffer } from "./buffer.js";

/** Most pairs that are read unless more are asked for. */
const LIMIT = 1000;

const escape = (text) =>
  encodeURIComponent(`${text}`).replace(/%2[17-9A]/g, (code) => decodeURIComponent(code));

/** Decodes what can be decoded; a percent sign that begins nothing stands for itself. */
function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
      const bytes = codes
        .slice(1)
        .split("%")
        .map((code) => Number.parseInt(code, 16));
      return Buffer.from(bytes).toString();
    });
  }
}

function parse(
  text,
  separator = "&",
  equals = "=",
  { maxKeys = LIMIT, decodeURIComponent: decode = unescape } = {},
) {
  const result = Object.create(null);
  if (typeof text !== "string" || text === "") return result;
  const pairs = text.split(separator);
  for (const pair of maxKeys > 0 ? pairs.slice(0, maxKeys) : pairs) {
    if (pair === "") continue;
    const plain = pair.replace(/\+/g, " ");
    const at = plain.indexOf(equals);
    const [key, value] = at < 0 ? [plain, ""] : [plain.slice(0, at), plain.slice(at + equals.length)];
    const [name, content] = [decode(key), decode(value)];
    if (!(name in result)) result[name] = content;
    else if (Array.isArray(result[name])) result[name].push(content);
    else result[name] = [result[name], content];
  }
  return result;
}

function textOf(value) {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return `${value}`;
  return typeof value === "bigint" || typeof value === "boolean" ? `${value}` : "";
}

function stringify(object, separator = "&", equals = "=", { encodeURIComponent: encode = escape } = {}) {
  if (object === null || typeof object !== "object") return "";
  const pair = (key, value) => encode(key) + equals + encode(textOf(value));
  return Object.keys(object)
    .flatMap((key) =>
      Array.isArray(object[key]) ? object[key].map((one) => pair(key, one)) : pair(key, object[key]),
    )
    .join(separator);
}

export const querystring = { parse, stringify, escape, unescape, decode: parse, encode: stringify };
