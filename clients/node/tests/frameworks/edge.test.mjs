/** On an edge runtime: fetch() alone, no timers, and an end that waits for what `waitUntil` was given. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { EdgeRuntime } from "edge-runtime";
import { build } from "esbuild";

import { refusal } from "../scripted-server.mjs";
import { startServer } from "../setup.mjs";
import { FIREFOX } from "./setup.mjs";

/** @param {import("node:test").TestContext} t */
async function startEdge(t) {
  const service = await startServer(t);
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL("apps/edge.mjs", import.meta.url))],
    bundle: true,
    write: false,
    // A module of Node.js in the bundle is an error.
    platform: "browser",
    conditions: ["edge-light", "workerd"],
    define: { SERVICE: JSON.stringify(service.url) },
  });
  const runtime = new EdgeRuntime({ initialCode: String(bundle.outputFiles[0]?.text) });
  const headers = { "user-agent": FIREFOX, "x-forwarded-for": "192.0.2.66, 203.0.113.9" };
  return {
    service,
    async get(/** @type {string} */ path) {
      const started = performance.now();
      const response = await runtime.dispatchFetch(`https://shop.example${path}`, { headers });
      const took = performance.now() - started;
      await response.waitUntil();
      return { status: response.status, took, text: await response.text() };
    },
  };
}

test("pages, events and exceptions are sent while the runtime waits", async (t) => {
  const edge = await startEdge(t);

  const statuses = [];
  for (const path of ["/own/page?a=1", "/own/throw", "/user", "/data", "/throw/error", "/missing"]) statuses.push((await edge.get(path)).status);

  const events = [...edge.service.stored.values()];
  assert.deepEqual(statuses, [200, 500, 200, 200, 500, 404]);
  assert.deepEqual(events.map(({ type, event_name, pathname, querystring }) => [type, event_name, pathname, querystring]), [
    ["custom_event", "sign up", "/own/page", "a=1"],
    ["pageview", undefined, "/own/page", "a=1"],
    ["error", "RangeError", "/own/throw", undefined],
    ["pageview", undefined, "/user", undefined],
    ["error", "RangeError", "/throw/error", undefined],
  ]);
  for (const { hostname, ip_address, user_agent } of events) assert.deepEqual([hostname, ip_address, user_agent], ["shop.example", "203.0.113.9", FIREFOX]);
});

test("a service that fails once gets the event again at once, under the same name", async (t) => {
  const edge = await startEdge(t);
  edge.service.script = [refusal(503, "Temporarily unavailable")];

  await edge.get("/");

  const names = edge.service.requests.map(({ headers }) => headers["idempotency-key"]);
  assert.deepEqual([names.length, new Set(names).size, edge.service.stored.size], [2, 1, 1]);
});

test("a service that hangs, refuses or is limited costs the answer nothing, and the loss is known", async (t) => {
  const edge = await startEdge(t);
  edge.service.script = ["store-then-hang", "store-then-hang", { ...refusal(429, "Rate limit exceeded."), headers: { "retry-after": "5" } }, refusal(401, "Invalid API key")];

  const answers = [];
  for (let count = 0; count < 4; count += 1) answers.push(await edge.get("/"));

  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200, 200]);
  assert.ok(Math.max(...answers.map(({ took }) => took)) < 150, JSON.stringify(answers));
  assert.deepEqual(JSON.parse((await edge.get("/stats")).text), { delivered: 1, refused: 2, unknown: 1, dropped: 0, pending: 0 });
});
