// What a package gets that asks for "events".
module.exports = require("../events.js").EventEmitter;
