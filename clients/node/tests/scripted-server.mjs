/** A stand-in for the service that keeps its promises except where the script of a test says otherwise. */
import { once } from "node:events";
import { createServer } from "node:http";

export const KEY = "ff_test";

/** @typedef {{ status?: number, headers?: Record<string, string>, body?: unknown }} Reply */
/** @typedef {Reply | "reset" | "store-then-reset" | "store-then-hang" | "garbage" | "truncated" | "drips" | "floods"} Step */
/** @typedef {{ path: string, headers: import("node:http").IncomingHttpHeaders, body: any, at: number }} Seen */

export class ScriptedServer {
  /** @type {Step[]} one for each request to come; afterwards the server behaves */
  script = [];
  /** @type {Seen[]} */
  requests = [];
  /** @type {Map<string, any>} what is stored, by idempotency key */
  stored = new Map();
  /** @type {(event: any) => any} the result of one event of a batch; null stores it */
  judge = () => null;
  /** Milliseconds before each answer. */
  delay = 0;
  #server = createServer((request, response) => void this.#answer(request, response));

  async start() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (this.#server.address());
    this.url = `http://127.0.0.1:${port}/api`;
    return this;
  }

  async stop() {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  /** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
  async #answer(request, response) {
    const seen = await read(request);
    this.requests.push(seen);
    const step = this.script.shift();
    if (this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
    if (typeof step === "object") return reply(response, step);
    if (step === undefined) return reply(response, this.#store(seen));
    if (step.startsWith("store")) this.#store(seen);
    if (step.endsWith("reset")) response.destroy();
    if (step === "garbage") response.end("<html>Welcome to the hotel's network</html>");
    if (step === "drips" || step === "floods") answerWithoutEnd(response, step === "drips" ? 1 : 1_000_000);
    if (step === "truncated") response.writeHead(200, { "content-length": "50" }).write('{"succ', () => response.destroy());
  }

  /** @param {Seen} seen @returns {Reply} */
  #store({ path, headers, body }) {
    if (headers.authorization !== `Bearer ${KEY}`) return refusal(401, "Invalid API key");
    if (path === "/api/track") return this.#keep(String(headers["idempotency-key"]), body);
    const results = body.events.map((/** @type {any} */ event) => this.judge(event) ?? this.#keep(event.event_id, event).body);
    return { body: { success: true, results } };
  }

  /** @param {string} id @param {any} event */
  #keep(id, event) {
    if (!this.stored.has(id)) this.stored.set(id, event);
    return { body: { success: true } };
  }
}

/** @param {import("node:http").ServerResponse} response @param {number} bytes in each piece */
function answerWithoutEnd(response, bytes) {
  const timer = setInterval(() => response.write(" ".repeat(bytes)), 20);
  response.on("close", () => clearInterval(timer));
}

/** @param {number} status @param {string} error @param {object} [details] @returns {Reply} */
export function refusal(status, error, details) {
  return { status, body: { success: false, error, ...(details && { details }) } };
}

/** @param {import("node:http").IncomingMessage} request @returns {Promise<Seen>} */
async function read(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return { path: String(request.url), headers: request.headers, body: JSON.parse(text), at: Date.now() };
}

/** @param {import("node:http").ServerResponse} response @param {Reply} reply */
function reply(response, { status = 200, headers = {}, body }) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
