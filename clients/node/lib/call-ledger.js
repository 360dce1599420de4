/** Counts calls by their outcome, and reports each call that was not confirmed. */
"use strict";

const { PendingCall } = require("./pending-call.js");

/** @import { Options, Stats } from "../index.js" */
/** @import { FootfallError } from "./errors.js" */

class CallLedger {
  #onError;
  #counts = { delivered: 0, refused: 0, unknown: 0, dropped: 0, pending: 0 };
  /** @type {Set<PendingCall>} */
  #open = new Set();

  /** @param {NonNullable<Options["onError"]>} onError */
  constructor(onError) {
    this.#onError = onError;
  }

  /** @returns {Stats} */
  get stats() {
    return { ...this.#counts };
  }

  /** Waits until all calls that are pending now are settled. */
  async settled() {
    await Promise.allSettled([...this.#open].map(({ promise }) => promise));
  }

  get open() {
    return [...this.#open];
  }

  /** Gives up all pending calls. @param {string} why */
  abandon(why) {
    for (const call of this.open) call.abandon(why);
  }

  add() {
    const call = new PendingCall((settled, error) => this.#settle(settled, error));
    // Reported by the ledger: a rejection that the caller does not await must not end the process.
    call.promise.catch(() => {});
    this.#counts.pending += 1;
    this.#open.add(call);
    return call;
  }

  /** @param {PendingCall} call @param {FootfallError | null} error */
  #settle(call, error) {
    this.#open.delete(call);
    this.#counts.pending -= 1;
    this.#counts[error === null ? "delivered" : kindOf(error)] += 1;
    if (error !== null) void this.#report(error, call);
  }

  /** Keeps exceptions and rejections of the handler from the process. @param {FootfallError} error @param {PendingCall} call */
  async #report(error, call) {
    try {
      await this.#onError(error, call.event);
    } catch (fault) {
      console.error("[footfall] onError threw:", fault);
    }
  }
}

/** @param {FootfallError} error @returns {"refused" | "unknown" | "dropped"} */
function kindOf(error) {
  return error.code === "QUEUE_FULL" || error.code === "CLOSED" ? "dropped" : error.outcome;
}

exports.CallLedger = CallLedger;
