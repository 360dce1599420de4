/** Checks what the constructor is given and fills in the defaults. */
"use strict";

const { FootfallError } = require("./errors.js");
const { readPayload } = require("./payload.js");

/** @import { Options } from "../index.js" */

/**
 * @typedef {{ [Name in keyof Options]-?: NonNullable<Options[Name]> }} Given
 * @typedef {Omit<Given, "siteId" | "onError" | "environment"> & { siteId: string, onError: Given["onError"] | null, environment: string | null }} Settings
 * @typedef {{ fits: (value: unknown) => boolean, must: string }} Check
 */

const DEFAULTS = {
  debug: false,
  timeout: 10_000,
  retries: 3,
  retryDelay: 1_000,
  // A call that is awaited gives up sooner than the queue in the background.
  maxRetryDelay: 60_000,
  batch: false,
  batchSize: 500,
  flushInterval: 1_000,
  queueSize: 10_000,
  queueBytes: 16 * 1024 * 1024,
  exitTimeout: 2_000,
  onError: null,
  defaults: {},
  environment: null,
};
// The service counts requests over ten minutes, so a queue that waits longer than that always gets through.
const BATCH = { maxRetryDelay: 900_000 };
// A runtime that ends with the answer has no time to wait in: an event is repeated at once, or not at all.
const EDGE = { timeout: 3_000, retries: 1, retryDelay: 0, maxRetryDelay: 0, queueSize: 1_000 };

const milliseconds = { fits: isPositive, must: "must be a positive number of milliseconds" };
const flag = { fits: (/** @type {unknown} */ value) => typeof value === "boolean", must: "must be a boolean" };
const count = { fits: isCount, must: "must be 0 or a positive integer" };
const hook = { fits: (/** @type {unknown} */ value) => typeof value === "function", must: "must be a function" };

/** @type {Record<string, Check>} */
const REQUIRED = {
  analyticsHost: { fits: isApiUrl, must: "must be the URL of the instance, ending in /api" },
  siteId: { fits: isSiteId, must: "must be a site's identifier, a string or a positive integer" },
  apiKey: { fits: isWord, must: "must be an API key, a string without spaces" },
};

/** @type {Record<string, Check>} */
const OPTIONAL = {
  debug: flag,
  timeout: milliseconds,
  retries: count,
  retryDelay: milliseconds,
  maxRetryDelay: milliseconds,
  batch: flag,
  batchSize: { fits: (value) => isCount(value) && value >= 1 && value <= 500, must: "must be 1 to 500" },
  flushInterval: milliseconds,
  queueBytes: { fits: (value) => isCount(value) && value >= 1, must: "must be a positive integer" },
  queueSize: { fits: (value) => isCount(value) && value >= 1, must: "must be a positive integer" },
  exitTimeout: milliseconds,
  onError: hook,
  defaults: { fits: isPayload, must: "must be a payload" },
  environment: { fits: (value) => typeof value === "string" && value.length <= 64, must: "must be a string of at most 64 characters" },
};
const OF_EDGE = ["debug", "timeout", "retries", "queueSize", "onError", "defaults", "environment"];

/**
 * Returns complete settings, or throws a TypeError that names the first faulty option.
 *
 * @param {Options} options
 * @returns {Settings}
 */
function readOptions(options) {
  const given = checked(options, { ...REQUIRED, ...OPTIONAL });
  return complete({ ...DEFAULTS, ...(given["batch"] === true && BATCH), ...given });
}

/**
 * Returns the settings of a client of edge runtimes, which has no queue and does not wait.
 *
 * @param {import("../types/edge.js").Options} options
 * @returns {Settings}
 */
function readEdgeOptions(options) {
  const optional = Object.fromEntries(OF_EDGE.map((name) => [name, /** @type {Check} */ (OPTIONAL[name])]));
  return complete({ ...DEFAULTS, ...EDGE, ...checked(options, { ...REQUIRED, ...optional }) });
}

/**
 * Returns the options that are given, or throws a TypeError that names the first faulty one.
 *
 * @param {unknown} options
 * @param {Record<string, Check>} checks
 */
function checked(options, checks) {
  const given = withoutUndefined(options);
  for (const name of Object.keys(checks).filter((name) => Object.hasOwn(REQUIRED, name))) {
    if (given[name] === undefined || given[name] === null) throw fault(name, "is required");
  }
  for (const name of Object.keys(given)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) throw fault(name, "is not an option");
    if (!check.fits(given[name])) throw fault(name, check.must);
  }
  return given;
}

/** @param {Record<string, any>} settings @returns {Settings} */
function complete(settings) {
  const analyticsHost = new URL(settings["analyticsHost"]).href.replace(/\/+$/, "");
  const defaults = readPayload(settings["defaults"]);
  return /** @type {any} */ ({ ...settings, analyticsHost, siteId: String(settings["siteId"]), defaults });
}

/** @param {unknown} options @returns {Record<string, unknown>} */
function withoutUndefined(options) {
  if (typeof options !== "object" || options === null) throw new TypeError("Footfall: options are required");
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** @param {string} name @param {string} what */
function fault(name, what) {
  return new TypeError(`Footfall: option "${name}" ${what}`);
}

/** @param {unknown} value */
function isApiUrl(value) {
  const url = typeof value === "string" ? parseUrl(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || !/\/api\/*$/.test(url.pathname)) return false;
  return !url.username && !url.password && !url.search && !url.hash;
}

/** URL.canParse is younger than the oldest Node this package runs on. @param {string} text */
function parseUrl(text) {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** @param {unknown} value */
function isSiteId(value) {
  return typeof value === "number" ? Number.isSafeInteger(value) && value > 0 : isWord(value);
}

/** @param {any} value */
function isPayload(value) {
  try {
    return typeof value === "object" && readPayload(value) !== null;
  } catch (error) {
    if (error instanceof FootfallError) return false;
    throw error;
  }
}

/** Anything else could not stand in a header. @param {unknown} value */
function isWord(value) {
  return typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
}

/** @param {unknown} value */
function isPositive(value) {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

/** @param {unknown} value @returns {value is number} */
function isCount(value) {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

exports.checked = checked;
exports.count = count;
exports.flag = flag;
exports.hook = hook;
exports.readEdgeOptions = readEdgeOptions;
exports.readOptions = readOptions;
