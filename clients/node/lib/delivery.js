/** Sends entries until each is acknowledged, refused, or no longer worth repeating. */
"use strict";

const { setTimeout: sleep } = require("node:timers/promises");

const { isAcknowledged, isRepeatable } = require("./answer.js");

/** @import { Answer } from "./answer.js" */
/** @import { Entry } from "./entry.js" */
/** @import { Settings } from "./options.js" */
/** @typedef {(entries: Entry[], closing: AbortSignal) => Promise<Answer[]>} Exchange one answer for each entry */

class Delivery {
  #exchange;
  #settings;
  #closing = new AbortController();

  /** @param {Exchange} exchange @param {Settings} settings */
  constructor(exchange, settings) {
    this.#exchange = exchange;
    this.#settings = settings;
  }

  /** Ends the exchange and the wait that are under way. */
  abort() {
    this.#closing.abort();
  }

  /** @param {Entry[]} entries */
  async deliver(entries) {
    let left = entries;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      for (const entry of left) entry.underWay = true;
      const answers = await this.#exchange(left, this.#closing.signal);
      const again = left.map((entry, index) => ({ entry, answer: /** @type {Answer} */ (answers[index]) }));
      const repeatable = again.filter(({ entry, answer }) => !settle(entry, answer));
      left = (await this.#waits(attempt, repeatable)) ? repeatable.map(({ entry }) => entry) : [];
    }
  }

  /**
   * Waits before the next attempt; gives up instead when there is to be none.
   *
   * @param {number} attempt
   * @param {{ entry: Entry, answer: Answer }[]} repeatable
   */
  async #waits(attempt, repeatable) {
    if (repeatable.length === 0) return false;
    const wait = this.#waitAfter(attempt, repeatable.map(({ answer }) => answer.retryAfter ?? 0));
    if (wait !== null && (await pause(wait, this.#closing.signal))) return true;
    for (const { entry, answer } of repeatable) entry.giveUp(answer);
    return false;
  }

  /**
   * Doubles each time, with jitter, and is never shorter than the service asked for.
   *
   * @param {number} attempt
   * @param {number[]} asked
   */
  #waitAfter(attempt, asked) {
    if (attempt > this.#settings.retries || this.#closing.signal.aborted) return null;
    const backoff = this.#settings.retryDelay * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    const wait = Math.max(backoff, ...asked);
    return wait <= this.#settings.maxRetryDelay ? wait : null;
  }
}

/** @param {Entry} entry @param {Answer} answer @returns {boolean} whether that was the last word */
function settle(entry, answer) {
  entry.hear(answer);
  if (isAcknowledged(answer)) entry.acknowledge(answer);
  else if (isRepeatable(answer)) return false;
  else entry.giveUp(answer);
  return true;
}

/** @param {number} wait @param {AbortSignal} closing @returns {Promise<boolean>} false when it was cut short */
async function pause(wait, closing) {
  try {
    await sleep(wait, undefined, { signal: closing });
    return true;
  } catch {
    return false;
  }
}

exports.Delivery = Delivery;
