import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { connect, failure, startServer } from "./setup.mjs";

const SPARSE = [1, 2];
delete SPARSE[0];

/** @type {unknown[]} */
const REFUSED_VALUES = [null, NaN, Infinity, 1n, Symbol("s"), () => 1, {}, { a: 1 }, new Date(0), [null], [undefined], [[1]], [{}], [NaN], SPARSE];

for (const value of REFUSED_VALUES) {
  test(`a property ${inspect(value)} is refused before anything is sent`, async (t) => {
    const server = await startServer(t);

    const error = await failure(connect(server).event("signup", {}, /** @type {any} */ ({ fine: 1, odd: value })));

    assert.deepEqual([error.code, error.outcome, error.status], ["INVALID_EVENT", "refused", null]);
    assert.deepEqual(Object.keys(error.details?.fieldErrors ?? {}), ["properties.odd"]);
    assert.equal(server.requests.length, 0);
  });
}

for (const properties of ["text", 1, true, [1], new Map(), new (class Plan {})()]) {
  test(`properties that are ${inspect(properties)} are refused`, async (t) => {
    const server = await startServer(t);

    const error = await failure(connect(server).event("signup", {}, /** @type {any} */ (properties)));

    assert.match(error.message, /^properties must be an object/);
    assert.equal(server.requests.length, 0);
  });
}

for (const value of ["", 0, -1.5, false, [], ["a", 2, true]]) {
  test(`a property ${inspect(value)} is sent`, async (t) => {
    const server = await startServer(t);

    await connect(server).event("signup", {}, { value });

    assert.deepEqual(JSON.parse(server.requests[0]?.body.properties), { value });
  });
}

test("a property without a value is left out", async (t) => {
  const server = await startServer(t);

  await connect(server).event("signup", {}, { plan: "pro", coupon: undefined });
  await connect(server).event("signup", {}, { coupon: undefined });

  assert.deepEqual(server.requests.map(({ body }) => body.properties), ['{"plan":"pro"}', "{}"]);
});

test("a pageview has properties as an event has them", async (t) => {
  const server = await startServer(t);
  const client = connect(server);

  await client.pageview({ pathname: "/" }, { plan: "pro" });
  await client.pageview({ pathname: "/" }, null);
  const error = await failure(client.pageview({}, /** @type {any} */ ({ plan: null })));

  assert.deepEqual(server.requests.map(({ body }) => [body.type, body.properties]), [["pageview", '{"plan":"pro"}'], ["pageview", undefined]]);
  assert.deepEqual(Object.keys(error.details?.fieldErrors ?? {}), ["properties.plan"]);
});

test("a payload that cannot be read rejects the call instead of throwing", async (t) => {
  const server = await startServer(t);
  const client = connect(server);
  const broken = Object.defineProperty({}, "pathname", {
    enumerable: true,
    get() {
      throw new Error("the getter broke");
    },
  });

  const error = await failure(client.pageview(broken));

  assert.deepEqual([error.code, error.outcome], ["INVALID_EVENT", "refused"]);
  assert.match(String(error.cause), /the getter broke/);
  assert.deepEqual([client.stats.pending, server.requests.length], [0, 0]);
});

for (const name of [undefined, null, "", 5, {}]) {
  test(`an event named ${inspect(name)} is refused`, async (t) => {
    const server = await startServer(t);

    const error = await failure(connect(server).event(/** @type {any} */ (name)));

    assert.match(error.message, /^eventName /);
    assert.equal(server.requests.length, 0);
  });
}

/** @type {[string, unknown][]} */
const REFUSED_FIELDS = [
  ["pathname", 5],
  ["screenWidth", "1920"],
  ["screenHeight", NaN],
  ["screenHeight", Infinity],
  ["pathName", "/"],
  ["site_id", "2"],
  ["toString", "x"],
];

for (const [field, value] of REFUSED_FIELDS) {
  test(`a payload with ${field} ${inspect(value)} is refused and named`, async (t) => {
    const server = await startServer(t);

    const error = await failure(connect(server).pageview(/** @type {any} */ ({ [field]: value })));

    assert.deepEqual([error.code, Object.keys(error.details?.fieldErrors ?? {})], ["INVALID_EVENT", [field]]);
    assert.equal(server.requests.length, 0);
  });
}

test("a name that a visitor can have chosen is in the details of a refusal, not in its message, which goes into logs", async (t) => {
  const server = await startServer(t);
  const client = connect(server);

  const errors = await Promise.all([
    failure(client.pageview(/** @type {any} */ ({ "anna@example.com": 1 }))),
    failure(client.event("signup", {}, /** @type {any} */ ({ "anna@example.com": null }))),
  ]);

  assert.deepEqual(errors.map(({ message }) => /anna/.test(message)), [false, false]);
  assert.deepEqual(errors.flatMap(({ details }) => Object.keys(details?.fieldErrors ?? {})), ["anna@example.com", "properties.anna@example.com"]);
});

test("a payload that changes after the call is sent as it was", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { batch: true });
  const payload = { pathname: "/before" };
  const call = client.pageview(payload);

  payload.pathname = "/after";
  await call;

  assert.deepEqual([...server.stored.values()].map(({ pathname }) => pathname), ["/before"]);
});
