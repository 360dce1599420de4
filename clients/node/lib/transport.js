/** One HTTP exchange: sends a body and returns the response, or the reason why there is none. */
"use strict";

const { version } = require("../package.json");

/** @import { ServiceResponse } from "./service-response.js" */
/** @import { Log } from "./log.js" */
/** @import { Settings } from "./options.js" */
// The service answers a batch in a tenth of it; a server that is none could send without end.
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** @typedef {{ url: string, method: string, headers: Record<string, string>, body: string, redirect: "manual" }} HttpRequest */

class Transport {
  #headers;
  #host;
  #log;
  #timeout;
  #deadline;

  /**
   * @param {Settings} settings
   * @param {Log} log
   * @param {(timeout: number, closing?: AbortSignal) => { signal: AbortSignal, clear: () => void }} [limit]
   */
  constructor({ analyticsHost, apiKey, timeout }, log, limit = deadline) {
    this.#deadline = limit;
    this.#host = analyticsHost;
    this.#timeout = timeout;
    this.#log = log;
    this.#headers = {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "user-agent": `footfall-node/${version}`,
    };
  }

  /**
   * Never rejects: a failed exchange is a response without a status.
   *
   * @param {string} path
   * @param {string} body
   * @param {{ headers?: Record<string, string>, closing?: AbortSignal | undefined }} context
   * @returns {Promise<ServiceResponse>}
   */
  async post(path, body, { headers = {}, closing }) {
    const started = Date.now();
    const response = await this.#exchange(path, body, { headers, closing });
    this.#log(() => `POST ${path}: ${response.status ?? response.fault} after ${Date.now() - started} ms`);
    return response;
  }

  /** @param {string} path @param {string} body @param {Record<string, string>} [headers] @returns {HttpRequest} */
  describe(path, body, headers) {
    // A followed redirect would turn the request into a GET or take the key elsewhere.
    return { url: this.#host + path, method: "POST", headers: { ...this.#headers, ...headers }, body, redirect: "manual" };
  }

  /** @param {string} path @param {string} body @param {{ headers: Record<string, string>, closing?: AbortSignal | undefined }} context */
  async #exchange(path, body, { headers, closing }) {
    const limit = this.#deadline(this.#timeout, closing);
    try {
      const { url, ...request } = this.describe(path, body, headers);
      return await readResponse(await fetch(url, { ...request, signal: limit.signal }));
    } catch (error) {
      return noResponse(limit.signal.aborted ? limit.signal.reason : error);
    } finally {
      limit.clear();
    }
  }
}

/** @param {number} timeout @param {AbortSignal} [closing] */
function deadline(timeout, closing) {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error("the client was closed"));
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeout} ms`)), timeout);
  closing?.addEventListener("abort", stop, { once: true });
  if (closing?.aborted) stop();
  const clear = () => {
    clearTimeout(timer);
    closing?.removeEventListener("abort", stop);
  };
  return { signal: controller.signal, clear };
}

/** @param {Response} received @returns {Promise<ServiceResponse>} */
async function readResponse(received) {
  const text = await textOf(received);
  const retryAfter = readRetryAfter(received.headers.get("retry-after"));
  return { status: received.status, body: parseObject(text), retryAfter };
}

/** @param {Response} received */
async function textOf({ body }) {
  const [decoder, reader] = [new TextDecoder(), body?.getReader()];
  let text = "";
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length <= MOST_CHARACTERS) continue;
    await reader?.cancel();
    throw new Error("the answer is too long");
  }
  return text;
}

/** @param {string} text */
function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** Seconds or a date. @param {string | null} header */
function readRetryAfter(header) {
  if (header === null || header.trim() === "") return null;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

/** The cause of an error of fetch() has the details. @param {any} error @returns {ServiceResponse} */
function noResponse(error) {
  const details = error?.cause?.message || error?.cause?.code || error?.message || String(error);
  // Of a host with several addresses only the code tells it: the message is empty.
  const fault = error?.cause?.code === "ECONNREFUSED" ? `the connection was refused (${details})` : details;
  return { status: null, body: null, retryAfter: null, fault, cause: error };
}

exports.parseObject = parseObject;
exports.Transport = Transport;
