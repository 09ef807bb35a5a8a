/** `URL` and `URLSearchParams` with Node's look, and the `url` module's functions. */
import { URL, URLSearchParams } from "whatwg-url-minimum";
import { checkString, codedError, invalidArgType } from "../errors.js";
import { customInspect, inspect } from "../inspect.js";
import { path } from "../path.js";

export { URL, URLSearchParams };

const PARTS = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "searchParams",
  "hash",
];

function hidden(target, members) {
  for (const key of Reflect.ownKeys(members)) {
    Object.defineProperty(target, key, {
      value: members[key],
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }
}

hidden(URL.prototype, {
  [customInspect](depth, options) {
    if (depth < 0) return "URL {}";
    const shown = {};
    for (const part of PARTS) shown[part] = this[part];
    return `${this.constructor.name} ${inspect(shown, options)}`;
  },
});

hidden(URLSearchParams.prototype, {
  [customInspect](depth, options) {
    if (depth < 0) return "[Object]";
    const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
    const pairs = [...this].map(([key, value]) => `${inspect(key, inner)} => ${inspect(value, inner)}`);
    if (pairs.length === 0) return "URLSearchParams {}";
    const length = pairs.reduce((sum, pair) => sum + pair.length + 2, 0);
    if (length > options.breakLength || pairs.some((pair) => pair.includes("\n"))) {
      return `URLSearchParams {\n  ${pairs.join(",\n  ")} }`;
    }
    return `URLSearchParams { ${pairs.join(", ")} }`;
  },
});

/** The package's URL, with Node's error where that has a bare TypeError. */
export class NodeURL {
  static {
    Object.defineProperty(this, "name", { value: "URL", configurable: true });
    Object.setPrototypeOf(this.prototype, URL.prototype);
  }
  constructor(url, base = undefined) {
    try {
      // As a class that extends it this would be shown as one, and users know `[class URL]`.
      return Reflect.construct(URL, base === undefined ? [`${url}`] : [`${url}`, `${base}`], new.target);
    } catch {
      const error = codedError(TypeError, "ERR_INVALID_URL", "Invalid URL");
      error.input = `${url}`;
      if (base !== undefined) error.base = `${base}`;
      throw error;
    }
  }
  static canParse(url, base = undefined) {
    return URL.canParse(`${url}`, base);
  }
  static parse(url, base = undefined) {
    return NodeURL.canParse(url, base) ? new NodeURL(url, base) : null;
  }
}

export function fileURLToPath(url) {
  const parsed = typeof url === "string" ? new NodeURL(url) : url;
  if (!(parsed instanceof URL)) throw invalidArgType("path", ["string", "URL"], url);
  if (parsed.protocol !== "file:")
    throw codedError(TypeError, "ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  if (parsed.hostname !== "") {
    throw codedError(
      TypeError,
      "ERR_INVALID_FILE_URL_HOST",
      'File URL host must be "localhost" or empty on linux',
    );
  }
  if (/%2f/i.test(parsed.pathname)) {
    const message = "File URL path must not include encoded / characters";
    throw codedError(TypeError, "ERR_INVALID_FILE_URL_PATH", message);
  }
  return decodeURIComponent(parsed.pathname);
}

export function pathToFileURL(file) {
  checkString(file, "path");
  const resolved = path.resolve(file) + (file.endsWith("/") && file !== "/" ? "/" : "");
  const escaped = resolved.replace(/[%\\\n\r\t?#]/g, (character) => encodeURIComponent(character));
  return new NodeURL(`file://${escaped}`);
}

/** A URL as the old API's options of a request. */
export function urlToHttpOptions(url) {
  const { protocol, hostname, hash, search, pathname, href, port, username, password } = url;
  const options = { protocol, hostname, hash, search, pathname, path: `${pathname}${search}`, href };
  if (port !== "") options.port = +port;
  if (username || password) options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}

/** The legacy `url.format`, for URL objects and for parsed parts. */
export function format(url, options = {}) {
  if (typeof url === "string") return new NodeURL(url).href;
  if (!(url instanceof URL)) {
    const { protocol = "", hostname = "", port, host, pathname = "", search = "", hash = "", auth } = url;
    const scheme = protocol === "" || protocol.endsWith(":") ? protocol : `${protocol}:`;
    const where = host ?? hostname + (port ? `:${port}` : "");
    const slashes = where !== "" || url.slashes ? "//" : "";
    return scheme + slashes + (auth ? `${auth}@` : "") + where + pathname + search + hash;
  }
  const copy = new NodeURL(url);
  if (options.fragment === false) copy.hash = "";
  if (options.search === false) copy.search = "";
  if (options.auth === false) copy.username = copy.password = "";
  return copy.href;
}

/** The legacy `url.parse`, over the standard's parser. */
export function parse(text, withQuery = false) {
  checkString(text, "url");
  const absolute = URL.canParse(text);
  const url = absolute ? new NodeURL(text) : new NodeURL(text, "relative://x");
  const auth = absolute && url.username ? `${url.username}${url.password ? `:${url.password}` : ""}` : null;
  const query = url.search === "" ? null : url.search.slice(1);
  return {
    protocol: absolute ? url.protocol : null,
    slashes: absolute && url.host !== "" ? true : null,
    auth,
    host: absolute ? url.host : null,
    port: absolute && url.port !== "" ? url.port : null,
    hostname: absolute ? url.hostname : null,
    hash: url.hash || null,
    search: url.search || null,
    query: withQuery ? Object.fromEntries(url.searchParams) : query,
    pathname: url.pathname,
    path: `${url.pathname}${url.search}`,
    href: absolute ? url.href : text,
  };
}

export function resolve(from, to) {
  const base = new NodeURL(from, "resolve://");
  const url = new NodeURL(to, base);
  return url.protocol === "resolve:" ? `${url.pathname}${url.search}${url.hash}` : url.href;
}

export const module = {
  URL: NodeURL,
  URLSearchParams,
  fileURLToPath,
  pathToFileURL,
  urlToHttpOptions,
  format,
  parse,
  resolve,
  domainToASCII: (domain) => (URL.canParse(`ws://${domain}`) ? new URL(`ws://${domain}`).hostname : ""),
  domainToUnicode: (domain) => (URL.canParse(`ws://${domain}`) ? new URL(`ws://${domain}`).hostname : ""),
};
