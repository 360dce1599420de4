/** What the option `debug` shows. */
"use strict";

/** @typedef {(line: () => string) => void} Log a line is made only to be shown */

/** @param {{ debug: boolean }} settings @returns {Log} */
function logger({ debug }) {
  return debug ? (line) => console.log(`[footfall] ${line()}`) : () => {};
}

exports.logger = logger;
