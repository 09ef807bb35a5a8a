// What a package gets that asks for "util".
const { inspect, format } = require("../inspect.js");
const { inherits } = require("../util_basics.js");
const types = require("../types.js");
module.exports = { inspect, format, inherits, types };
