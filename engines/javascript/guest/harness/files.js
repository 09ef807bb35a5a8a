/**
 * Reads files for the finding of modules: whether something is there, and what is in it.
 */
const FORMAT = 0o170000;
const KINDS = new Map([
  [0o100000, "file"],
  [0o040000, "folder"],
]);
const READ_ONLY = 0;
const WHERE_IT_STANDS = -1;
const SIZE = 4;
const MODE = 2;
const BYTE_ORDER_MARK = 0xfeff;

export class Files {
  constructor(native) {
    this.native = native;
  }

  /** "file", "folder" or undefined. */
  kind(path) {
    try {
      return KINDS.get(this.native.stat(path)[MODE] & FORMAT);
    } catch {
      return undefined;
    }
  }

  isFile(path) {
    return this.kind(path) === "file";
  }

  /** A file's text. Throws what the system says. */
  read(path) {
    const { native } = this;
    const fd = native.open(path, READ_ONLY, 0);
    try {
      const bytes = new Uint8Array(native.fstat(fd)[SIZE]);
      let length = 0;
      while (length < bytes.length) {
        const got = native.read(fd, bytes, length, bytes.length - length, WHERE_IT_STANDS);
        if (got === 0) break;
        length += got;
      }
      const text = native.decodeUtf8(bytes, 0, length);
      return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
    } finally {
      native.close(fd);
    }
  }

  /** The object in a JSON file, or undefined. */
  readJson(path) {
    try {
      const value = JSON.parse(this.read(path));
      return typeof value === "object" && value !== null ? value : undefined;
    } catch {
      return undefined;
    }
  }
}
