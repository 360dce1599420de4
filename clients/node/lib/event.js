/** Turns a call into the tracking event that the service takes, or refuses it before anything is sent. */
"use strict";

const { FootfallError } = require("./errors.js");

/** @import { Payload, Properties, TrackingEvent } from "../index.js" */

/** @type {Record<string, "string" | "number">} */
const FIELDS = {
  hostname: "string",
  pathname: "string",
  querystring: "string",
  screenWidth: "number",
  screenHeight: "number",
  language: "string",
  color_scheme: "string",
  page_title: "string",
  referrer: "string",
  release: "string",
  user_id: "string",
  user_agent: "string",
  ip_address: "string",
  bots: "string",
};

/**
 * @param {string} siteId
 * @param {Payload | null} [payload]
 * @param {Properties | null} [properties]
 * @returns {TrackingEvent}
 */
function pageview(siteId, payload, properties) {
  return withProperties({ site_id: siteId, type: "pageview", ...readPayload(payload) }, properties);
}

/**
 * @param {string} siteId
 * @param {string} eventName
 * @param {Payload | null} [payload]
 * @param {Properties | null} [properties]
 * @returns {TrackingEvent}
 */
function customEvent(siteId, eventName, payload, properties) {
  if (typeof eventName !== "string" || eventName === "") throw invalid("eventName", "must be a non-empty string");
  return withProperties({ site_id: siteId, type: "custom_event", event_name: eventName, ...readPayload(payload) }, properties);
}

/** @param {TrackingEvent} event @param {Properties | null | undefined} properties @returns {TrackingEvent} */
function withProperties(event, properties) {
  return properties === undefined || properties === null ? event : { ...event, properties: serialize(properties) };
}

/** @param {Payload | null | undefined} payload @returns {Payload} */
function readPayload(payload) {
  if (payload === undefined || payload === null) return {};
  if (!isPlainObject(payload)) throw invalid("payload", "must be an object");
  const given = Object.entries(payload).filter(([, value]) => value !== undefined && value !== null);
  for (const [field, value] of given) checkField(field, value);
  return Object.fromEntries(given);
}

/** A misspelt field would be ignored by the service: a silent loss. @param {string} field @param {unknown} value */
function checkField(field, value) {
  const type = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
  if (type === undefined) throw invalid(field, "is not a field of the payload");
  if (typeof value !== type || Number.isNaN(value)) throw invalid(field, `must be a ${type}`);
  if (type === "number" && !Number.isFinite(value)) throw invalid(field, "must be finite");
}

/** @param {Properties} properties */
function serialize(properties) {
  if (!isPlainObject(properties)) throw invalid("properties", "must be an object of key-value pairs");
  const given = Object.entries(properties).filter(([, value]) => value !== undefined);
  for (const [key, value] of given) {
    if (!isScalar(value) && !isListOfScalars(value)) {
      const field = `properties.${key}`;
      throw invalid(field, "must be a string, a finite number, a boolean, or an array of those");
    }
  }
  return JSON.stringify(Object.fromEntries(given));
}

/** @param {unknown} value */
function isListOfScalars(value) {
  // Not every(): it passes over the holes of a sparse array, which JSON turns into null.
  return Array.isArray(value) && Array.from(value).every(isScalar);
}

/** @param {unknown} value */
function isScalar(value) {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** @param {unknown} value */
function isPlainObject(value) {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  // Objects of another realm (a vm context, a test runner's sandbox) have another Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** @param {string} field @param {string} fault */
function invalid(field, fault) {
  const details = { fieldErrors: { [field]: [fault] }, formErrors: [] };
  return new FootfallError(`${field} ${fault}`, { code: "INVALID_EVENT", details });
}

exports.customEvent = customEvent;
exports.pageview = pageview;
