/**
 * POSIX paths as text. Looks at no file.
 */
export function folderOf(path) {
  const at = path.lastIndexOf("/");
  return at <= 0 ? "/" : path.slice(0, at);
}

/** An absolute path without `.`, `..` and empty parts. `path` counts from `folder` unless it is absolute. */
export function join(folder, path) {
  const whole = path.startsWith("/") ? path : `${folder}/${path}`;
  const parts = [];
  for (const part of whole.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** The ending of the last part with its dot, or an empty text. */
export function endingOf(path) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const at = name.lastIndexOf(".");
  return at <= 0 ? "" : name.slice(at);
}
