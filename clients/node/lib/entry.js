/** One call on its way: what is sent, what has been heard, and the promise that the caller holds. */
"use strict";

const { isUncertain, toError } = require("./answer.js");
const { FootfallError } = require("./errors.js");

/** @import { Receipt, TrackingEvent } from "../index.js" */
/** @import { Answer } from "./answer.js" */

class Entry {
  attempts = 0;
  /** Whether a request that carries it has been sent and not been answered yet. */
  underWay = false;
  uncertain = false;
  /** @type {TrackingEvent | null} */
  event = null;
  id = "";
  /** What goes over the wire, fixed when the call is made: a payload changed later changes nothing. */
  json = "";
  bytes = 0;
  #observe;
  #resolve;
  #reject;

  /** @param {(entry: Entry, error: FootfallError | null) => void} observe */
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
  carry(event, id, extra) {
    this.event = event;
    this.id = id;
    this.json = JSON.stringify({ ...event, ...extra });
    this.bytes = Buffer.byteLength(this.json);
  }

  /** @param {Answer} answer */
  hear(answer) {
    this.attempts += 1;
    this.underWay = false;
    this.uncertain ||= isUncertain(answer);
  }

  /** @param {Answer} answer */
  acknowledge(answer) {
    this.#settle(null, () => this.#resolve({ message: answer.body?.["message"] ?? null }));
  }

  /** @param {Answer} answer */
  giveUp(answer) {
    this.fail(toError(answer, this));
  }

  /** Ends without waiting for an answer. @param {string} why */
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

exports.Entry = Entry;
