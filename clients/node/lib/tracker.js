/** The calls of a client, on any runtime: each becomes an event, and is in the ledger from its beginning to its end. */
"use strict";

const { FootfallError } = require("./errors.js");
const { customEvent, exception, outbound, pageview, performance } = require("./event.js");

/** @import { Metrics, Payload, Properties, Receipt, Stats, Tracker as Declared, TrackingEvent } from "../index.js" */
/** @import { CallLedger } from "./call-ledger.js" */
/** @import { Source } from "./event.js" */
/** @import { PendingCall } from "./pending-call.js" */
/** @import { Settings } from "./options.js" */
/** @import { Log } from "./log.js" */

// A mistake in code that every request runs must not use up the rate limit, which pageviews need.
const MAX_EXCEPTIONS = 100;
const MINUTE = 60_000;

/**
 * @typedef {object} Means
 * @property {CallLedger} ledger
 * @property {(call: PendingCall) => void} send
 * @property {() => string} newId
 * @property {Log} log
 * @property {string} root
 */

/** @implements {Declared} */
class Tracker {
  #batch;
  #means;
  /** @type {Source} */
  #source;
  #exceptions = { since: 0, count: 0 };
  closed = false;

  /** @param {Settings} settings @param {Means} means */
  constructor({ batch, siteId, defaults, environment }, means) {
    this.#batch = batch;
    this.#means = means;
    this.#source = { siteId, defaults, environment, root: means.root };
  }

  /**
   * @param {Payload | null} [payload]
   * @param {Properties | null} [properties]
   */
  pageview(payload, properties) {
    return this.#track(() => pageview(this.#source, payload, properties));
  }

  /**
   * @param {string} eventName
   * @param {Payload | null} [payload]
   * @param {Properties | null} [properties]
   */
  event(eventName, payload, properties) {
    return this.#track(() => customEvent(this.#source, eventName, payload, properties));
  }

  /**
   * @param {string} url
   * @param {Payload | null} [payload]
   * @param {Properties | null} [properties]
   */
  outbound(url, payload, properties) {
    return this.#track(() => outbound(this.#source, url, payload, properties));
  }

  /**
   * @param {Metrics} metrics
   * @param {Payload | null} [payload]
   * @param {Properties | null} [properties]
   */
  performance(metrics, payload, properties) {
    return this.#track(() => performance(this.#source, metrics, payload, properties));
  }

  /**
   * @param {unknown} thrown
   * @param {Payload | null} [payload]
   * @param {Properties | null} [properties]
   */
  error(thrown, payload, properties) {
    return this.#track(() => {
      this.#admitException();
      return exception(this.#source, thrown, payload, properties);
    });
  }

  /** @returns {Stats} */
  get stats() {
    return this.#means.ledger.stats;
  }

  /** @param {() => TrackingEvent} build @returns {Promise<Receipt>} */
  #track(build) {
    const { ledger, log, newId, send } = this.#means;
    const call = ledger.add();
    try {
      if (this.closed) throw new FootfallError("The client is closed", { code: "CLOSED" });
      const event = build();
      const id = event.event_id ?? newId();
      log(() => `${id} ${JSON.stringify({ ...event, ip_address: undefined })}`);
      call.setEvent(event, id, this.#batch ? { event_id: id, timestamp: event.timestamp ?? new Date().toISOString() } : {});
      send(call);
    } catch (error) {
      call.fail(error instanceof FootfallError ? error : unreadable(error));
    }
    return call.promise;
  }

  #admitException() {
    const now = Date.now();
    if (Math.abs(now - this.#exceptions.since) >= MINUTE) this.#exceptions = { since: now, count: 0 };
    this.#exceptions.count += 1;
    if (this.#exceptions.count <= MAX_EXCEPTIONS) return;
    throw new FootfallError(`More than ${MAX_EXCEPTIONS} exceptions in a minute`, { code: "QUEUE_FULL" });
  }
}

/** An argument raised an error when it was read, for example in a getter. @param {unknown} cause */
function unreadable(cause) {
  return new FootfallError("The event cannot be read", { code: "INVALID_EVENT", cause });
}

exports.Tracker = Tracker;
