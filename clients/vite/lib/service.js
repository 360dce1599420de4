/** Requests to the service: within one time for all of them, repeated while it is busy. */

import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compressed = promisify(gzip);
const MOST_BYTES = 32 << 20;
const MOST_SENT = 16 << 20;
const ATTEMPT_MS = 60_000;
const PAUSES_MS = [1_000, 3_000, 9_000];
const BUSY = new Set([408, 429, 500, 502, 503, 504]);
/** Refusals of one file, also of one for which there is no room; all others would meet the next file, too. */
const OF_ONE_FILE = new Set([400, 409, 413]);

/** Nothing more can be sent; the message is for the user, and never holds the key. */
export class Failure extends Error {}

/** A connection to one site of a service. */
export class Service {
  #key;
  #address;
  #limit;
  #pauses;

  constructor({ url, site, timeout }, key, pauses = PAUSES_MS) {
    this.#key = key;
    this.#address = `${url.replace(/\/$/, '')}/api/sites/${encodeURIComponent(site)}`;
    this.#limit = AbortSignal.timeout(timeout * 1_000);
    this.#pauses = pauses;
  }

  /**
   * Upload a file with its map, and return whether it is new, or why the service does not take it.
   *
   * @returns {Promise<{ stored?: boolean, refused?: string }>}
   */
  async upload(release, { name, code, map }) {
    if (Buffer.byteLength(code) + Buffer.byteLength(map) > MOST_BYTES) return { refused: 'the file and its map have more than 32 MiB' };
    const query = new URLSearchParams({ release, file: name });
    const body = await compressed(JSON.stringify({ code, map }));
    if (body.length > MOST_SENT) return { refused: 'the file and its map have more than 16 MiB when they are compressed' };
    const { status, document, message } = await this.#ask('PUT', `source-maps?${query}`, body, { 'Content-Encoding': 'gzip' });
    if (OF_ONE_FILE.has(status)) return { refused: message };
    return { stored: document.stored === true };
  }

  /** Mark a deploy of a release. One whose answer is lost is not sent again, since it may have been marked. */
  async mark(release, text) {
    const body = JSON.stringify(text === undefined ? { release } : { release, text });
    const { status, message } = await this.#ask('POST', 'releases', body, {}, { once: true });
    if (OF_ONE_FILE.has(status)) throw new Failure(message);
  }

  async #ask(method, path, body, headers, { once = false } = {}) {
    for (let attempt = 0; ; attempt += 1) {
      const { response, fault } = await this.#attempt(method, path, body, headers);
      const wait = this.#pauses[attempt];
      const again = response ? BUSY.has(response.status) && !(once && ![429, 503].includes(response.status)) : !once;
      if (!again || wait === undefined) return this.#read(response, fault);
      await this.#pause(Math.max(wait, retryAfter(response)));
    }
  }

  async #attempt(method, path, body, headers) {
    try {
      const response = await fetch(`${this.#address}/${path}`, {
        method,
        body,
        headers: { Authorization: `Bearer ${this.#key}`, 'Content-Type': 'application/json', ...headers },
        redirect: 'manual',
        signal: AbortSignal.any([this.#limit, AbortSignal.timeout(ATTEMPT_MS)]),
      });
      return { response: { status: response.status, headers: response.headers, text: await response.text() } };
    } catch (error) {
      if (this.#limit.aborted) throw new Failure('the time for all requests is over');
      return { fault: error.name === 'TimeoutError' ? 'no answer in time' : String(error.cause?.code ?? error.message) };
    }
  }

  #read(response, fault) {
    if (response === undefined) throw new Failure(`${new URL(this.#address).origin} does not answer: ${fault}`);
    const { status } = response;
    const document = parsed(response.text);
    const success = status >= 200 && status < 300 && document.success === true;
    const message = told(document) ?? `${new URL(this.#address).origin} answered ${status} without a message`;
    if (!success && !OF_ONE_FILE.has(status)) throw new Failure(message);
    return { status, document, message };
  }

  async #pause(milliseconds) {
    try {
      await pause(milliseconds, undefined, { signal: this.#limit });
    } catch {
      throw new Failure('the time for all requests is over');
    }
  }
}

function retryAfter(response) {
  const seconds = Number(response?.headers.get('Retry-After'));
  return Number.isFinite(seconds) ? Math.min(seconds, 30) * 1_000 : 0;
}

function parsed(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function told({ error, details }) {
  if (typeof error !== 'string') return undefined;
  const faults = Object.entries(Object(details?.fieldErrors)).map(([name, texts]) => `${name} ${[texts].flat().join(', ')}`);
  return [error, ...(faults.length ? [faults.join('; ')] : [])].join(': ');
}
