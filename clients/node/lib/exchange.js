/** The two ways to hand entries to the service: one in a request, or many. */
"use strict";

/** @import { Answer } from "./answer.js" */
/** @import { Exchange } from "./delivery.js" */
/** @import { Transport } from "./transport.js" */

/** @param {Transport} transport @returns {Exchange} */
function single(transport) {
  return (entries, closing) => {
    const post = (/** @type {{ id: string, json: string }} */ { id, json }) =>
      transport.post("/track", json, { headers: { "idempotency-key": id }, closing });
    return Promise.all(entries.map(post));
  };
}

/** @param {Transport} transport @returns {Exchange} */
function batched(transport) {
  return async (entries, closing) => {
    const body = `{"events":[${entries.map(({ json }) => json).join(",")}]}`;
    const answer = await transport.post("/track/batch", body, { closing });
    const results = answer.status === 200 && answer.body?.["success"] === true ? answer.body["results"] : null;
    if (Array.isArray(results) && results.length === entries.length) return results.map(readResult);
    // An acknowledgement without a result for each event acknowledges none.
    const one = results === null ? answer : { ...answer, body: null };
    return entries.map(() => one);
  };
}

/** @param {any} result @returns {Answer} */
function readResult(result) {
  const body = typeof result === "object" ? result : null;
  const status = typeof body?.status === "number" ? body.status : 200;
  return { status: body?.success === true ? 200 : status, body, retryAfter: null };
}

exports.batched = batched;
exports.single = single;
