/** What all adapters decide with: paths that are skipped, addresses behind proxies, options. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { inspect } from "node:util";

import { connect, startServer } from "./setup.mjs";

const require = createRequire(import.meta.url);
const { footfall: onEdge } = require("../lib/frameworks/edge.js");
const { footfall: onHono } = require("../lib/frameworks/hono.js");
const { footfall: onHttp } = require("../lib/frameworks/http.js");
const { requestErrors } = require("../lib/frameworks/next.js");
const { behindHops, behindNetworks, parseAddress, parseNetwork } = require("../lib/web/addresses.js");
const { looksLikePage, pathMatcher, pathOf } = require("../lib/web/page.js");
const { readWebOptions } = require("../lib/web/settings.js");
const { readVisit } = require("../lib/web/visit.js");

/** @type {[string, string | null][]} */
const ADDRESSES = [
  ["203.0.113.9", "203.0.113.9"],
  [" 203.0.113.9:51000 ", "203.0.113.9"],
  ['"[2001:DB8:0:0::1]:443"', "2001:db8::1"],
  ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["::FFFF:cb00:7109", "203.0.113.9"],
  ["::1", "::1"],
  ["::", "::"],
  ["", null],
  ["unknown", null],
  ["256.1.1.1", null],
  ["01.1.1.1", null],
  ["1.1.1", null],
  ["1::2::3", null],
  ["fe80::1%eth0", null],
  ["]::1[", null],
  [":".repeat(50), null],
  ["1:2:3:4:5:6:7:8:9", null],
];

for (const [given, expected] of ADDRESSES) {
  test(`${inspect(given)} is the address ${expected}`, () => {
    assert.equal(parseAddress(given)?.text ?? null, expected);
  });
}

test("a list of proxies counts from its end, and no further than to those that are trusted", () => {
  const forwarded = "192.0.2.66, 203.0.113.9, 10.0.0.2";
  const networks = /** @type {any} */ (["10.0.0.0/8", "fd00::/8", "127.0.0.1"].map(parseNetwork));

  const hops = [0, 1, 2, 3, 4].map((count) => behindHops("127.0.0.1", forwarded, count)?.text);
  const seen = ["127.0.0.1", "fd00::7", "198.51.100.7"].map((peer) => behindNetworks(peer, forwarded, networks)?.text);

  assert.deepEqual(hops, ["127.0.0.1", "10.0.0.2", "203.0.113.9", "192.0.2.66", "127.0.0.1"]);
  assert.deepEqual(seen, ["203.0.113.9", "203.0.113.9", "198.51.100.7"]);
  assert.equal(behindNetworks("127.0.0.1", "nonsense", networks), null);
  assert.equal(behindNetworks(undefined, forwarded, networks), null);
});

test("a forged list of trusted proxies takes no time", () => {
  const networks = /** @type {any} */ (["fd00::/8"].map(parseNetwork));
  const forged = `203.0.113.9${",fd00::1".repeat(100_000)}`;
  const started = performance.now();

  assert.equal(behindNetworks("fd00::7", forged, networks)?.text, "fd00::1");

  assert.ok(performance.now() - started < 200);
});

