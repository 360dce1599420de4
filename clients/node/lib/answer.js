/** What the service answered for one event, and what follows from it. */
"use strict";

const { FootfallError } = require("./errors.js");

/**
 * @typedef {object} Answer
 * @property {number | null} status null: no answer came
 * @property {Record<string, any> | null} body null: the body is not a JSON object
 * @property {number | null} retryAfter milliseconds that the service asks to wait
 * @property {string} [fault] why there is no answer
 * @property {unknown} [cause]
 */

/** @param {Answer} answer */
function isAcknowledged({ status, body }) {
  return status === 200 && body?.["success"] === true;
}

/** Whether the event may have been stored although nobody said so. @param {Answer} answer */
function isUncertain({ status, body }) {
  if (status === null || status === 408 || status >= 500) return true;
  return status < 300 && body?.["success"] !== false;
}

/** @param {Answer} answer */
function isRepeatable(answer) {
  return answer.status === 429 || isUncertain(answer);
}

/**
 * Once an attempt was uncertain a later refusal proves nothing: the event may have been stored before.
 *
 * @param {Answer} answer
 * @param {{ attempts: number, uncertain: boolean }} history
 */
function toError(answer, { attempts, uncertain }) {
  const { status, body, cause } = answer;
  const facts = { status, details: body?.["details"] ?? null, attempts, cause };
  if (!uncertain) return new FootfallError(describe(answer), { ...facts, code: "REFUSED", outcome: "refused" });
  const message = `Delivery not confirmed after ${attempts} attempt(s): ${describe(answer)}`;
  return new FootfallError(message, { ...facts, code: "UNCONFIRMED", outcome: "unknown" });
}

/** @param {Answer} answer */
function describe({ status, body, fault }) {
  if (status === null) return fault ?? "no answer";
  if (typeof body?.["error"] === "string") return body["error"];
  return status >= 300 && status < 400 ? `HTTP ${status}: redirected` : `HTTP ${status} without an explanation`;
}

exports.isAcknowledged = isAcknowledged;
exports.isRepeatable = isRepeatable;
exports.isUncertain = isUncertain;
exports.toError = toError;
