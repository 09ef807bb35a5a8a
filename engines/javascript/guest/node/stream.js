/** The `stream` module: Node's own streams, as the package has them. */
import packaged from "readable-stream/lib/stream.js";

export const { Readable, Writable, Duplex, Transform, PassThrough } = packaged;
export const stream = packaged;
