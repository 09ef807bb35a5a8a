// What a package gets that asks for a polyfill of Number.isNaN.
module.exports = Number.isNaN;
