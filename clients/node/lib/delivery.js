/** Sends calls until each is acknowledged, refused, or no longer worth repeating. */
"use strict";

const { isAcknowledged, isRepeatable } = require("./service-response.js");

/** @import { ServiceResponse } from "./service-response.js" */
/** @import { PendingCall } from "./pending-call.js" */
/** @import { Settings } from "./options.js" */
/** @typedef {(calls: PendingCall[], closing?: AbortSignal) => Promise<ServiceResponse[]>} Exchange returns one response for each call */

class Delivery {
  #exchange;
  #settings;
  #closing;

  /**
   * @param {Exchange} exchange
   * @param {Settings} settings
   * @param {AbortController} [closing] ends the exchange or wait in progress
   */
  constructor(exchange, settings, closing) {
    this.#exchange = exchange;
    this.#settings = settings;
    this.#closing = closing;
  }

  abort() {
    this.#closing?.abort();
  }

  /** @param {PendingCall[]} calls */
  async deliver(calls) {
    let left = calls;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      for (const call of left) call.underWay = true;
      const responses = await this.#exchange(left, this.#closing?.signal);
      const again = left.map((call, index) => ({ call, response: /** @type {ServiceResponse} */ (responses[index]) }));
      const repeatable = again.filter(({ call, response }) => !settle(call, response));
      left = (await this.#waits(attempt, repeatable)) ? repeatable.map(({ call }) => call) : [];
    }
  }

  /**
   * Waits before the next attempt; without another attempt, gives the calls up.
   *
   * @param {number} attempt
   * @param {{ call: PendingCall, response: ServiceResponse }[]} repeatable
   */
  async #waits(attempt, repeatable) {
    if (repeatable.length === 0) return false;
    const wait = this.#waitAfter(attempt, repeatable.map(({ response }) => response.retryAfter ?? 0));
    if (wait !== null && (await pause(wait, this.#closing?.signal))) return true;
    for (const { call, response } of repeatable) call.giveUp(response);
    return false;
  }

  /**
   * Returns the wait: doubled each time, with jitter, and at least as long as the service requested.
   *
   * @param {number} attempt
   * @param {number[]} requested
   */
  #waitAfter(attempt, requested) {
    if (attempt > this.#settings.retries || this.#closing?.signal.aborted) return null;
    const backoff = this.#settings.retryDelay * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    const wait = Math.max(backoff, ...requested);
    return wait <= this.#settings.maxRetryDelay ? wait : null;
  }
}

/** @param {PendingCall} call @param {ServiceResponse} response @returns {boolean} whether the call is settled */
function settle(call, response) {
  call.record(response);
  if (isAcknowledged(response)) call.acknowledge(response);
  else if (isRepeatable(response)) return false;
  else call.giveUp(response);
  return true;
}

/** @param {number} wait @param {AbortSignal} [closing] @returns {Promise<boolean>} false when it was aborted */
function pause(wait, closing) {
  if (wait === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(done, wait, true);
    const stop = () => done(false);
    closing?.addEventListener("abort", stop);
    /** @param {boolean} elapsed */
    function done(elapsed) {
      clearTimeout(timer);
      closing?.removeEventListener("abort", stop);
      resolve(elapsed);
    }
  });
}

exports.Delivery = Delivery;
exports.settle = settle;
