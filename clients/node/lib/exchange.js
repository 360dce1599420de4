/** The two exchanges with the service: a request for each call, or one request for many. */
"use strict";

/** @import { ServiceResponse } from "./service-response.js" */
/** @import { Exchange } from "./delivery.js" */
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
    const body = `{"events":[${calls.map(({ json }) => json).join(",")}]}`;
    const response = await transport.post("/track/batch", body, { closing });
    const results = response.status === 200 && response.body?.["success"] === true ? response.body["results"] : null;
    if (Array.isArray(results) && results.length === calls.length) return results.map(readResult);
    // An acknowledgement without a result for each event acknowledges none.
    const one = results === null ? response : { ...response, body: null };
    return calls.map(() => one);
  };
}

/** @param {any} result @returns {ServiceResponse} */
function readResult(result) {
  const body = typeof result === "object" ? result : null;
  const status = typeof body?.status === "number" ? body.status : 200;
  return { status: body?.success === true ? 200 : status, body, retryAfter: null };
}

exports.batched = batched;
exports.single = single;
