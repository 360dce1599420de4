/** Sends each call at once: without a queue, and for edge runtimes. */
"use strict";

const { queueFull } = require("./errors.js");

/** @import { Delivery } from "./delivery.js" */
/** @import { PendingCall } from "./pending-call.js" */
/** @import { Settings } from "./options.js" */

class Direct {
  #delivery;
  #most;
  #underWay = 0;

  /** @param {Delivery} delivery @param {Settings} settings */
  constructor(delivery, { queueSize }) {
    this.#delivery = delivery;
    this.#most = queueSize;
  }

  /** @param {PendingCall} call */
  push(call) {
    if (this.#underWay >= this.#most) return call.fail(queueFull());
    this.#underWay += 1;
    void this.#deliver(call);
  }

  /** Nothing waits. */
  send() {}

  abort() {
    this.#delivery.abort();
  }

  /** @param {PendingCall} call */
  async #deliver(call) {
    await this.#delivery.deliver([call]);
    this.#underWay -= 1;
  }
}

exports.Direct = Direct;
