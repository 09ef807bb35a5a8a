/** The door out of the interpreter, as the bundle's wrapper was handed it. See ../native.d.ts. */
/* global torporNative */
export const native = torporNative;
