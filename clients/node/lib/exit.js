/** Reports what is lost when the process ends with calls under way. */
"use strict";

/** @import { Ledger } from "./ledger.js" */

/** @type {Set<Ledger>} */
const watched = new Set();

/**
 * One listener serves all clients of the process: Node warns of a leak at the eleventh.
 *
 * @param {Ledger} ledger
 * @returns {() => void} ends the watch
 */
function watchExit(ledger) {
  if (watched.size === 0) process.on("exit", reportAll);
  watched.add(ledger);
  return () => {
    watched.delete(ledger);
    if (watched.size === 0) process.off("exit", reportAll);
  };
}

function reportAll() {
  for (const ledger of watched) ledger.abandon("The process ended");
}

exports.watchExit = watchExit;
