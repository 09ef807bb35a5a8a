// What a package gets that asks for a polyfill of Object.is.
module.exports = () => Object.is;
