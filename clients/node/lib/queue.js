/** Holds entries in memory and delivers them together, one request at a time, in order. */
"use strict";

const { FootfallError } = require("./errors.js");

/** @import { Delivery } from "./delivery.js" */
/** @import { Entry } from "./entry.js" */
/** @import { Settings } from "./options.js" */

// The service takes 128 KiB for one event; a batch is held to the same, whatever a proxy before it allows.
const MAX_BYTES = 128 * 1024 - 1024;

class Queue {
  #delivery;
  #settings;
  /** @type {Entry[]} */
  #waiting = [];
  #sending = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {Delivery} delivery @param {Settings} settings */
  constructor(delivery, settings) {
    this.#delivery = delivery;
    this.#settings = settings;
  }

  /** @param {Entry} entry */
  push(entry) {
    if (this.#waiting.length + this.#sending >= this.#settings.queueSize) return entry.fail(queueFull());
    this.#waiting.push(entry);
    if (this.#waiting.length >= this.#settings.batchSize) this.send();
    // The timer keeps the process alive: whoever ends normally loses nothing.
    else this.#timer ??= setTimeout(() => this.send(), this.#settings.flushInterval);
  }

  /** Starts to send what waits, without waiting for more. */
  send() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending === 0 && this.#waiting.length > 0) void this.#drain();
  }

  /** Gives up what was never sent. */
  abort() {
    for (const entry of this.#waiting.splice(0)) entry.abandon("The client was closed");
    this.#delivery.abort();
  }

  async #drain() {
    while (this.#waiting.length > 0) {
      const batch = this.#take();
      this.#sending = batch.length;
      await this.#delivery.deliver(batch);
      this.#sending = 0;
    }
  }

  #take() {
    let [count, bytes] = [0, 0];
    for (const entry of this.#waiting.slice(0, this.#settings.batchSize)) {
      bytes += entry.bytes + 1;
      if (count > 0 && bytes > MAX_BYTES) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}

function queueFull() {
  return new FootfallError("The queue is full", { code: "QUEUE_FULL" });
}

exports.Queue = Queue;
