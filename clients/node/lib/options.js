/** Checks what the constructor is given and fills in the defaults. */
"use strict";

/** @import { Options } from "../index.js" */

/**
 * @typedef {{ [Name in keyof Options]-?: NonNullable<Options[Name]> }} Given
 * @typedef {Omit<Given, "siteId" | "onError"> & { siteId: string, onError: Given["onError"] | null }} Settings
 * @typedef {{ fits: (value: unknown) => boolean, must: string }} Check
 */

const DEFAULTS = {
  debug: false,
  timeout: 10_000,
  retries: 3,
  retryDelay: 1_000,
  batch: false,
  batchSize: 500,
  flushInterval: 1_000,
  queueSize: 10_000,
  onError: null,
};

// A call that is awaited gives up sooner than the queue in the background. The service counts
// requests over ten minutes, so a queue that waits longer than that always gets through.
const MAX_RETRY_DELAY = { single: 60_000, batch: 900_000 };

const milliseconds = { fits: isPositive, must: "must be a positive number of milliseconds" };
const flag = { fits: (/** @type {unknown} */ value) => typeof value === "boolean", must: "must be a boolean" };

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
  retries: { fits: isCount, must: "must be 0 or a positive integer" },
  retryDelay: milliseconds,
  maxRetryDelay: milliseconds,
  batch: flag,
  batchSize: { fits: (value) => isCount(value) && value >= 1 && value <= 500, must: "must be 1 to 500" },
  flushInterval: milliseconds,
  queueSize: { fits: (value) => isCount(value) && value >= 1, must: "must be a positive integer" },
  onError: { fits: (value) => typeof value === "function", must: "must be a function" },
};

/**
 * Returns complete settings, or throws a TypeError that names the first faulty option.
 *
 * @param {Options} options
 * @returns {Settings}
 */
function readOptions(options) {
  const given = withoutUndefined(options);
  for (const [name, check] of Object.entries(REQUIRED)) {
    if (given[name] === undefined || given[name] === null) throw fault(name, "is required");
    require_(name, given[name], check);
  }
  for (const name of Object.keys(given)) {
    const check = REQUIRED[name] ?? OPTIONAL[name];
    if (check === undefined) throw fault(name, "is not an option");
    require_(name, given[name], check);
  }
  return complete(given);
}

/** @param {Record<string, any>} given @returns {Settings} */
function complete(given) {
  const maxRetryDelay = given["batch"] ? MAX_RETRY_DELAY.batch : MAX_RETRY_DELAY.single;
  const settings = /** @type {any} */ ({ ...DEFAULTS, maxRetryDelay, ...given });
  settings.analyticsHost = new URL(settings.analyticsHost).href.replace(/\/+$/, "");
  settings.siteId = String(settings.siteId);
  return settings;
}

/** @param {unknown} options @returns {Record<string, unknown>} */
function withoutUndefined(options) {
  if (typeof options !== "object" || options === null) throw new TypeError("Footfall: options are required");
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** @param {string} name @param {unknown} value @param {Check} check */
function require_(name, value, check) {
  if (!check.fits(value)) throw fault(name, check.must);
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

exports.readOptions = readOptions;
