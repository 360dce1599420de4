/** The names that the package offers to `require`. */
"use strict";

const { Footfall } = require("./lib/client.js");
const { FootfallError } = require("./lib/errors.js");

exports.Footfall = Footfall;
exports.FootfallError = FootfallError;
