/** Checks the options that all adapters of frameworks share, and fills in the defaults. */
"use strict";

const { checked, count, flag, hook } = require("../options.js");
const { parseNetwork } = require("./addresses.js");
const { SKIPPED, pathMatcher } = require("./page.js");

/** @import { Client, WebOptions } from "../../types/web.js" */
/** @import { Payload } from "../../index.js" */
/** @import { Network } from "./addresses.js" */

/**
 * @typedef {object} WebSettings
 * @property {Client} client
 * @property {boolean} pageviews
 * @property {boolean} exceptions
 * @property {"judge" | "count"} bots
 * @property {number} trustedHops
 * @property {Network[]} trustedNetworks
 * @property {((request: unknown) => string | undefined) | undefined} address
 * @property {(path: string) => boolean} isSkipped
 * @property {((payload: Payload, request: unknown) => Payload | null | undefined) | undefined} before
 */

const CHECKS = {
  pageviews: flag,
  exceptions: flag,
  bots: { fits: (/** @type {unknown} */ value) => value === "judge" || value === "count", must: 'must be "judge" or "count"' },
  trustedHops: count,
  trustedNetworks: { fits: isListOf((network) => typeof network === "string" && parseNetwork(network) !== null), must: "must be a list of networks" },
  address: hook,
  skip: { fits: isListOf((pattern) => typeof pattern === "string"), must: "must be a list of strings" },
  before: hook,
};

/** Counts nothing, for tests and machines of developers. @type {Client} */
const SILENT = Object.freeze({ pageview: silently, event: silently, outbound: silently, performance: silently, error: silently, batch: true });

async function silently() {
  return { message: null };
}

/** @param {Client | null} given @param {WebOptions} [options] @returns {WebSettings} */
function readWebOptions(given, options = {}) {
  const client = given === null ? SILENT : given;
  if (typeof client?.pageview !== "function") throw new TypeError("Footfall: a client is required");
  if (client.batch === false) throw new TypeError('Footfall: the client needs the option "batch: true", so that requests share deliveries');
  const chosen = /** @type {WebOptions} */ (checked(options, CHECKS));
  if (chosen.trustedHops && chosen.trustedNetworks?.length) throw new TypeError('Footfall: either "trustedHops" or "trustedNetworks", not both');
  return {
    client,
    pageviews: chosen.pageviews ?? true,
    exceptions: chosen.exceptions ?? true,
    bots: chosen.bots ?? "judge",
    trustedHops: chosen.trustedHops ?? 0,
    trustedNetworks: (chosen.trustedNetworks ?? []).map((network) => /** @type {Network} */ (parseNetwork(network))),
    address: atOnce(chosen.address),
    isSkipped: pathMatcher(chosen.skip ?? SKIPPED),
    before: atOnce(chosen.before),
  };
}

/**
 * An asynchronous hook comes too late: its call is refused, and a rejection of it does not end the process.
 *
 * @template {any[]} Given
 * @template Result
 * @param {((...given: Given) => Result) | undefined} hook
 */
function atOnce(hook) {
  if (hook === undefined) return undefined;
  return (/** @type {Given} */ ...given) => {
    const result = hook(...given);
    if (!(result instanceof Promise)) return result;
    result.catch(() => {});
    throw new TypeError("Footfall: a hook must not be asynchronous");
  };
}

/** @param {(item: unknown) => boolean} fits */
function isListOf(fits) {
  return (/** @type {unknown} */ value) => Array.isArray(value) && value.every(fits);
}

exports.readWebOptions = readWebOptions;
