/** Requests and answers of the Fetch standard: Hono, Next.js and edge runtimes. */
"use strict";

/** @import { WebAnswer, WebRequest } from "./page.js" */
/** @typedef {{ headers: Pick<Headers, "get">, url?: string, method?: string }} FetchRequest */

/**
 * @param {FetchRequest} request without an address, the page from which it was sent counts
 * @param {() => string | undefined} [peer]
 * @param {unknown} [raw]
 * @returns {WebRequest}
 */
function readRequest({ headers, url, method = "POST" }, peer = () => undefined, raw) {
  const header = (/** @type {string} */ name) => headers.get(name) ?? undefined;
  const address = url ?? header("referer") ?? "";
  return {
    method,
    target: address.replace(/^[a-z]+:\/\/[^/?#]*/i, ""),
    host: header("host") ?? /^[a-z]+:\/\/([^/?#]*)/i.exec(url ?? "")?.[1],
    get peer() {
      return peer();
    },
    header,
    raw,
  };
}

/** @param {Response} response @returns {WebAnswer} */
function readAnswer({ status, headers }) {
  return { status, contentType: headers.get("content-type") ?? undefined };
}

exports.readAnswer = readAnswer;
exports.readRequest = readRequest;
