/** Holds calls in memory and delivers them together, one request at a time, in order. */
"use strict";

const { AsyncResource } = require("node:async_hooks");

const { queueFull } = require("./errors.js");

/** @import { Delivery } from "./delivery.js" */
/** @import { PendingCall } from "./pending-call.js" */
/** @import { Settings } from "./options.js" */

// The limit of the service for one event; batches keep to it as well, because a proxy may have a lower limit.
const MAX_BYTES = 128 * 1024 - 1024;

class Queue {
  // That of the client's beginning: a delivery is not part of a request, to which tracers and Next.js would add it.
  #context = new AsyncResource("FOOTFALL");
  #delivery;
  #settings;
  /** @type {PendingCall[]} */
  #waiting = [];
  #sending = 0;
  /** Calls whose time to be sent has come. */
  #due = 0;
  #bytes = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {Delivery} delivery @param {Settings} settings */
  constructor(delivery, settings) {
    this.#delivery = delivery;
    this.#settings = settings;
  }

  /** @param {PendingCall} call */
  push(call) {
    if (this.#waiting.length + this.#sending >= this.#settings.queueSize) return call.fail(queueFull());
    call.bytes = Buffer.byteLength(call.json);
    if (this.#bytes + call.bytes > this.#settings.queueBytes) return call.fail(queueFull());
    this.#waiting.push(call);
    this.#bytes += call.bytes;
    if (this.#waiting.length >= this.#settings.batchSize) this.send();
    // The timer keeps the process alive: a program that ends normally loses nothing.
    else this.#timer ??= setTimeout(() => this.send(), this.#settings.flushInterval);
  }

  /** Starts to send the waiting calls at once. */
  send() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due = this.#waiting.length;
    if (this.#sending === 0) this.#context.runInAsyncScope(() => void this.#drain());
  }

  /** Gives up the calls that were never sent. */
  abort() {
    this.#due = 0;
    for (const call of this.#waiting.splice(0)) {
      this.#bytes -= call.bytes;
      call.abandon("The client was closed");
    }
    this.#delivery.abort();
  }

  async #drain() {
    // What came meanwhile has its own timer: one request for each answer would use up the rate limit.
    while (this.#due > 0) {
      const batch = withinBatch(this.#waiting, this.#settings.batchSize);
      this.#waiting.splice(0, batch.length);
      this.#due -= batch.length;
      this.#sending = batch.length;
      await this.#delivery.deliver(batch);
      this.#sending = 0;
      for (const { bytes } of batch) this.#bytes -= bytes;
    }
  }
}

/** Returns the first calls, as many as one request takes. @param {PendingCall[]} calls @param {number} most */
function withinBatch(calls, most) {
  let [count, bytes] = [0, 0];
  for (const call of calls.slice(0, most)) {
    bytes += call.bytes + 1;
    if (count > 0 && bytes > MAX_BYTES) break;
    count += 1;
  }
  return calls.slice(0, count);
}

exports.Queue = Queue;
exports.withinBatch = withinBatch;
