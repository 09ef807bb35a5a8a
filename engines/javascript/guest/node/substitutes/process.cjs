// What a package gets that asks for "process".
module.exports = require("../process.js").process;
