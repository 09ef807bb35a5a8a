// What a package gets that asks for "inherits".
module.exports = require("../util_basics.js").inherits;
