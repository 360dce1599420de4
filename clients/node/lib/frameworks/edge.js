/** The client for edge runtimes, which have fetch() and end with the answer, and what counts their requests. */
"use strict";

const { CallLedger } = require("../call-ledger.js");
const { Delivery } = require("../delivery.js");
const { Direct } = require("../direct.js");
const { single } = require("../exchange.js");
const { logger } = require("../log.js");
const { readEdgeOptions } = require("../options.js");
const { Tracker } = require("../tracker.js");
const { Transport } = require("../transport.js");
const { readAnswer, readRequest } = require("../web/fetch-request.js");
const { RequestTracker } = require("../web/request.js");
const { readWebOptions } = require("../web/settings.js");

/** @import { FootfallError } from "../errors.js" */
/** @import { Client, WebOptions } from "../../types/web.js" */
/** @typedef {{ waitUntil?: (promise: Promise<unknown>) => void }} RuntimeContext */

const SECOND = 1_000;

class Footfall extends Tracker {
  #ledger;

  /** @param {import("../../types/edge.js").Options} options */
  constructor(options) {
    const settings = readEdgeOptions(options);
    const log = logger(settings);
    const ledger = new CallLedger(settings.onError ?? warner());
    // The runtime clears this timer, and none of ours is left when the answer is sent.
    const deadline = (/** @type {number} */ timeout) => ({ signal: AbortSignal.timeout(timeout), clear: () => {} });
    const outbox = new Direct(new Delivery(single(new Transport(settings, log, deadline)), settings), settings);
    super(settings, { ledger, send: (call) => outbox.push(call), newId: () => /** @type {any} */ (globalThis).crypto.randomUUID(), log, root: "" });
    this.#ledger = ledger;
  }

  /** @returns {Promise<void>} */
  async flush() {
    await this.#ledger.settled();
  }
}

/** Writes a line in a second at most, without a timer. */
function warner() {
  let [lost, last] = [0, 0];
  return (/** @type {FootfallError} */ error) => {
    lost += 1;
    if (Date.now() - last < SECOND) return;
    console.warn(`[footfall] ${lost} event(s) not delivered, the last one: ${error.message}`);
    [lost, last] = [0, Date.now()];
  };
}

/** @param {Client | null} client @param {WebOptions} [options] */
function footfall(client, options) {
  const settings = readWebOptions(client, options);
  return async (
    /** @type {Request} */ request,
    /** @type {RuntimeContext | undefined} */ runtime,
    /** @type {(visit: RequestTracker) => Response | Promise<Response>} */ handle,
  ) => {
    const keep = runtime?.waitUntil && ((/** @type {Promise<unknown>} */ promise) => runtime.waitUntil?.(promise));
    const tracker = new RequestTracker(readRequest(request, undefined, request), settings, keep);
    try {
      const response = await handle(tracker);
      tracker.answered(() => readAnswer(response));
      return response;
    } catch (thrown) {
      tracker.failed(thrown);
      throw thrown;
    }
  };
}

exports.Footfall = Footfall;
exports.footfall = footfall;
