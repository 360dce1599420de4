/** Turns a call into the tracking event that the service takes, or refuses it before anything is sent. */
"use strict";

const { invalid, isPlainObject, readPayload, serialize } = require("./payload.js");
const { describe } = require("./thrown.js");

/** @import { Metrics, Payload, Properties, TrackingEvent } from "../index.js" */
/** @typedef {Payload | null | undefined} MaybePayload */
/** @typedef {Properties | null | undefined} MaybeProperties */

/**
 * What all events of a client have in common.
 *
 * @typedef {object} Source
 * @property {string} siteId
 * @property {Payload} defaults
 * @property {string | null} environment
 * @property {string} root the folder of the application, from which stacks name their files
 */

const METRICS = ["lcp", "fcp", "inp", "ttfb", "cls"];

/** @param {Source} source @param {MaybePayload} payload @param {MaybeProperties} properties */
function pageview(source, payload, properties) {
  return assemble(source, { type: "pageview" }, payload, given(properties));
}

/** @param {Source} source @param {string} eventName @param {MaybePayload} payload @param {MaybeProperties} properties */
function customEvent(source, eventName, payload, properties) {
  if (typeof eventName !== "string" || eventName === "") throw invalid("eventName", "must be a non-empty string");
  return assemble(source, { type: "custom_event", event_name: eventName }, payload, given(properties));
}

/** @param {Source} source @param {string} url @param {MaybePayload} payload @param {MaybeProperties} properties */
function outbound(source, url, payload, properties) {
  if (typeof url !== "string" || url === "") throw invalid("url", "must be a non-empty string");
  return assemble(source, { type: "outbound" }, payload, serialize(properties, { url }));
}

/** @param {Source} source @param {Metrics} metrics @param {MaybePayload} payload @param {MaybeProperties} properties */
function performance(source, metrics, payload, properties) {
  if (!isPlainObject(metrics)) throw invalid("metrics", "must be an object");
  const measured = Object.entries(metrics).filter(([, value]) => value !== undefined);
  if (measured.length === 0) throw invalid("metrics", `must have one of ${METRICS.join(", ")}`);
  for (const [name, value] of measured) {
    if (!METRICS.includes(name)) throw invalid(`metrics.${name}`, `is not one of ${METRICS.join(", ")}`);
    if (!Number.isFinite(value) || Number(value) < 0) throw invalid(`metrics.${name}`, "must be a number from 0");
  }
  return assemble(source, { type: "performance", ...Object.fromEntries(measured) }, payload, given(properties));
}

/** @param {Source} source @param {unknown} thrown @param {MaybePayload} payload @param {MaybeProperties} properties */
function exception(source, thrown, payload, properties) {
  const { name, ...details } = describe(thrown, source.root);
  const environment = source.environment ?? undefined;
  return assemble(source, { type: "error", event_name: name }, payload, serialize(properties, { environment, ...details }));
}

/** @param {MaybeProperties} properties */
function given(properties) {
  return properties === undefined || properties === null ? undefined : serialize(properties);
}

/**
 * @param {Source} source
 * @param {Partial<TrackingEvent> & Pick<TrackingEvent, "type">} kind
 * @param {MaybePayload} payload
 * @param {string | undefined} properties
 * @returns {TrackingEvent}
 */
function assemble({ siteId, defaults }, kind, payload, properties) {
  const event = { site_id: siteId, ...kind, ...defaults, ...readPayload(payload) };
  return properties === undefined ? event : { ...event, properties };
}

exports.customEvent = customEvent;
exports.exception = exception;
exports.outbound = outbound;
exports.pageview = pageview;
exports.performance = performance;
