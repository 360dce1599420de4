/** Writes losses to the console, gathered into few lines. */
"use strict";

/** @import { FootfallError } from "./errors.js" */

const INTERVAL = 1_000;

class Warnings {
  #lost = 0;
  #last = "";
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {FootfallError} error */
  note(error) {
    this.#lost += 1;
    this.#last = error.message;
    this.#timer ??= setTimeout(() => this.flush(), INTERVAL).unref();
  }

  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Not process.emitWarning(): it is too late for that while the process exits.
    if (this.#lost > 0) console.warn(`[footfall] ${this.#lost} event(s) not delivered, the last one: ${this.#last}`);
    this.#lost = 0;
  }
}

exports.Warnings = Warnings;
