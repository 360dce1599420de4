/** What handlers throw is reported, and reaches the host's own handlers as before; the same on all frameworks. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { startApp } from "./setup.mjs";

test("hono: the answer of another service is an exception of the application, which answers 500", async (t) => {
  const app = await startApp(t, "hono");

  const { status } = await app.get("/throw/upstream");

  assert.deepEqual([status, (await app.events()).map(({ event_name }) => event_name)], [500, ["Error"]]);
});

for (const framework of ["express", "fastify", "hono"]) {
  test(`${framework}: an exception is reported with its place in the application, and with its cause`, async (t) => {
    const app = await startApp(t, framework);

    const answer = await app.get("/throw/error?card=1", { referer: "https://shop.example/cart" });

    const [{ properties, ...event }, ...others] = await app.events();
    const { stack, ...details } = JSON.parse(properties);
    assert.deepEqual([answer.status, others], [500, []]);
    assert.deepEqual([event.type, event.event_name, event.release], ["error", "RangeError", "1.4.2"]);
    assert.deepEqual([event.hostname, event.pathname, event.querystring], ["shop.example", "/throw/error", "card=1"]);
    assert.equal(details.environment, "production");
    assert.deepEqual([details.message, details.fileName, details.lineNumber > 10], ["Cannot pay", "app:///tests/frameworks/apps/parts.mjs", true]);
    assert.match(stack, /^RangeError: Cannot pay\n {4}at .*app:\/\/\/tests\/frameworks\/apps\/parts\.mjs:\d+:\d+/);
    assert.match(stack, /\nCaused by: TypeError: card is undefined\n {4}at /);
    assert.ok(!stack.includes(process.cwd()));
  });

  test(`${framework}: a faulty request is no exception`, async (t) => {
    const app = await startApp(t, framework);

    await app.get("/throw/refused");

    assert.deepEqual(await app.events(), []);
  });

  for (const [what, message] of [
    ["text", "out of stock"],
    ["object", "an object with the keys card, owner"],
    ["trapped", "an object without keys"],
    ["nothing", framework === "express" ? "Rejected promise" : "undefined"],
  ]) {
    test(`${framework}: ${what} that is thrown is reported as far as it can be read`, async (t) => {
      const app = await startApp(t, framework);

      const answer = await app.get(`/throw/${what}`);

      const [event, ...others] = await app.events();
      assert.deepEqual([answer.status, others, event.event_name], [500, [], "Error"]);
      assert.ok(JSON.parse(event.properties).message.startsWith(message), event.properties);
      assert.ok(!event.properties.includes("4111") && !event.properties.includes("private"));
      assert.deepEqual(app.lost, []);
    });
  }
}
