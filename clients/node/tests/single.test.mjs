import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { FootfallError } from "@footfall/node";

import { refusal } from "./scripted-server.mjs";
import { connect, failure, startServer } from "./setup.mjs";

test("a pageview goes out with its payload, the site and the bearer key", async (t) => {
  const server = await startServer(t);
  const payload = { hostname: "example.com", pathname: "/shop", screenWidth: 1920, release: "1.4.2", ip_address: "192.0.2.1" };

  const receipt = await connect(server).pageview(payload);

  assert.deepEqual(receipt, { message: null });
  const [request] = server.requests;
  assert.equal(request?.path, "/api/track");
  assert.equal(request?.headers.authorization, "Bearer ff_test");
  assert.equal(request?.headers["content-type"], "application/json");
  assert.deepEqual(request?.body, { site_id: "1", type: "pageview", ...payload });
});

test("a pageview needs no payload", async (t) => {
  const server = await startServer(t);

  await connect(server).pageview();

  assert.deepEqual(server.requests[0]?.body, { site_id: "1", type: "pageview" });
});

test("fields of the payload that are null or undefined are left out", async (t) => {
  const server = await startServer(t);

  await connect(server).pageview({ pathname: "/", referrer: null, user_id: undefined });

  assert.deepEqual(server.requests[0]?.body, { site_id: "1", type: "pageview", pathname: "/" });
});

test("the properties of an event are serialized into a string", async (t) => {
  const server = await startServer(t);
  const properties = { plan: "pro", seats: 3, trial: false, tags: ["a", 1, true] };

  await connect(server).event("signup", { pathname: "/join" }, properties);

  const { properties: sent, ...rest } = server.requests[0]?.body;
  assert.deepEqual(rest, { site_id: "1", type: "custom_event", event_name: "signup", pathname: "/join" });
  assert.equal(typeof sent, "string");
  assert.deepEqual(JSON.parse(sent), properties);
});

test("an event without properties sends none", async (t) => {
  const server = await startServer(t);

  await connect(server).event("signup");

  assert.deepEqual(server.requests[0]?.body, { site_id: "1", type: "custom_event", event_name: "signup" });
});

for (const [step, timeout, fault] of /** @type {const} */ ([["drips", 300, /no answer within/], ["floods", 60_000, /too long/]])) {
  test(`an answer that ${step} without an end is given up`, async (t) => {
    const server = await startServer(t);
    server.script = [step];

    const error = await failure(connect(server, { timeout, retries: 0 }).pageview());

    assert.equal(error.code, "UNCONFIRMED");
    assert.match(error.message, fault);
  });
}

test("the service's remark on an event that was not counted reaches the caller", async (t) => {
  const server = await startServer(t);
  server.script = [{ body: { success: true, message: "Event not tracked - IP excluded" } }];

  const receipt = await connect(server).pageview();

  assert.equal(receipt.message, "Event not tracked - IP excluded");
});

test("a refusal rejects with status, message and details, and is not repeated", async (t) => {
  const server = await startServer(t);
  const details = { fieldErrors: { hostname: ["is too long"] }, formErrors: [] };
  server.script = [refusal(400, "Invalid payload", details)];

  const error = await failure(connect(server).pageview({ hostname: "x".repeat(300) }));

  assert.ok(error instanceof FootfallError && error instanceof Error);
  const { name, code, outcome, status, message, attempts } = error;
  assert.deepEqual(
    { name, code, outcome, status, message, attempts, details: error.details },
    { name: "FootfallError", code: "REFUSED", outcome: "refused", status: 400, message: "Invalid payload", attempts: 1, details },
  );
  assert.equal(server.requests.length, 1);
});

for (const status of [401, 403, 404, 409, 413]) {
  test(`status ${status} is a refusal`, async (t) => {
    const server = await startServer(t);
    server.script = [refusal(status, "No")];

    const error = await failure(connect(server).pageview());

    assert.deepEqual([error.outcome, error.status, server.requests.length], ["refused", status, 1]);
  });
}

test("a redirect is not followed, so the key goes nowhere else", async (t) => {
  const server = await startServer(t);
  server.script = [{ status: 302, headers: { location: `${server.url}/elsewhere` }, body: "" }];

  const error = await failure(connect(server).pageview());

  assert.deepEqual([error.outcome, error.status, server.requests.length], ["refused", 302, 1]);
});

/** @type {import("./scripted-server.mjs").Step[]} */
const FAULTS = ["reset", "store-then-reset", "store-then-hang", "garbage", "truncated", { status: 500, body: "oops" }, refusal(503, "Temporarily unavailable")];

for (const fault of FAULTS) {
  test(`after ${JSON.stringify(fault)} the event is sent again under the same key and stored once`, async (t) => {
    const server = await startServer(t);
    server.script = [fault, fault];

    await connect(server, { timeout: 200 }).pageview({ pathname: "/once" });

    const keys = new Set(server.requests.map(({ headers }) => headers["idempotency-key"]));
    assert.deepEqual([server.requests.length, keys.size, server.stored.size], [3, 1, 1]);
    assert.match(String([...keys][0]), /^[\x21-\x7e]{1,128}$/);
  });

  test(`when ${JSON.stringify(fault)} goes on the call ends after three repetitions, its outcome unknown`, async (t) => {
    const server = await startServer(t);
    server.script = [fault, fault, fault, fault];

    const error = await failure(connect(server, { timeout: 200 }).pageview());

    assert.deepEqual([error.code, error.outcome, error.attempts], ["UNCONFIRMED", "unknown", 4]);
    assert.equal(server.requests.length, 4);
  });
}

