/** Reads what a caller gives to an event, or refuses it before anything is sent. */
"use strict";

const { FootfallError } = require("./errors.js");

/** @import { Payload, Properties } from "../index.js" */
/** @typedef {(value: unknown) => string | null} Check returns what is wrong */

/** @type {Check} */
const text = (value) => (typeof value === "string" ? null : "must be a string");
/** @type {Check} */
const number = (value) => {
  if (typeof value !== "number" || Number.isNaN(value)) return "must be a number";
  return Number.isFinite(value) ? null : "must be finite";
};
/** @type {Check} */
const eventId = (value) =>
  typeof value === "string" && /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/.test(value)
    ? null
    : "must be a string of 1 to 128 printable ASCII characters, without a space at either end";
/** @type {Check} */
const moment = (value) => {
  if (value instanceof Date && Number.isNaN(value.getTime())) return "must be a valid date";
  return typeof value === "string" || value instanceof Date ? null : "must be a string or a Date";
};

/** @type {Record<string, Check>} */
const FIELDS = {
  hostname: text,
  pathname: text,
  querystring: text,
  screenWidth: number,
  screenHeight: number,
  language: text,
  color_scheme: text,
  time_zone: text,
  page_title: text,
  referrer: text,
  release: text,
  user_id: text,
  user_signature: text,
  user_agent: text,
  ip_address: text,
  bots: text,
  timestamp: moment,
  event_id: eventId,
};

/**
 * Returns the fields that have a value. A payload may be a function, for adapters: what it throws fails the call.
 *
 * @param {Payload | null | undefined | (() => Payload)} given
 * @returns {Payload}
 */
function readPayload(given) {
  const payload = typeof given === "function" ? given() : given;
  if (payload === undefined || payload === null) return {};
  if (!isPlainObject(payload)) throw invalid("payload", "must be an object");
  const entries = Object.entries(payload).filter(([, value]) => value !== undefined && value !== null);
  for (const [field, value] of entries) checkField(field, value);
  return Object.fromEntries(entries.map(([field, value]) => [field, value instanceof Date ? value.toISOString() : value]));
}

/** A misspelt field would be ignored by the service: a silent loss. @param {string} field @param {unknown} value */
function checkField(field, value) {
  const check = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
  if (check === undefined) throw invalid(field, "is not a field of the payload");
  const fault = check(value);
  if (fault !== null) throw invalid(field, fault);
}

/**
 * Returns properties as JSON.
 *
 * @param {Properties | null | undefined} properties
 * @param {Record<string, unknown>} [own] what the client itself adds, unchecked
 */
function serialize(properties, own) {
  if (properties !== undefined && properties !== null && !isPlainObject(properties)) {
    throw invalid("properties", "must be an object of key-value pairs");
  }
  const given = Object.entries(properties ?? {}).filter(([, value]) => value !== undefined);
  for (const [key, value] of given) {
    if (!isScalar(value) && !isListOfScalars(value)) {
      const field = `properties.${key}`;
      throw invalid(field, "must be a string, a finite number, a boolean, or an array of those");
    }
  }
  return JSON.stringify({ ...Object.fromEntries(given), ...own });
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
  // The message goes into logs, and visitors can choose the names where an application passes on what they sent.
  const told = /^[\w.-]{1,64}$/.test(field) ? field : "a field";
  return new FootfallError(`${told} ${fault}`, { code: "INVALID_EVENT", details });
}

exports.invalid = invalid;
exports.isPlainObject = isPlainObject;
exports.readPayload = readPayload;
exports.serialize = serialize;
