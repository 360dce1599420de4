/** What every test starts with: a scripted server and clients that are quick to repeat. */
import { Footfall } from "@footfall/node";

import { KEY, ScriptedServer } from "./scripted-server.mjs";

/** @param {import("node:test").TestContext} t */
export async function startServer(t) {
  const server = await new ScriptedServer().start();
  t.after(() => server.stop());
  return server;
}

/** @param {ScriptedServer} server @param {Partial<import("@footfall/node").Options>} [options] */
export function connect(server, options = {}) {
  const analyticsHost = String(server.url);
  return new Footfall({ analyticsHost, siteId: 1, apiKey: KEY, retryDelay: 5, flushInterval: 10, ...options });
}

/** The error that a call ends with; fails when it is delivered. @param {Promise<unknown>} call */
export async function failure(call) {
  const outcome = await call.then(
    () => null,
    (error) => error,
  );
  if (outcome === null) throw new Error("the call was expected to be rejected");
  return /** @type {import("@footfall/node").FootfallError} */ (outcome);
}
