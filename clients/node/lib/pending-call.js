/** One call that is not settled: its event, its attempts, and the promise that the caller holds. */
"use strict";

const { isUncertain, toError } = require("./service-response.js");
const { FootfallError } = require("./errors.js");

/** @import { Receipt, TrackingEvent } from "../index.js" */
/** @import { ServiceResponse } from "./service-response.js" */

class PendingCall {
  attempts = 0;
  /** Whether a request with this call was sent and has no response yet. */
  underWay = false;
  uncertain = false;
  /** @type {TrackingEvent | null} */
  event = null;
  id = "";
  /** The JSON that is sent, made with the call: later changes of the payload have no effect. */
  json = "";
  /** Of the JSON, where a queue has counted them. */
  bytes = 0;
  #observe;
  #resolve;
  #reject;

  /** @param {(call: PendingCall, error: FootfallError | null) => void} observe */
  constructor(observe) {
    this.#observe = observe;
    /** @type {(receipt: Receipt) => void} */
    let resolve = () => {};
    /** @type {(error: FootfallError) => void} */
    let reject = () => {};
    /** @type {Promise<Receipt>} */
    this.promise = new Promise((...both) => ([resolve, reject] = both));
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** @param {TrackingEvent} event @param {string} id @param {object} extra */
  setEvent(event, id, extra) {
    this.event = event;
    this.id = id;
    this.json = JSON.stringify({ ...event, ...extra });
  }

  /** @param {ServiceResponse} response */
  record(response) {
    this.attempts += 1;
    this.underWay = false;
    this.uncertain ||= isUncertain(response);
  }

  /** @param {ServiceResponse} response */
  acknowledge(response) {
    this.#settle(null, () => this.#resolve({ message: response.body?.["message"] ?? null }));
  }

  /** @param {ServiceResponse} response */
  giveUp(response) {
    this.fail(toError(response, this));
  }

  /** Settles the call without waiting for a response. @param {string} why */
  abandon(why) {
    const { attempts } = this;
    if (!this.underWay && !this.uncertain) {
      return this.fail(new FootfallError(`${why} before the event was sent`, { code: "CLOSED", attempts }));
    }
    const message = `${why} before the event was confirmed`;
    this.fail(new FootfallError(message, { code: "UNCONFIRMED", outcome: "unknown", attempts }));
  }

  /** @param {FootfallError} error */
  fail(error) {
    this.#settle(error, () => this.#reject(error));
  }

  /** @param {FootfallError | null} error @param {() => void} tell */
  #settle(error, tell) {
    this.#observe(this, error);
    tell();
  }
}

exports.PendingCall = PendingCall;
