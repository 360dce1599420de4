/** The client: methods that track, and methods that end it without losing events. */
"use strict";

const { randomUUID } = require("node:crypto");

const { Delivery } = require("./delivery.js");
const { FootfallError } = require("./errors.js");
const { customEvent, pageview } = require("./event.js");
const { batched, single } = require("./exchange.js");
const { watchExit } = require("./exit.js");
const { CallLedger } = require("./call-ledger.js");
const { readOptions } = require("./options.js");
const { Queue } = require("./queue.js");
const { Transport } = require("./transport.js");

/** @import { Options, Payload, Properties, Receipt, Stats, TrackingEvent } from "../index.js" */
/** @import { PendingCall } from "./pending-call.js" */

const CLOSE_TIMEOUT = 30_000;

class Footfall {
  #batch;
  #ledger;
  #log;
  #outbox;
  #siteId;
  #unwatch;
  /** @type {Promise<void> | undefined} */
  #closed;

  /** @param {Options} options */
  constructor(options) {
    const settings = readOptions(options);
    this.#batch = settings.batch;
    this.#siteId = settings.siteId;
    this.#log = settings.debug ? (/** @type {string} */ line) => console.log(`[footfall] ${line}`) : () => {};
    this.#ledger = new CallLedger(settings);
    const transport = new Transport(settings, this.#log);
    const delivery = new Delivery(settings.batch ? batched(transport) : single(transport), settings);
    this.#outbox = settings.batch ? new Queue(delivery, settings) : direct(delivery);
    this.#unwatch = watchExit(this.#ledger);
  }

  /**
   * @param {Payload | null} [payload]
   * @param {Properties | null} [properties]
   * @returns {Promise<Receipt>}
   */
  pageview(payload, properties) {
    return this.#track(() => pageview(this.#siteId, payload, properties));
  }

  /**
   * @param {string} eventName
   * @param {Payload | null} [payload]
   * @param {Properties | null} [properties]
   * @returns {Promise<Receipt>}
   */
  event(eventName, payload, properties) {
    return this.#track(() => customEvent(this.#siteId, eventName, payload, properties));
  }

  /** @returns {Promise<void>} */
  async flush() {
    this.#outbox.send();
    await this.#ledger.settled();
  }

  /** @param {{ timeout?: number }} [options] @returns {Promise<void>} */
  close({ timeout = CLOSE_TIMEOUT } = {}) {
    this.#closed ??= this.#finish(timeout);
    return this.#closed;
  }

  /** @returns {Stats} */
  get stats() {
    return this.#ledger.stats;
  }

  /** @param {() => TrackingEvent} build */
  #track(build) {
    const call = this.#ledger.add();
    try {
      if (this.#closed) throw new FootfallError("The client is closed", { code: "CLOSED" });
      const [event, id] = [build(), randomUUID()];
      this.#log(`${id} ${JSON.stringify({ ...event, ip_address: undefined })}`);
      call.setEvent(event, id, this.#batch ? { event_id: id, timestamp: new Date().toISOString() } : {});
      this.#outbox.push(call);
    } catch (error) {
      call.fail(error instanceof FootfallError ? error : unreadable(error));
    }
    return call.promise;
  }

  /** @param {number} timeout */
  async #finish(timeout) {
    const timer = setTimeout(() => this.#outbox.abort(), timeout);
    await this.flush();
    clearTimeout(timer);
    this.#ledger.abandon("The client was closed");
    this.#unwatch();
  }
}

/** An argument raised an error when it was read, for example in a getter. @param {unknown} cause */
function unreadable(cause) {
  return new FootfallError("The event cannot be read", { code: "INVALID_EVENT", cause });
}

/** Without a queue every call goes out at once. @param {Delivery} delivery */
function direct(delivery) {
  return {
    push: (/** @type {PendingCall} */ call) => void delivery.deliver([call]),
    send: () => {},
    abort: () => delivery.abort(),
  };
}

exports.Footfall = Footfall;
