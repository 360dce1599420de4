/** The two exchanges with the service: a request for each call, or one request for many. */
"use strict";

/** @import { ServiceResponse } from "./service-response.js" */
/** @import { Exchange } from "./delivery.js" */
/** @import { PendingCall } from "./pending-call.js" */
/** @import { Transport } from "./transport.js" */

/** @param {Transport} transport @returns {Exchange} */
function single(transport) {
  return (calls, closing) => {
    const post = (/** @type {{ id: string, json: string }} */ { id, json }) =>
      transport.post("/track", json, { headers: { "idempotency-key": id }, closing });
    return Promise.all(calls.map(post));
  };
}

/** @param {Transport} transport @returns {Exchange} */
function batched(transport) {
  return async (calls, closing) => {
    return batchResponses(await transport.post("/track/batch", batchBody(calls), { closing }), calls);
  };
}

/** @param {{ json: string }[]} calls */
function batchBody(calls) {
  return `{"events":[${calls.map(({ json }) => json).join(",")}]}`;
}

/** @param {ServiceResponse} response @param {PendingCall[]} calls @returns {ServiceResponse[]} */
function batchResponses(response, calls) {
  const results = response.status === 200 && response.body?.["success"] === true ? response.body["results"] : null;
  if (Array.isArray(results) && results.length === calls.length) return results.map(readResult);
  // An acknowledgement without a result for each event acknowledges none.
  const one = results === null ? response : { ...response, body: null };
  return calls.map(() => one);
}

/** @param {any} result @returns {ServiceResponse} */
function readResult(result) {
  const body = typeof result === "object" ? result : null;
  const status = typeof body?.status === "number" ? body.status : 200;
  return { status: body?.success === true ? 200 : status, body, retryAfter: null };
}

exports.batchBody = batchBody;
exports.batchResponses = batchResponses;
exports.batched = batched;
exports.single = single;
