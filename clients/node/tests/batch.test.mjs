import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";

import { refusal } from "./scripted-server.mjs";
import { connect, failure, startServer } from "./setup.mjs";

test("calls are gathered into one request, each with its event_id and timestamp, in order", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { batch: true });

  await Promise.all(["/a", "/b", "/c"].map((pathname) => client.pageview({ pathname })));

  assert.deepEqual(server.requests.map(({ path }) => path), ["/api/track/batch"]);
  const { events } = server.requests[0]?.body;
  assert.deepEqual(events.map((/** @type {any} */ { pathname }) => pathname), ["/a", "/b", "/c"]);
  assert.equal(new Set(events.map((/** @type {any} */ { event_id }) => event_id)).size, 3);
  for (const { timestamp } of events) assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("a request holds at most batchSize events", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { batch: true, batchSize: 4 });

  for (let index = 0; index < 10; index += 1) void client.pageview();
  await client.flush();

  assert.deepEqual(server.requests.map(({ body }) => body.events.length), [4, 4, 2]);
});

test("a request stays under 128 KiB", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { batch: true });

  for (let index = 0; index < 50; index += 1) void client.event("big", {}, { text: "ü".repeat(4_000) });
  await client.flush();

  const sizes = server.requests.map(({ headers }) => Number(headers["content-length"]));
  assert.equal(server.stored.size, 50);
  assert.ok(sizes.length > 1 && Math.max(...sizes) <= 128 * 1024, String(sizes));
});

test("one bad event of a batch is refused alone", async (t) => {
  const server = await startServer(t);
  const details = { fieldErrors: { language: ["is too long"] }, formErrors: [] };
  server.judge = ({ pathname }) => (pathname === "/bad" ? { success: false, status: 400, error: "Invalid payload", details } : null);
  /** @type {any[]} */
  const heard = [];
  const client = connect(server, { batch: true, onError: (error, event) => heard.push([error.message, event?.pathname]) });

  const calls = ["/a", "/bad", "/c"].map((pathname) => client.pageview({ pathname }));

  const error = await failure(/** @type {any} */ (calls[1]));
  assert.deepEqual([error.status, error.outcome, error.details], [400, "refused", details]);
  await Promise.all([calls[0], calls[2]]);
  assert.deepEqual(heard, [["Invalid payload", "/bad"]]);
  assert.equal(server.requests.length, 1);
});

test("only the events whose results ask for it are sent again", async (t) => {
  const server = await startServer(t);
  let busy = true;
  server.judge = ({ pathname }) => (pathname === "/b" && busy ? { success: false, status: 503, error: "Temporarily unavailable" } : null);
  const client = connect(server, { batch: true, onError: () => (busy = true) });

  const calls = ["/a", "/b"].map((pathname) => client.pageview({ pathname }));
  await calls[0];
  busy = false;
  await calls[1];

  assert.deepEqual(server.requests.map(({ body }) => body.events.length), [2, 1]);
  assert.equal(server.stored.size, 2);
});

/** @type {import("./scripted-server.mjs").Step[]} */
const FAULTS = ["reset", "store-then-reset", "garbage", "truncated", { body: { success: true } }, { body: { success: true, results: [] } }, { status: 502, body: "" }];

for (const fault of FAULTS) {
  test(`after ${JSON.stringify(fault)} a batch is sent again and each event is stored once`, async (t) => {
    const server = await startServer(t);
    server.script = [fault];
    const client = connect(server, { batch: true });

    await Promise.all([client.pageview(), client.pageview()]);

    assert.deepEqual([server.requests.length, server.stored.size], [2, 2]);
    assert.deepEqual(server.requests[0]?.body, server.requests[1]?.body);
  });
}

test("a batch whose confirmation never comes is reported event by event, its outcome unknown", async (t) => {
  const server = await startServer(t);
  server.script = Array(4).fill("store-then-reset");
  /** @type {any[]} */
  const heard = [];
  const client = connect(server, { batch: true, onError: ({ outcome }, event) => heard.push([outcome, event?.pathname]) });

  for (const pathname of ["/a", "/b"]) void client.pageview({ pathname });
  await client.flush();

  assert.deepEqual(heard, [["unknown", "/a"], ["unknown", "/b"]]);
  assert.deepEqual(client.stats, { delivered: 0, refused: 0, unknown: 2, dropped: 0, pending: 0 });
});