for (const network of ["10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "ten/8", "::/129", "10.0.0.0/"]) {
  test(`${network} is no network`, () => assert.equal(parseNetwork(network), null));
}

/** @type {[string, string, boolean][]} */
const PATTERNS = [
  ["/health", "/health", true],
  ["/health", "/healthy", false],
  ["/health/*", "/health/db", true],
  ["/health/*", "/health", false],
  ["*", "/any", true],
  ["/a*b*c", "/a-b-c", true],
  ["/a*b*c", "/a-c-b", false],
  ["/a*a", "/a", false],
  ["/(.+)", "/(.+)", true],
  ["/(.+)", "/aaa", false],
  ["/*ab*ab", "/ab", false],
  ["/*\n", "/a\n", true],
];

for (const [pattern, path, expected] of PATTERNS) {
  test(`${inspect(pattern)} ${expected ? "stands" : "does not stand"} for ${inspect(path)}`, () => {
    assert.equal(pathMatcher([pattern])(path), expected);
  });
}

test("a pattern of many parts takes no time on a long path", () => {
  const started = performance.now();

  assert.equal(pathMatcher([`/${"*a".repeat(50)}*b`])(`/${"a".repeat(16_000)}`), false);

  assert.ok(performance.now() - started < 200);
});

/** @type {[string, string][]} */
const TARGETS = [
  ["/a?b=/c", "/a"],
  ["//a.example/b", "//a.example/b"],
  ["https://a.example/b?c", "/b"],
  ["https://a.example", "/"],
  ["", "/"],
  ["/a#b", "/a"],
];

for (const [target, path] of TARGETS) {
  test(`the path of ${inspect(target)} is ${path}`, () => assert.equal(pathOf({ target }), path));
}

/** @type {[string, Record<string, string>, boolean][]} */
const REQUESTS = [
  ["/", {}, true],
  ["/index.html", {}, true],
  ["/v1.2/notes", {}, true],
  ["/icon.svg", {}, false],
  ["/_next/image", {}, false],
  ["/api/join", {}, false],
  ["/apiary", {}, true],
  ["/", { accept: "*/*" }, false],
  ["/", { accept: "*/*", "sec-fetch-dest": "document" }, true],
  ["/", { "sec-fetch-dest": "empty" }, false],
  ["/", { "x-moz": "prefetch" }, false],
  ["/", { "hx-request": "true" }, false],
  ["/", { "turbo-frame": "cart" }, false],
  ["/", { "x-pjax": "true" }, false],
  ["/", { "x-requested-with": "XMLHttpRequest" }, false],
  ["/", { "x-requested-with": "com.example.reader" }, true],
];

for (const [target, headers, expected] of REQUESTS) {
  test(`before its answer ${target} with ${inspect(headers)} ${expected ? "looks like a page" : "does not"}`, () => {
    const header = (/** @type {string} */ name) => /** @type {Record<string, string>} */ ({ accept: "text/html", ...headers })[name];

    assert.equal(looksLikePage(/** @type {any} */ ({ method: "GET", target, header })), expected);
  });
}

/** @type {[Record<string, unknown>, RegExp][]} */
const INVALID = [
  [{ trustedHops: -1 }, /"trustedHops"/],
  [{ trustedHops: "1" }, /"trustedHops"/],
  [{ trustedNetworks: "10.0.0.0/8" }, /"trustedNetworks"/],
  [{ trustedNetworks: ["ten"] }, /"trustedNetworks"/],
  [{ trustedHops: 1, trustedNetworks: ["10.0.0.0/8"] }, /not both/],
  [{ bots: "refuse" }, /"bots"/],
  [{ skip: "/admin" }, /"skip"/],
  [{ skip: [/admin/] }, /"skip"/],
  [{ before: true }, /"before"/],
  [{ address: "x-real-ip" }, /"address"/],
  [{ pageviews: 1 }, /"pageviews"/],
  [{ exceptions: "no" }, /"exceptions"/],
  [{ trustedProxies: 1 }, /"trustedProxies"/],
];

for (const [options, message] of INVALID) {
  test(`an adapter names what is wrong with ${inspect(options)}`, async (t) => {
    const client = connect(await startServer(t), { batch: true });

    assert.throws(() => readWebOptions(client, options), { name: "TypeError", message });
  });
}

test("an adapter takes a client that waits for no delivery, and nothing else", async (t) => {
  const server = await startServer(t);

  assert.throws(() => readWebOptions(connect(server)), /batch: true/);
  assert.throws(() => readWebOptions(/** @type {any} */ (undefined)), /a client is required/);
  assert.throws(() => readWebOptions(/** @type {any} */ ({})), /a client is required/);
  assert.deepEqual(await readWebOptions(null).client.event("sign up"), { message: null });
});

test("the answer of another service that Next.js meets is an exception of the application", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { batch: true });

  await requestErrors(client)(Object.assign(new Error("Request failed"), { status: 404 }), { path: "/cart", method: "GET", headers: {} });

  await client.flush();
  assert.deepEqual([...server.stored.values()].map(({ type, pathname }) => [type, pathname]), [["error", "/cart"]]);
});

test("a hook that fails later, though it must not be asynchronous, is a call that is refused", async (t) => {
  const client = connect(await startServer(t), { batch: true });
  const fault = async () => {
    throw new Error("the hook broke");
  };
  const unhandled = t.mock.fn();
  process.on("unhandledRejection", unhandled);
  t.after(() => process.off("unhandledRejection", unhandled));

  for (const hook of ["before", "address"]) {
    const count = onEdge(client, /** @type {any} */ ({ [hook]: fault }));
    await count(new Request("https://shop.example/"), undefined, () => new Response("<p>", { headers: { "content-type": "text/html" } }));
  }

  await new Promise(setImmediate);
  assert.equal(unhandled.mock.callCount(), 0);
  assert.equal(client.stats.refused, 2);
});

