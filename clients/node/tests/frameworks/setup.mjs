/** Starts an application of the tests with a client of a scripted server, and asks it as browsers do. */
import { once } from "node:events";
import { request } from "node:http";

import { Footfall } from "@footfall/node";

import { KEY } from "../scripted-server.mjs";
import { startServer } from "../setup.mjs";

export const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
/** `tracker`: handlers have one; `ends`: an answer counts at its end; `raw`: headers of writeHead() are seen. */
export const FRAMEWORKS = /** @type {const} */ ({
  express: { tracker: true, ends: true, raw: true },
  fastify: { tracker: true, ends: true, raw: false },
  hono: { tracker: true, ends: false, raw: true },
  http: { tracker: false, ends: true, raw: true },
});

/** @param {import("node:test").TestContext} t @param {string} framework @param {object} [options] */
export async function startApp(t, framework, options = {}) {
  const service = await startServer(t);
  /** @type {any[]} */
  const lost = [];
  const client = new Footfall({
    analyticsHost: String(service.url),
    siteId: 1,
    apiKey: KEY,
    batch: true,
    flushInterval: 5,
    environment: "production",
    defaults: { release: "1.4.2" },
    onError: (error) => lost.push(error.message),
  });
  const { start } = await import(`./apps/${framework}.mjs`);
  const server = await start({ client, ...options });
  if (!server.listening) await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  t.after(close);
  const port = server.address().port;
  return {
    port,
    client,
    lost,
    close,
    get: (/** @type {string} */ path, headers = {}) => ask(port, { path, headers }),
    ask: (/** @type {object} */ given) => ask(port, given),
    /** All events that are stored once the client has sent them. */
    async events() {
      // The server is done with an answer a moment after the visitor has it.
      await new Promise((resolve) => setTimeout(resolve, 20));
      await client.flush();
      return [...service.stored.values()];
    },
  };
}

/** @param {number} port @param {{ path?: string, method?: string, headers?: Record<string, any>, abort?: boolean }} given */
export function ask(port, { path = "/", method = "GET", headers = {}, abort = false }) {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, method, headers: { host: "shop.example:8080", "user-agent": FIREFOX, ...headers } });
    sent.on("response", async (response) => {
      let text = "";
      try {
        for await (const chunk of response) {
          text += chunk;
          if (abort) response.destroy();
        }
      } catch (error) {
        if (!abort) reject(error);
      }
      resolve({ status: response.statusCode, headers: response.headers, text });
    });
    sent.on("error", reject);
    // A connection that a killed process had accepted may never be answered.
    sent.setTimeout(5_000, () => sent.destroy(new Error("no answer")));
    sent.end();
  });
}
