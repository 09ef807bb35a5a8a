/** The `path` module: POSIX only, since that is what /workspace is. */
import packaged from "path-browserify";

export const path = {
  ...packaged,
  toNamespacedPath: (name) => name,
};
path.posix = path;
