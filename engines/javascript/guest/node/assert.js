/** The `assert` module: the package's, which is Node's own with the messages of Node. */
import assert from "assert";

export { assert };
