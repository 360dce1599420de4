/** Sees the exceptions and rejections that end a process, or that the host's own listeners handle, and changes nothing. */
"use strict";

/** @typedef {(thrown: unknown) => void} Report */

// Marks the listeners of all clients, also of other copies of this package, such as bundlers make: a client that took
// them for the host's would answer each change of them by a change of its own, without end.
const OURS = Symbol.for("footfall.rejections");

/**
 * Node.js ends a process at an unhandled rejection by an uncaught exception, which the monitor sees. Only where the host
 * listens to rejections it does not, and a listener of ours changes nothing.
 *
 * @param {Report} report
 * @returns {() => void} ends the watch
 */
function watchUncaught(report) {
  /** @type {{ thrown: unknown } | null} */
  let last = null;
  const see = (/** @type {unknown} */ thrown) => {
    // A listener that throws what it was told makes an exception of it.
    if (last === null || last.thrown !== thrown) report(thrown);
    last = { thrown };
    setImmediate(() => (last = null)).unref();
  };
  Object.assign(see, { [OURS]: true });
  const follow = () => {
    const own = process.listeners("unhandledRejection").filter((listener) => !(OURS in listener));
    process.off("unhandledRejection", see);
    if (own.length > 0) process.on("unhandledRejection", see);
  };
  // Both are emitted before the list changes, or at another listener's expense: look at it afterwards.
  const changed = (/** @type {string | symbol} */ name, /** @type {Function} */ listener) => {
    if (name === "unhandledRejection" && !(OURS in listener)) queueMicrotask(follow);
  };
  process.on("uncaughtExceptionMonitor", see);
  process.on("newListener", changed);
  process.on("removeListener", changed);
  follow();
  return () => {
    process.off("newListener", changed);
    process.off("removeListener", changed);
    process.off("uncaughtExceptionMonitor", see);
    process.off("unhandledRejection", see);
  };
}

exports.watchUncaught = watchUncaught;
