/** One request of a framework: counts it once it was answered, and sends what its handlers report. */
"use strict";

const { isPage, looksLikePage, pathOf } = require("./page.js");
const { readVisit } = require("./visit.js");

/** @import { Metrics, Payload, Properties, Receipt } from "../../index.js" */
/** @import { RequestTracker as Declared } from "../../types/web.js" */
/** @import { WebAnswer, WebRequest } from "./page.js" */
/** @import { WebSettings } from "./settings.js" */

const NOTHING = Symbol("nothing");

/** @implements {Declared} */
class RequestTracker {
  #request;
  #settings;
  #keep;
  #isIgnored = false;
  /** @type {Payload} */
  #known = {};
  /** @type {unknown} */
  #reported = NOTHING;

  /**
   * @param {WebRequest} request
   * @param {WebSettings} settings
   * @param {(promise: Promise<unknown>) => void} [keep] keeps the runtime awake until the promise is settled
   */
  constructor(request, settings, keep) {
    this.#request = request;
    this.#settings = settings;
    this.#keep = keep;
  }

  /** @param {string} name @param {Properties | null} [properties] @param {Payload | null} [payload] */
  event(name, properties, payload) {
    return this.#kept(this.#settings.client.event(name, attempt(() => this.#payload(payload)), properties));
  }

  /** @param {string} url @param {Properties | null} [properties] @param {Payload | null} [payload] */
  outbound(url, properties, payload) {
    return this.#kept(this.#settings.client.outbound(url, attempt(() => this.#payload(payload)), properties));
  }

  /** @param {Metrics} metrics @param {Properties | null} [properties] @param {Payload | null} [payload] */
  performance(metrics, properties, payload) {
    return this.#kept(this.#settings.client.performance(metrics, attempt(() => this.#payload(payload)), properties));
  }

  /** @param {unknown} thrown @param {Properties | null} [properties] @param {Payload | null} [payload] */
  error(thrown, properties, payload) {
    this.#reported = thrown;
    // Not judged: what fails for bots alone fails, too.
    return this.#kept(this.#settings.client.error(thrown, attempt(() => ({ ...this.#visit(), ...payload })), properties));
  }

  /** @param {Payload} payload */
  set(payload) {
    this.#known = { ...this.#known, ...payload };
  }

  ignore() {
    this.#isIgnored = true;
  }

  /** Counts the request if its answer is a page. @param {() => WebAnswer} answer */
  answered(answer) {
    this.#count(() => isPage(this.#request, answer()));
  }

  /** Counts the request if it looks like that for a page: the adapter sees no answer. */
  arrived() {
    this.#count(() => looksLikePage(this.#request));
  }

  /**
   * Reports what a handler threw, unless it is the answer to a faulty request.
   *
   * @param {unknown} thrown
   * @param {number} [status] of the answer, where the adapter knows it: what another service answered has a status, too
   */
  failed(thrown, status = 400) {
    if (!this.#settings.exceptions || thrown === this.#reported) return undefined;
    if (isRefusal(status) && isRefusal(statusOf(thrown))) return undefined;
    return this.error(thrown);
  }

  /** @param {() => boolean} counts */
  #count(counts) {
    const { before, isSkipped, pageviews } = this.#settings;
    if (!pageviews || this.#isIgnored) return;
    const payload = attempt(() => {
      if (!counts() || isSkipped(pathOf(this.#request))) return null;
      const visit = this.#payload();
      return before ? before(visit, this.#request.raw) : visit;
    });
    if (payload !== null && payload !== undefined) void this.#kept(this.#settings.client.pageview(payload));
  }

  /** @param {Payload | null} [payload] @returns {Payload} */
  #payload(payload) {
    const judged = this.#settings.bots === "judge" ? { bots: /** @type {const} */ ("judge") } : {};
    return { ...this.#visit(), ...judged, ...payload };
  }

  #visit() {
    return { ...readVisit(this.#request, this.#settings), ...this.#known };
  }

  /** @param {Promise<Receipt>} call */
  #kept(call) {
    try {
      // The ledger of the client reports what is lost.
      this.#keep?.(Promise.allSettled([call]));
    } catch (fault) {
      console.error("[footfall] the runtime does not wait:", fault);
    }
    return call;
  }
}

/**
 * Returns what a function returns, or a payload that fails its call: a hook of the host that throws is a call that is
 * refused and reported, and no error of the request.
 *
 * @template Result
 * @param {() => Result} make
 * @returns {Result}
 */
function attempt(make) {
  try {
    return make();
  } catch (fault) {
    return /** @type {any} */ (
      () => {
        throw fault;
      }
    );
  }
}

/** @param {any} thrown */
function statusOf(thrown) {
  try {
    return thrown?.status ?? thrown?.statusCode;
  } catch {
    // It has a getter that throws: it says nothing of the request.
    return undefined;
  }
}

/** @param {any} status */
function isRefusal(status) {
  return status >= 400 && status < 500;
}

exports.RequestTracker = RequestTracker;
