// What a package gets that asks for "buffer" or "safe-buffer": the one Buffer that users see.
module.exports = require("../buffer.js").module;