test("a refused batch refuses each of its events", async (t) => {
  const server = await startServer(t);
  server.script = [refusal(401, "Invalid API key")];
  const client = connect(server, { batch: true, onError: () => {} });

  const errors = await Promise.all([failure(client.pageview()), failure(client.pageview())]);

  assert.deepEqual(errors.map(({ status, outcome }) => [status, outcome]), [[401, "refused"], [401, "refused"]]);
});

test("a full queue refuses the newest event and reports it", async (t) => {
  const server = await startServer(t);
  /** @type {any[]} */
  const heard = [];
  const client = connect(server, { batch: true, queueSize: 2, onError: ({ code }, event) => heard.push([code, event?.pathname]) });

  for (const pathname of ["/a", "/b", "/c"]) void client.pageview({ pathname });
  await client.flush();

  assert.deepEqual(heard, [["QUEUE_FULL", "/c"]]);
  assert.deepEqual(client.stats, { delivered: 2, refused: 0, unknown: 0, dropped: 1, pending: 0 });
});

test("the queue counts the events under way", async (t) => {
  const server = await startServer(t);
  server.script = ["store-then-hang"];
  const client = connect(server, { batch: true, batchSize: 2, queueSize: 2, onError: () => {} });
  for (const pathname of ["/a", "/b"]) void client.pageview({ pathname });

  const error = await failure(client.pageview());

  assert.equal(error.code, "QUEUE_FULL");
  await client.close({ timeout: 20 });
});

test("steady traffic costs one request in an interval, however quick the service is", async (t) => {
  const server = await startServer(t);
  server.delay = 20;
  const client = connect(server, { batch: true, flushInterval: 100 });

  for (let index = 0; index < 50; index += 1) {
    void client.pageview();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await client.flush();

  assert.equal(server.stored.size, 50);
  assert.ok(server.requests.length <= 8, String(server.requests.length));
});

test("a delivery is not part of the request in which it began, whose frameworks and tracers see fetch()", async (t) => {
  const server = await startServer(t);
  const storage = new AsyncLocalStorage();
  const { fetch } = globalThis;
  /** @type {unknown[]} */
  const seen = [];
  t.mock.method(globalThis, "fetch", (/** @type {Parameters<typeof fetch>} */ ...given) => {
    seen.push(storage.getStore());
    return fetch(...given);
  });
  const client = connect(server, { batch: true, batchSize: 2 });

  await storage.run("a request", () => Promise.all([client.pageview(), client.pageview(), client.pageview()]));

  assert.deepEqual(seen, [undefined, undefined]);
});

test("flush waits for the events before it and does not wait for the interval", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { batch: true, flushInterval: 60_000 });
  void client.pageview();

  await client.flush();

  assert.equal(server.stored.size, 1);
});

test("close sends what waits and takes nothing more", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { batch: true, flushInterval: 60_000, onError: () => {} });
  void client.pageview();

  await client.close();

  assert.equal(server.stored.size, 1);
  assert.equal((await failure(client.pageview())).code, "CLOSED");
  await client.close();
});

test("close with a timeout gives up the rest and tells what was sent from what was not", async (t) => {
  const server = await startServer(t);
  server.script = ["store-then-hang"];
  const client = connect(server, { batch: true, batchSize: 1, onError: () => {} });
  const calls = [failure(client.pageview()), failure(client.pageview())];

  await client.close({ timeout: 50 });

  const errors = await Promise.all(calls);
  assert.deepEqual(errors.map(({ code, outcome }) => [code, outcome]), [["UNCONFIRMED", "unknown"], ["CLOSED", "refused"]]);
  assert.deepEqual(client.stats, { delivered: 0, refused: 0, unknown: 1, dropped: 1, pending: 0 });
});

test("a failing onError neither stops the queue nor goes unnoticed", async (t) => {
  const server = await startServer(t);
  server.script = [refusal(400, "Invalid payload")];
  const written = t.mock.method(console, "error", () => {});
  const client = connect(server, {
    batch: true,
    onError: () => {
      throw new Error("handler broke");
    },
  });

  await failure(client.pageview());
  await client.pageview();

  assert.match(String(written.mock.calls[0]?.arguments[1]), /handler broke/);
});

test("without onError a loss is written to the console, gathered", async (t) => {
  const server = await startServer(t);
  server.script = [refusal(401, "Invalid API key")];
  const written = t.mock.method(console, "warn", () => {});
  const client = connect(server, { batch: true });

  for (let index = 0; index < 3; index += 1) void client.pageview();
  await client.close();

  const lines = written.mock.calls.map(({ arguments: [line] }) => line);
  assert.deepEqual(lines, ["[footfall] 3 event(s) not delivered, the last one: Invalid API key"]);
});
