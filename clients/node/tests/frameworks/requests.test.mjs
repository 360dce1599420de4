/** Which requests count, and with what; the same on all frameworks. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { FIREFOX, FRAMEWORKS, startApp } from "./setup.mjs";

/** Of the request of each framework, or the context of Hono. @param {any} request @param {string} name */
const headerOf = (request, name) => (request.req ? request.req.header(name) : request.headers[name]);

/** @param {any[]} events */
const paths = (events) => events.map(({ pathname }) => pathname);

for (const [framework, { ends, raw, tracker }] of Object.entries(FRAMEWORKS)) {
  test(`${framework}: a page is a pageview of its visitor`, async (t) => {
    const app = await startApp(t, framework);

    await app.get("/?utm_source=mail&q=%C3%BC", { referer: "https://search.example/?q=shop" });

    const [{ event_id, timestamp, ...event }, ...others] = await app.events();
    assert.deepEqual(others, []);
    assert.match(timestamp, /^\d{4}-/);
    assert.match(event_id, /^[\da-f-]{36}$/);
    assert.deepEqual(event, {
      site_id: "1",
      type: "pageview",
      release: "1.4.2",
      hostname: "shop.example",
      pathname: "/",
      querystring: "utm_source=mail&q=%C3%BC",
      referrer: "https://search.example/?q=shop",
      user_agent: FIREFOX,
      ip_address: "127.0.0.1",
      bots: "judge",
    });
  });

  test(`${framework}: answers that are no pages are not counted`, async (t) => {
    const app = await startApp(t, framework);

    for (const path of ["/data", "/style.css", "/missing", "/away", "/nowhere", "/health", ...(tracker ? ["/ignored"] : [])]) await app.get(path);
    for (const method of ["HEAD", "OPTIONS", "DELETE"]) await app.ask({ method });
    await app.get("/", { "sec-purpose": "prefetch;prerender" });
    await app.get("/", { purpose: "prefetch" });
    await app.get("/", { "sec-fetch-dest": "iframe" });
    await app.get("/", { "sec-fetch-dest": "empty" });
    for (const name of ["hx-request", "turbo-frame", "x-pjax"]) await app.get("/", { [name]: "true" });
    await app.get("/", { "x-requested-with": "XMLHttpRequest" });

    assert.deepEqual(await app.events(), []);
    assert.deepEqual(app.lost, []);
  });

  test(`${framework}: answers in parts, and such with raw headers, count once`, async (t) => {
    const app = await startApp(t, framework);

    await app.get("/stream", { "sec-fetch-dest": "document" });
    await app.get("/written");

    assert.deepEqual(paths(await app.events()), raw ? ["/stream", "/written"] : ["/stream"]);
  });

  test(`${framework}: a visitor who leaves during the answer is not counted`, async (t) => {
    const app = await startApp(t, framework);

    await app.ask({ path: "/endless", abort: true });
    await app.get("/");

    assert.deepEqual(paths(await app.events()), ends ? ["/"] : ["/endless", "/"]);
  });

  test(`${framework}: handlers report events, name their user, and may leave a page out`, { skip: !tracker }, async (t) => {
    const app = await startApp(t, framework);

    await app.get("/user");
    await app.ask({ path: "/join?step=2", method: "POST" });

    const [page, event, outbound, ...others] = await app.events();
    assert.deepEqual([page.pathname, page.user_id, page.page_title], ["/user", "42", "Account"]);
    assert.deepEqual([event.type, event.event_name, event.properties], ["custom_event", "sign up", '{"plan":"pro"}']);
    assert.deepEqual([event.pathname, event.querystring, event.user_agent, event.ip_address], ["/join", "step=2", FIREFOX, "127.0.0.1"]);
    assert.deepEqual([outbound.type, outbound.properties], ["outbound", '{"url":"https://pay.example/"}']);
    assert.deepEqual(others, []);
  });

  test(`${framework}: a router below has the whole path, and counts once`, async (t) => {
    const app = await startApp(t, framework);

    await app.get("/nested/page?a=1");

    assert.deepEqual((await app.events()).map(({ pathname, querystring }) => [pathname, querystring]), [["/nested/page", "a=1"]]);
  });

  const makesTags = framework === "express";
  test(`${framework}: a page that the visitor has already counts, and a file that he has does not`, { skip: !makesTags }, async (t) => {
    const app = await startApp(t, framework);
    const tag = (await app.get("/")).headers.etag;

    const again = await app.get("/", { "if-none-match": tag, accept: "text/html,*/*;q=0.8" });
    const file = await app.get("/", { "if-none-match": tag, accept: "*/*" });

    assert.deepEqual([again.status, file.status], [304, 304]);
    assert.deepEqual(paths(await app.events()), ["/", "/"]);
  });

  test(`${framework}: nothing that a visitor writes harms the host`, async (t) => {
    const app = await startApp(t, framework);

    const answers = [
      await app.get(`/${"x".repeat(9_000)}`),
      await app.get(`/?${"x".repeat(9_000)}`),
      await app.get("/", { referer: "https://search.example/".padEnd(4_000, "x"), "user-agent": "u".repeat(2_000) }),
      await app.get("/", { "x-forwarded-for": "203.0.113.9, 198.51.100.7", forwarded: "for=203.0.113.9" }),
      await app.get("/", { "x-forwarded-for": "nonsense", host: "[::1]:80", "user-agent": "M\u00c3\u00bcller" }),
      await app.get("//shop.example/%ff"),
    ];

    const events = await app.events();
    assert.deepEqual(answers.map(({ status }) => status).slice(1, 5), [200, 200, 200, 200]);
    assert.deepEqual(events.map(({ querystring, referrer, ip_address }) => [querystring, referrer, ip_address]), Array(4).fill([undefined, undefined, "127.0.0.1"]));
    assert.deepEqual(events.map(({ user_agent }) => user_agent), [FIREFOX, "u".repeat(512), FIREFOX, "Müller"]);
    assert.equal(events[3].hostname, "::1");
    assert.deepEqual(app.lost, []);
  });

  test(`${framework}: the address is that before the proxies that are trusted`, async (t) => {
    const forwarded = { "x-forwarded-for": "192.0.2.66, 203.0.113.9, 10.0.0.2" };
    const choices = [
      { trustedHops: 2 },
      { trustedNetworks: ["127.0.0.0/8", "10.0.0.0/8"] },
      { address: (/** @type {any} */ request) => headerOf(request, "cf-connecting-ip") },
    ];

    const addresses = [];
    for (const options of choices) {
      const app = await startApp(t, framework, options);
      await app.get("/", { ...forwarded, "cf-connecting-ip": "2001:DB8:0::1" });
      addresses.push((await app.events())[0].ip_address);
      await app.close();
    }

    assert.deepEqual(addresses, ["203.0.113.9", "203.0.113.9", "2001:db8::1"]);
  });

  test(`${framework}: hooks of the host choose and change pages, and their faults are known`, async (t) => {
    const app = await startApp(t, framework, {
      skip: ["/user*"],
      before: (/** @type {any} */ payload, /** @type {any} */ request) => {
        if (payload.querystring === "fault") throw new Error("the hook broke");
        return headerOf(request, "cookie") ? null : { ...payload, querystring: undefined };
      },
    });

    const answers = [await app.get("/?a=1"), await app.get("/", { cookie: "staff=1" }), await app.get("/user"), await app.get("/health"), await app.get("/?fault")];

    assert.deepEqual(answers.map(({ status }) => status), Array(5).fill(200));
    assert.deepEqual((await app.events()).map(({ pathname, querystring }) => [pathname, querystring]), [["/", undefined], ["/health", undefined]]);
    assert.deepEqual(app.lost, ["The event cannot be read"]);
  });

  test(`${framework}: without a client the application works, and sends nothing`, async (t) => {
    const app = await startApp(t, framework, { client: null });

    const { status } = await app.get("/");
    const joined = tracker ? (await app.ask({ path: "/join", method: "POST" })).status : 200;

    assert.deepEqual([status, joined, await app.events()], [200, 200, []]);
  });

  test(`${framework}: bots are counted where the host says so, and pages and exceptions can be off`, { skip: !tracker }, async (t) => {
    const [counting, silent] = [await startApp(t, framework, { bots: "count" }), await startApp(t, framework, { pageviews: false, exceptions: false })];

    await counting.get("/", { "user-agent": "GPTBot/1.3" });
    for (const path of ["/", "/throw/error"]) await silent.get(path);
    await silent.ask({ path: "/join", method: "POST" });

    assert.deepEqual((await counting.events()).map(({ user_agent, bots }) => [user_agent, bots]), [["GPTBot/1.3", undefined]]);
    assert.deepEqual((await silent.events()).map(({ event_name }) => event_name), ["sign up", undefined]);
  });
}