test("an address with a secret is replaced in all events of its request", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { batch: true });
  const count = onEdge(client);
  const request = new Request("https://shop.example/reset/c2VjcmV0?token=c2VjcmV0");

  const failing = count(request, undefined, (visit) => {
    visit.set({ pathname: "/reset", querystring: null });
    visit.event("reset");
    throw new Error("no mail");
  });

  await assert.rejects(failing, /no mail/);
  await client.flush();
  assert.deepEqual([...server.stored.values()].map(({ type, pathname, querystring }) => [type, pathname, querystring]), [
    ["custom_event", "/reset", undefined],
    ["error", "/reset", undefined],
  ]);
});

test("no binding of a worker is called, whatever its name", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { batch: true });
  const called = t.mock.fn();
  /** @type {any} */
  const binding = new Proxy(function () {}, { get: (_binding, name) => (name === Symbol.toPrimitive ? () => "" : binding), apply: () => (called(), binding) });

  for (const env of [{ server: binding }, { incoming: binding }]) {
    const c = { env, req: { raw: new Request("https://shop.example/") }, get() {}, set() {}, res: new Response("<p>", { headers: { "content-type": "text/html" } }) };
    await onHono(client)(c, async () => {});
  }

  await client.flush();
  assert.equal(called.mock.callCount(), 0);
  assert.deepEqual([...server.stored.values()].map(({ type, ip_address }) => [type, ip_address]), Array(2).fill(["pageview", undefined]));
});

test("servers of node:http are counted once for a client, also when it is asked twice, until that ends", async (t) => {
  const service = await startServer(t);
  const client = connect(service, { batch: true });
  const host = createServer((_request, response) => response.setHeader("content-type", "text/html").end("<p>")).listen(0);
  t.after(() => host.close());
  const visit = async (/** @type {string} */ path) => {
    await (await fetch(`http://127.0.0.1:${/** @type {any} */ (host.address()).port}${path}`, { headers: { "sec-fetch-dest": "document" } })).text();
    await new Promise((resolve) => setTimeout(resolve, 20));
  };

  const ends = [onHttp(client), onHttp(client)];
  await visit("/twice");
  ends[1]?.();
  await visit("/once");
  ends[0]?.();
  await visit("/ended");
  onHttp(client)();
  const again = onHttp(client);
  await visit("/again");
  again();

  await client.flush();
  assert.deepEqual([...service.stored.values()].map(({ pathname }) => pathname), ["/twice", "/once", "/again"]);
});

test("of a long path and a long user agent the beginning is kept, and no half of a character", async (t) => {
  const settings = readWebOptions(connect(await startServer(t), { batch: true }));
  const headers = { "user-agent": `${"u".repeat(511)}😀`, referer: "https://a.example/".padEnd(3_000, "r") };
  const header = (/** @type {string} */ name) => /** @type {Record<string, string>} */ (headers)[name];

  const visit = readVisit(/** @type {any} */ ({ method: "GET", target: `/${"p".repeat(9_000)}`, host: "a.example", peer: "::1", header }), settings);

  assert.deepEqual(visit, { hostname: "a.example", pathname: `/${"p".repeat(2_047)}`, user_agent: "u".repeat(511), ip_address: "::1" });
});

test("a runtime that cannot wait any more costs the request nothing", async (t) => {
  const server = await startServer(t);
  const client = connect(server, { batch: true });
  const written = t.mock.method(console, "error", () => {});
  const runtime = {
    waitUntil() {
      throw new Error("the request is over");
    },
  };
  const page = new Response("<p>", { headers: { "content-type": "text/html" } });

  const answer = await onEdge(client)(new Request("https://shop.example/"), runtime, (visit) => {
    visit.event("sign up");
    return page;
  });

  await client.flush();
  assert.equal(answer, page);
  assert.deepEqual([...server.stored.values()].map(({ type }) => type), ["custom_event", "pageview"]);
  assert.match(String(written.mock.calls[0]?.arguments[1]), /the request is over/);
});
