/** Reports the pending calls that are lost when the process ends. */
"use strict";

/** @import { CallLedger } from "./call-ledger.js" */

/** @type {Set<CallLedger>} */
const watched = new Set();

/**
 * One listener serves all clients of the process: Node warns of a leak at the eleventh.
 *
 * @param {CallLedger} ledger
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
