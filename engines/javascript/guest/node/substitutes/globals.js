/** Injected by the bundler where a package reads a global that the language itself does not have. */
export { process } from "../process.js";
export { atob } from "../base64.js";
export { Intl } from "../intl/base.js";
