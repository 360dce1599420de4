/** Counts what became of every call, and reports each one that was not confirmed. */
"use strict";

const { Entry } = require("./entry.js");
const { Warnings } = require("./warnings.js");

/** @import { Stats } from "../index.js" */
/** @import { Settings } from "./options.js" */
/** @import { FootfallError } from "./errors.js" */

class Ledger {
  #onError;
  #warnings = new Warnings();
  #counts = { delivered: 0, refused: 0, unknown: 0, dropped: 0, pending: 0 };
  /** @type {Set<Entry>} */
  #open = new Set();

  /** @param {Settings} settings */
  constructor({ onError, batch }) {
    // Whoever hands an event to a queue seldom awaits it: without `onError` a loss is at least a warning.
    this.#onError = onError ?? (batch ? (/** @type {FootfallError} */ error) => this.#warnings.note(error) : null);
  }

  /** @returns {Stats} */
  get stats() {
    return { ...this.#counts };
  }

  /** Waits for all that are under way now. */
  async settled() {
    await Promise.allSettled([...this.#open].map(({ promise }) => promise));
  }

  /** Gives up all that are under way. @param {string} why */
  abandon(why) {
    for (const entry of [...this.#open]) entry.abandon(why);
    this.#warnings.flush();
  }

  add() {
    const entry = new Entry((settled, error) => this.#settle(settled, error));
    // A loss that is reported otherwise must not also end the process of a caller who does not await.
    if (this.#onError !== null) entry.promise.catch(() => {});
    this.#counts.pending += 1;
    this.#open.add(entry);
    return entry;
  }

  /** @param {Entry} entry @param {FootfallError | null} error */
  #settle(entry, error) {
    this.#open.delete(entry);
    this.#counts.pending -= 1;
    this.#counts[error === null ? "delivered" : kindOf(error)] += 1;
    if (error !== null) this.#report(error, entry);
  }

  /** @param {FootfallError} error @param {Entry} entry */
  #report(error, entry) {
    try {
      this.#onError?.(error, entry.event);
    } catch (fault) {
      console.error("[footfall] onError threw:", fault);
    }
  }
}

/** @param {FootfallError} error @returns {"refused" | "unknown" | "dropped"} */
function kindOf(error) {
  return error.code === "QUEUE_FULL" || error.code === "CLOSED" ? "dropped" : error.outcome;
}

exports.Ledger = Ledger;
