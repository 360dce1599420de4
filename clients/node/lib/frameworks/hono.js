/** Middleware of Hono, on any runtime: counts pages, and reports what handlers throw. */
"use strict";

const { readAnswer, readRequest } = require("../web/fetch-request.js");
const { RequestTracker } = require("../web/request.js");
const { readWebOptions } = require("../web/settings.js");

/** @import { Client, WebOptions } from "../../types/web.js" */

/** @param {Client | null} client @param {WebOptions} [options] */
function footfall(client, options) {
  const settings = readWebOptions(client, options);
  return async (/** @type {any} */ c, /** @type {() => Promise<void>} */ next) => {
    // Used twice, the outer one counts.
    if (c.get("footfall") !== undefined) return next();
    const request = readRequest(c.req.raw, () => peerOf(c), c);
    const tracker = new RequestTracker(request, settings, keeperOf(c));
    c.set("footfall", tracker);
    try {
      await next();
    } catch (thrown) {
      tracker.failed(thrown);
      throw thrown;
    }
    if (c.error !== undefined) tracker.failed(c.error, c.res.status);
    tracker.answered(() => readAnswer(c.res));
  };
}

/** On Node.js; other runtimes tell it by functions of their own, which the option `address` takes. @param {any} c */
function peerOf({ env }) {
  const address = (env?.server ?? env)?.incoming?.socket?.remoteAddress;
  // Workers have bindings of any name, whose methods are calls of another service.
  return typeof address === "string" ? address : undefined;
}

/** Hono throws where the runtime does not wait. @param {any} c */
function keeperOf(c) {
  try {
    const runtime = c.executionCtx;
    return (/** @type {Promise<unknown>} */ promise) => runtime.waitUntil(promise);
  } catch {
    return undefined;
  }
}

exports.footfall = footfall;
