/** The client for Node.js: with a queue, with repetitions, and with an end that loses no events. */
"use strict";

const { randomUUID } = require("node:crypto");

const { CallLedger } = require("./call-ledger.js");
const { Delivery } = require("./delivery.js");
const { Direct } = require("./direct.js");
const { batched, single } = require("./exchange.js");
const { watchExit } = require("./exit.js");
const { deliverNow } = require("./last-delivery.js");
const { logger } = require("./log.js");
const { readOptions } = require("./options.js");
const { Queue } = require("./queue.js");
const { Tracker } = require("./tracker.js");
const { Transport } = require("./transport.js");
const { watchUncaught } = require("./uncaught.js");
const { Warnings } = require("./warnings.js");

/** @import { Options } from "../index.js" */

const CLOSE_TIMEOUT = 30_000;

class Footfall extends Tracker {
  #ledger;
  #outbox;
  #ends;
  #isReportingUncaught = false;
  /** Reports of uncaught exceptions that are not settled. */
  #uncaught = 0;
  #warnings;
  /** @type {Promise<void> | undefined} */
  #closed;
  batch;

  /** @param {Options} options */
  constructor(options) {
    const settings = readOptions(options);
    const log = logger(settings);
    const warnings = new Warnings();
    const ledger = new CallLedger(settings.onError ?? ((error) => warnings.note(error)));
    const transport = new Transport(settings, log);
    const delivery = new Delivery(settings.batch ? batched(transport) : single(transport), settings, new AbortController());
    const outbox = settings.batch ? new Queue(delivery, settings) : new Direct(delivery, settings);
    super(settings, { ledger, send: (call) => outbox.push(call), newId: randomUUID, log, root: workingFolder() });
    this.batch = settings.batch;
    this.#ledger = ledger;
    this.#outbox = outbox;
    this.#warnings = warnings;
    const end = (/** @type {string} */ why) => {
      // Without an uncaught exception the host chose the moment, and does not wait.
      if (this.#uncaught > 0) deliverNow(ledger.open, transport, settings);
      this.#abandon(why);
    };
    this.#ends = [watchExit(end)];
  }

  /** @returns {void} */
  reportUncaught() {
    if (this.#isReportingUncaught || this.closed) return;
    this.#isReportingUncaught = true;
    const settled = () => void (this.#uncaught -= 1);
    this.#ends.push(
      watchUncaught((thrown) => {
        this.#uncaught += 1;
        this.error(thrown).then(settled, settled);
      }),
    );
  }

  /** @returns {Promise<void>} */
  async flush() {
    this.#outbox.send();
    await this.#ledger.settled();
  }

  /** @param {{ timeout?: number }} [options] @returns {Promise<void>} */
  close({ timeout = CLOSE_TIMEOUT } = {}) {
    this.closed = true;
    this.#closed ??= this.#finish(timeout);
    return this.#closed;
  }

  /** @param {number} timeout */
  async #finish(timeout) {
    const timer = setTimeout(() => this.#outbox.abort(), timeout);
    await this.flush();
    clearTimeout(timer);
    this.#abandon("The client was closed");
    for (const end of this.#ends.splice(0)) end();
  }

  /** @param {string} why */
  #abandon(why) {
    this.#ledger.abandon(why);
    this.#warnings.flush();
  }
}

/** The folder that the process runs in may have been removed. */
function workingFolder() {
  try {
    return process.cwd();
  } catch {
    return "";
  }
}

exports.Footfall = Footfall;
