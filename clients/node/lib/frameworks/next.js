/** Next.js: what counts requests in `proxy`, reports what `onRequestError` is told, and serves route handlers and actions. */
"use strict";

const { readRequest } = require("../web/fetch-request.js");
const { RequestTracker } = require("../web/request.js");
const { readWebOptions } = require("../web/settings.js");

/** @import { Client, WebOptions } from "../../types/web.js" */
/** @import { FetchRequest } from "../web/fetch-request.js" */
/** @typedef {{ path: string, method: string, headers: Record<string, string | string[] | undefined> }} FailedRequest */
/** @typedef {{ waitUntil?: (promise: Promise<unknown>) => void }} RuntimeContext */

/** Counts a request before there is an answer. @param {Client | null} client @param {WebOptions} [options] */
function footfall(client, options) {
  const settings = readWebOptions(client, options);
  return (/** @type {FetchRequest} */ request, /** @type {RuntimeContext} */ runtime) => {
    const keep = (/** @type {Promise<unknown>} */ promise) => runtime?.waitUntil?.(promise);
    new RequestTracker(readRequest(request, undefined, request), settings, keep).arrived();
  };
}

/** Reports events of the visitor of a request, or of `{ headers: await headers() }`. @param {Client | null} client @param {WebOptions} [options] */
function requestTracker(client, options) {
  const settings = readWebOptions(client, options);
  return (/** @type {FetchRequest} */ request) => new RequestTracker(readRequest(request, undefined, request), settings);
}

/** Is `onRequestError` of `instrumentation`. @param {Client | null} client @param {WebOptions} [options] */
function requestErrors(client, options) {
  const settings = readWebOptions(client, options);
  return async (/** @type {unknown} */ thrown, /** @type {FailedRequest} */ request) => {
    const headers = { get: (/** @type {string} */ name) => text(request.headers[name]) };
    const { path: url, method } = request;
    const tracker = new RequestTracker(readRequest({ headers, url, method }, undefined, request), settings);
    // Next.js answers 500 whatever was thrown.
    const call = tracker.failed(thrown, 500);
    // An edge runtime ends with the answer; a server has a queue, and goes on.
    if (settings.client.batch === undefined) await Promise.allSettled([call]);
  };
}

/** @param {string | string[] | undefined} value */
function text(value) {
  return value === undefined ? null : String(value);
}

exports.footfall = footfall;
exports.requestErrors = requestErrors;
exports.requestTracker = requestTracker;
