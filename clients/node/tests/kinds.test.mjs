/** The kinds of events beside pageviews and custom ones, and the fields that all of them share. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { Footfall } from "@footfall/node";

import { connect, failure, startServer } from "./setup.mjs";

test("an outbound click has its address among its properties", async (t) => {
  const server = await startServer(t);

  await connect(server).outbound("https://pay.example/", { pathname: "/cart" }, { text: "Pay" });

  assert.deepEqual(server.requests[0]?.body, {
    site_id: "1",
    type: "outbound",
    pathname: "/cart",
    properties: '{"text":"Pay","url":"https://pay.example/"}',
  });
});

test("measurements stand beside the payload", async (t) => {
  const server = await startServer(t);

  await connect(server).performance({ ttfb: 120.5, cls: 0, lcp: undefined }, { pathname: "/" });

  assert.deepEqual(server.requests[0]?.body, { site_id: "1", type: "performance", ttfb: 120.5, cls: 0, pathname: "/" });
});

for (const [kind, value] of /** @type {const} */ ([
  ["outbound", ""],
  ["outbound", 5],
  ["performance", null],
  ["performance", {}],
  ["performance", { lcp: undefined }],
  ["performance", { fid: 1 }],
  ["performance", { lcp: -1 }],
  ["performance", { lcp: "1" }],
])) {
  test(`${kind}(${inspect(value)}) is refused before anything is sent`, async (t) => {
    const server = await startServer(t);

    const error = await failure(/** @type {any} */ (connect(server))[kind](value));

    assert.deepEqual([error.code, server.requests.length], ["INVALID_EVENT", 0]);
  });
}

for (const batch of [false, true]) {
  test(`an event has the name and the time that it is given, ${batch ? "in a batch" : "alone"}`, async (t) => {
    const server = await startServer(t);
    const client = connect(server, { batch });
    const timestamp = new Date("2026-11-27T10:00:00Z");

    await client.event("order", { event_id: "order 4711", timestamp }, { total: 5 });
    await client.event("order", { event_id: "order 4711", timestamp: "2026-11-27T11:00:00+01:00" });

    const [first, second] = server.requests.map(({ body }) => (batch ? body.events[0] : body));
    assert.deepEqual([...server.stored.keys()], ["order 4711"]);
    assert.deepEqual([first.event_id, first.timestamp, second.timestamp], ["order 4711", "2026-11-27T10:00:00.000Z", "2026-11-27T11:00:00+01:00"]);
  });
}

for (const payload of [{ event_id: "" }, { event_id: " a" }, { event_id: "ü" }, { event_id: "x".repeat(129) }, { timestamp: new Date(NaN) }, { timestamp: 5 }]) {
  test(`a payload ${inspect(payload)} is refused`, async (t) => {
    const server = await startServer(t);

    const error = await failure(connect(server).pageview(/** @type {any} */ (payload)));

    assert.deepEqual([error.code, server.requests.length], ["INVALID_EVENT", 0]);
  });
}

test("all events have the fields of the defaults that they do not set themselves", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { defaults: { hostname: "example.com", release: "1.4.2", user_id: null } });

  await client.pageview({ pathname: "/", release: "1.5.0", hostname: null });

  assert.deepEqual(server.requests[0]?.body, { site_id: "1", type: "pageview", hostname: "example.com", release: "1.5.0", pathname: "/" });
});

test("the constructor names defaults that are no payload", () => {
  for (const defaults of [{ pathName: "/" }, { hostname: 5 }, "x", () => ({})]) {
    const options = /** @type {any} */ ({ analyticsHost: "https://desk.example.com/api", siteId: 1, apiKey: "k", defaults });
    assert.throws(() => new Footfall(options), { name: "TypeError", message: /"defaults"/ });
  }
});

test("an exception is an event with its message, its stack and the environment", async (t) => {
  const server = await startServer(t);

  await connect(server, { environment: "staging" }).error(new RangeError("too large"), { pathname: "/cart" }, { cart: 7 });

  const { properties, ...event } = server.requests[0]?.body;
  const { stack, ...details } = JSON.parse(properties);
  assert.deepEqual(event, { site_id: "1", type: "error", event_name: "RangeError", pathname: "/cart" });
  assert.deepEqual([details.cart, details.environment, details.message, details.fileName], [7, "staging", "too large", "app:///tests/kinds.test.mjs"]);
  assert.match(stack, /^RangeError: too large\n {4}at /);
});

test("at most a hundred exceptions are sent in a minute, and the others are known", async (t) => {
  const server = await startServer(t);
  let now = 1_000_000;
  t.mock.method(Date, "now", () => now);
  /** @type {string[]} */
  const lost = [];
  const client = connect(server, { batch: true, onError: ({ code }) => lost.push(code) });

  for (let index = 0; index < 110; index += 1) void client.error(new Error("again"));
  now += 60_000;
  void client.error(new Error("later"));
  void client.pageview();
  await client.flush();

  assert.deepEqual(lost, Array(10).fill("QUEUE_FULL"));
  assert.deepEqual(client.stats, { delivered: 102, refused: 0, unknown: 0, dropped: 10, pending: 0 });
});

test("a queue holds a limited number of bytes", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { batch: true, flushInterval: 60_000, onError: () => {} });

  for (let index = 0; index < 5_000; index += 1) void client.event("big", {}, { text: "x".repeat(8_000) });

  assert.ok(client.stats.dropped > 500 && client.stats.pending * 8_000 < 16 * 1024 * 1024, inspect(client.stats));
  await client.close({ timeout: 1 });
});

test("without a queue a limited number of calls is under way", async (t) => {
  const server = await startServer(t);
  server.script = ["store-then-hang"];
  const client = connect(server, { queueSize: 1, onError: () => {} });
  void client.pageview();

  const error = await failure(client.pageview());

  assert.equal(error.code, "QUEUE_FULL");
  await client.close({ timeout: 20 });
});
