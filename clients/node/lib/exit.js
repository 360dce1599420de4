/** Reports the pending calls that are lost when the process ends. */
"use strict";

/** @typedef {(why: string) => void} Abandon */

/** @type {Set<Abandon>} */
const watched = new Set();

/**
 * One listener serves all clients of the process: Node warns of a leak at the eleventh.
 *
 * @param {Abandon} abandon
 * @returns {() => void} ends the watch
 */
function watchExit(abandon) {
  if (watched.size === 0) process.on("exit", reportAll);
  watched.add(abandon);
  return () => {
    watched.delete(abandon);
    if (watched.size === 0) process.off("exit", reportAll);
  };
}

function reportAll() {
  for (const abandon of watched) abandon("The process ended");
}

exports.watchExit = watchExit;
