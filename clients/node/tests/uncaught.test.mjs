/** Exceptions that no code handles: they are reported, and the process does what it does without the client. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { KEY, refusal } from "./scripted-server.mjs";
import { startServer } from "./setup.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @param {string | undefined} url @param {string} program @param {object} [options] */
async function run(url, program, options = {}) {
  const setup = url && `const client = new (require("@footfall/node").Footfall)(${JSON.stringify({ analyticsHost: url, siteId: 1, apiKey: KEY, batch: true, ...options })});
    client.reportUncaught();`;
  const started = Date.now();
  const child = spawn(process.execPath, ["-e", `${setup ?? "const client = { pageview() {}, close() {} };"}\n${program}`], { cwd: root, timeout: 20_000 });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (part) => (stdout += part));
  child.stderr.on("data", (part) => (stderr += part));
  const [code] = await once(child, "close");
  return { code, stdout, stderr, took: Date.now() - started };
}

/** @param {import("./scripted-server.mjs").ScriptedServer} server */
const reported = (server) => [...server.stored.values()].filter(({ type }) => type === "error").map(({ event_name, properties }) => [event_name, JSON.parse(properties).message]);

const PROGRAMS = {
  "an exception": `setTimeout(() => { throw new RangeError("lost"); })`,
  "a rejection": `Promise.reject(new RangeError("lost"))`,
  "an exception that the host handles": `process.on("uncaughtException", (error) => console.log("handled", error.message)); setTimeout(() => { throw new RangeError("lost"); })`,
  "a rejection that the host handles": `process.on("unhandledRejection", (error) => console.log("handled", error.message)); Promise.reject(new RangeError("lost"))`,
  "a rejection that the host handles once": `process.once("unhandledRejection", (error) => console.log("handled", error.message)); Promise.reject(new RangeError("lost"))`,
  "a rejection that the host throws again": `process.on("unhandledRejection", (error) => { throw error; }); Promise.reject(new RangeError("lost"))`,
  "a rejection after the host's listener is gone": `const listener = () => {}; process.on("unhandledRejection", listener); setTimeout(() => { process.off("unhandledRejection", listener); Promise.reject(new RangeError("lost")); })`,
};

for (const [what, program] of Object.entries(PROGRAMS)) {
  test(`${what} is reported once, and the process does as without a client`, async (t) => {
    const server = await startServer(t);

    const [bare, watched] = await Promise.all([run(undefined, program), run(server.url, program)]);

    const told = (/** @type {any} */ { code, stdout, stderr }) => [code, stdout, stderr.replace(/\[eval\][^\n]*:\d+/g, "").replace(/^\n.*\n.*\^\n/, "")];
    assert.deepEqual(told(watched), told(bare));
    assert.deepEqual(reported(server), [["RangeError", "lost"]]);
  });
}

test("what waits goes with the exception, also without a queue", async (t) => {
  for (const batch of [true, false]) {
    const server = await startServer(t);

    const { code } = await run(server.url, `client.pageview({ pathname: "/last" }); throw new Error("lost");`, { batch });

    assert.equal(code, 1);
    assert.deepEqual([...server.stored.values()].map(({ type }) => type).sort(), ["error", "pageview"]);
  }
});

test("of what waits the newest goes with the exception, as much as one request takes, and the loss of the rest is told", async (t) => {
  const server = await startServer(t);

  const { stderr } = await run(server.url, `for (const pathname of ["/1", "/2", "/3"]) client.pageview({ pathname }, { text: "x".repeat(50_000) }); throw new Error("lost");`);

  assert.deepEqual([...server.stored.values()].map(({ type, pathname }) => pathname ?? type), ["error", "/3", "/2"]);
  assert.match(stderr, /1 event\(s\) not delivered, the last one: The process ended before the event was sent/);
});

test("a service that never answers holds the end up for exitTimeout, and the loss is told", async (t) => {
  const server = await startServer(t);
  server.script = ["store-then-hang", "store-then-hang"];

  const { code, stderr, took } = await run(server.url, `throw new Error("lost")`, { exitTimeout: 300 });

  assert.equal(code, 1);
  assert.match(stderr, /1 event\(s\) not delivered, the last one: Delivery not confirmed after 1 attempt\(s\): no answer within 300 ms/);
  assert.ok(took < 2_000, String(took));
});

test("a service that refuses, or is not there, is told as well", async (t) => {
  const server = await startServer(t);
  server.script = [refusal(503, "Temporarily unavailable")];

  const [refused, absent] = await Promise.all([run(server.url, `throw new Error("lost")`), run("http://127.0.0.1:1/api", `throw new Error("lost")`)]);

  assert.match(refused.stderr, /not delivered, the last one: Delivery not confirmed after 1 attempt\(s\): Temporarily unavailable/);
  assert.match(absent.stderr, /not delivered, the last one: Delivery not confirmed/);
  assert.deepEqual([refused.code, absent.code], [1, 1]);
});

test("a process that ends of itself, or by the host, does not wait for more than before", async (t) => {
  const server = await startServer(t);

  const { code, stderr } = await run(server.url, `client.pageview(); process.exit(3);`, { flushInterval: 60_000 });

  assert.equal(code, 3);
  assert.match(stderr, /1 event\(s\) not delivered/);
  assert.equal(server.requests.length, 0);
});

test("the clients of one process take each other for no listeners of the host, also those of another copy of the package", async (t) => {
  const server = await startServer(t);

  const { code, stderr } = await run(
    server.url,
    `for (const name of Object.keys(require.cache)) delete require.cache[name];
     const other = new (require("@footfall/node").Footfall)(${JSON.stringify({ analyticsHost: server.url, siteId: 2, apiKey: KEY, batch: true })});
     other.reportUncaught();
     const listener = () => {};
     process.on("unhandledRejection", listener);
     setTimeout(() => { process.off("unhandledRejection", listener); Promise.reject(new RangeError("lost")); });`,
  );

  assert.equal(code, 1);
  assert.match(stderr, /RangeError: lost/);
  assert.deepEqual(reported(server), Array(2).fill(["RangeError", "lost"]));
});

test("after close nothing is watched, and no listener is left", async (t) => {
  const server = await startServer(t);

  const { stdout } = await run(
    server.url,
    `client.reportUncaught();
     process.on("unhandledRejection", () => {});
     const count = () => ["uncaughtExceptionMonitor", "newListener", "removeListener", "unhandledRejection", "exit"].map((name) => process.listenerCount(name));
     setTimeout(async () => { const before = count(); await client.close(); client.reportUncaught(); const after = count(); console.log(before.map((it, at) => it - after[at]).join()); })`,
  );

  assert.equal(stdout, "1,1,1,1,1\n");
});
