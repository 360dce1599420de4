/** The error that every undelivered call ends with. */
"use strict";

/** @import { ErrorFacts } from "../index.js" */

class FootfallError extends Error {
  /**
   * @param {string} message
   * @param {ErrorFacts} facts
   */
  constructor(message, { code, outcome = "refused", status = null, details = null, attempts = 0, cause }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "FootfallError";
    this.code = code;
    this.outcome = outcome;
    this.status = status;
    this.details = details;
    this.attempts = attempts;
  }
}

function queueFull() {
  return new FootfallError("The queue is full", { code: "QUEUE_FULL" });
}

exports.FootfallError = FootfallError;
exports.queueFull = queueFull;
