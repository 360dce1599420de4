/** The response of the service to one event, and the rules that tell whether it is repeated. */
"use strict";

const { FootfallError } = require("./errors.js");

/**
 * @typedef {object} ServiceResponse
 * @property {number | null} status null: no response came
 * @property {Record<string, any> | null} body null: the body is not a JSON object
 * @property {number | null} retryAfter milliseconds that the service asks to wait
 * @property {string} [fault] the reason why there is no response
 * @property {unknown} [cause]
 */

/** @param {ServiceResponse} response */
function isAcknowledged({ status, body }) {
  return status === 200 && body?.["success"] === true;
}

/** Returns whether the event may have been stored although no response confirms it. @param {ServiceResponse} response */
function isUncertain({ status, body }) {
  if (status === null || status === 408 || status >= 500) return true;
  return status < 300 && body?.["success"] !== false;
}

/** @param {ServiceResponse} response */
function isRepeatable(response) {
  return response.status === 429 || isUncertain(response);
}

/**
 * After an uncertain attempt a refusal proves nothing: the earlier attempt may have stored the event.
 *
 * @param {ServiceResponse} response
 * @param {{ attempts: number, uncertain: boolean }} history
 */
function toError(response, { attempts, uncertain }) {
  const { status, body, cause } = response;
  const facts = { status, details: body?.["details"] ?? null, attempts, cause };
  if (!uncertain) return new FootfallError(describe(response), { ...facts, code: "REFUSED", outcome: "refused" });
  const message = `Delivery not confirmed after ${attempts} attempt(s): ${describe(response)}`;
  return new FootfallError(message, { ...facts, code: "UNCONFIRMED", outcome: "unknown" });
}

/** @param {ServiceResponse} response */
function describe({ status, body, fault }) {
  if (status === null) return fault ?? "no answer";
  if (typeof body?.["error"] === "string") return body["error"];
  return status >= 300 && status < 400 ? `HTTP ${status}: redirected` : `HTTP ${status} without an explanation`;
}

exports.isAcknowledged = isAcknowledged;
exports.isRepeatable = isRepeatable;
exports.isUncertain = isUncertain;
exports.toError = toError;
