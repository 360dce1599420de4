/** Middleware of Express: counts pages, and reports what handlers throw. */
"use strict";

const { readAnswer, readRequest } = require("../web/node-request.js");
const { RequestTracker } = require("../web/request.js");
const { readWebOptions } = require("../web/settings.js");

/** @import { ServerResponse } from "node:http" */
/** @import { Client, WebOptions } from "../../types/web.js" */
/** @typedef {(error?: unknown) => void} Next */

/** @param {Client | null} client @param {WebOptions} [options] */
function footfall(client, options) {
  const settings = readWebOptions(client, options);
  return (/** @type {any} */ request, /** @type {ServerResponse} */ response, /** @type {Next} */ next) => {
    // Mounted twice, the outer one counts.
    if (request.footfall === undefined) watch(request, response);
    next();
  };

  /** @param {any} request @param {ServerResponse} response */
  function watch(request, response) {
    const tracker = new RequestTracker(readRequest(request), settings);
    request.footfall = tracker;
    response.once("finish", () => tracker.answered(() => readAnswer(response)));
  }
}

/** To be used behind all routes. */
function footfallErrors() {
  return (/** @type {unknown} */ thrown, /** @type {any} */ request, /** @type {unknown} */ _response, /** @type {Next} */ next) => {
    request.footfall?.failed(thrown);
    next(thrown);
  };
}

exports.footfall = footfall;
exports.footfallErrors = footfallErrors;
