/** One HTTP exchange: a body goes out, an answer or the reason for its absence comes back. */
"use strict";

const { version } = require("../package.json");

/** @import { Answer } from "./answer.js" */
/** @import { Settings } from "./options.js" */

class Transport {
  #headers;
  #host;
  #log;
  #timeout;

  /** @param {Settings} settings @param {(line: string) => void} log */
  constructor({ analyticsHost, apiKey, timeout }, log) {
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
   * Never rejects: a failed exchange is an answer without a status.
   *
   * @param {string} path
   * @param {string} body
   * @param {{ headers?: Record<string, string>, closing: AbortSignal }} context
   * @returns {Promise<Answer>}
   */
  async post(path, body, { headers = {}, closing }) {
    const started = Date.now();
    const answer = await this.#exchange(path, body, { headers, closing });
    this.#log(`POST ${path}: ${answer.status ?? answer.fault} after ${Date.now() - started} ms`);
    return answer;
  }

  /** @param {string} path @param {string} body @param {{ headers: Record<string, string>, closing: AbortSignal }} context */
  async #exchange(path, body, { headers, closing }) {
    const limit = deadline(this.#timeout, closing);
    try {
      return await readAnswer(
        await fetch(this.#host + path, {
          method: "POST",
          headers: { ...this.#headers, ...headers },
          body,
          // A followed redirect would turn the request into a GET or take the key elsewhere.
          redirect: "manual",
          signal: limit.signal,
        }),
      );
    } catch (error) {
      return noAnswer(limit.signal.aborted ? limit.signal.reason : error);
    } finally {
      limit.clear();
    }
  }
}

/** @param {number} timeout @param {AbortSignal} closing */
function deadline(timeout, closing) {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error("the client was closed"));
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeout} ms`)), timeout);
  closing.addEventListener("abort", stop, { once: true });
  if (closing.aborted) stop();
  const clear = () => {
    clearTimeout(timer);
    closing.removeEventListener("abort", stop);
  };
  return { signal: controller.signal, clear };
}

/** @param {Response} response @returns {Promise<Answer>} */
async function readAnswer(response) {
  const text = await response.text();
  const retryAfter = readRetryAfter(response.headers.get("retry-after"));
  return { status: response.status, body: parseObject(text), retryAfter };
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

/** fetch() hides what happened in the cause. @param {any} error @returns {Answer} */
function noAnswer(error) {
  const fault = error?.cause?.message || error?.cause?.code || error?.message || String(error);
  return { status: null, body: null, retryAfter: null, fault, cause: error };
}

exports.Transport = Transport;