test("two events carry two idempotency keys", async (t) => {
  const server = await startServer(t);
  const client = connect(server);

  await Promise.all([client.pageview(), client.pageview()]);

  assert.equal(server.stored.size, 2);
});

test("a refusal after an unconfirmed attempt leaves the outcome unknown", async (t) => {
  const server = await startServer(t);
  server.script = ["store-then-reset", refusal(401, "Invalid API key")];

  const error = await failure(connect(server).pageview());

  assert.deepEqual([error.outcome, error.status, server.stored.size], ["unknown", 401, 1]);
});

test("nothing listening is an unconfirmed delivery that names the cause", async () => {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  const client = connect(/** @type {any} */ ({ url: `http://127.0.0.1:${port}/api` }));

  const error = await failure(client.pageview());

  assert.deepEqual([error.outcome, error.status, error.attempts], ["unknown", null, 4]);
  assert.match(error.message, /the connection was refused \(.*ECONNREFUSED/);
});

test("a rate limit is waited out as long as Retry-After says", async (t) => {
  const server = await startServer(t);
  server.script = [{ ...refusal(429, "Rate limit exceeded."), headers: { "retry-after": "1" } }];

  await connect(server).pageview();

  const [first, second] = server.requests.map(({ at }) => at);
  assert.ok(Number(second) - Number(first) >= 990);
});

test("Retry-After may be a date", async (t) => {
  const server = await startServer(t);
  const date = new Date(Date.now() + 2_000).toUTCString();
  server.script = [{ ...refusal(503, "Temporarily unavailable"), headers: { "retry-after": date } }];

  await connect(server).pageview();

  assert.ok(Number(server.requests[1]?.at) >= Date.parse(date));
});

test("a Retry-After beyond what the caller would wait ends the call as refused", async (t) => {
  const server = await startServer(t);
  server.script = [{ ...refusal(429, "Rate limit exceeded."), headers: { "retry-after": "600" } }];

  const error = await failure(connect(server).pageview());

  assert.deepEqual([error.outcome, error.status, error.message], ["refused", 429, "Rate limit exceeded."]);
  assert.equal(server.requests.length, 1);
});

test("a rate limit that does not end is a refusal", async (t) => {
  const server = await startServer(t);
  server.script = Array(4).fill(refusal(429, "Rate limit exceeded."));

  const error = await failure(connect(server).pageview());

  assert.deepEqual([error.outcome, error.attempts], ["refused", 4]);
});

test("with retries 0 an event is sent once", async (t) => {
  const server = await startServer(t);
  server.script = ["reset"];

  await failure(connect(server, { retries: 0 }).pageview());

  assert.equal(server.requests.length, 1);
});

test("onError reports a failed single call that is not awaited", async (t) => {
  const server = await startServer(t);
  server.script = [refusal(403, "Access denied")];
  /** @type {any[]} */
  const heard = [];
  const client = connect(server, { onError: (error, event) => heard.push([error.message, event?.pathname]) });

  void client.pageview({ pathname: "/lost" });
  await client.flush();

  assert.deepEqual(heard, [["Access denied", "/lost"]]);
});

test("the numbers add up to the calls made", async (t) => {
  const server = await startServer(t);
  server.script = [refusal(400, "Invalid payload"), "reset"];
  const client = connect(server, { retries: 0, onError: () => {} });

  await failure(client.pageview());
  await failure(client.pageview());
  await client.pageview();
  await client.close();
  await failure(client.pageview());

  assert.deepEqual(client.stats, { delivered: 1, refused: 1, unknown: 1, dropped: 1, pending: 0 });
});

test("close gives up a call that hangs, and says that its outcome is unknown", async (t) => {
  const server = await startServer(t);
  server.script = ["store-then-hang"];
  const client = connect(server);
  const call = failure(client.pageview());

  await client.close({ timeout: 50 });

  const error = await call;
  assert.deepEqual([error.code, error.outcome, client.stats.pending], ["UNCONFIRMED", "unknown", 0]);
  assert.match(error.message, /closed/);
});

test("debug writes each event and exchange to the console, without key and address", async (t) => {
  const server = await startServer(t);
  const log = t.mock.method(console, "log", () => {});

  await connect(server, { debug: true }).pageview({ pathname: "/seen", ip_address: "192.0.2.77" });

  const lines = log.mock.calls.map(({ arguments: [line] }) => String(line)).join("\n");
  assert.match(lines, /"pathname":"\/seen"/);
  assert.match(lines, /POST \/track: 200 after \d+ ms/);
  assert.ok(!lines.includes("ff_test") && !lines.includes("192.0.2.77"));
});

test("without debug nothing is written", async (t) => {
  const server = await startServer(t);
  const log = t.mock.method(console, "log", () => {});

  await connect(server).pageview();

  assert.equal(log.mock.callCount(), 0);
});
