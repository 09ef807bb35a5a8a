// What a package gets that asks for "abort-controller".
module.exports = require("../web/abort.js");
