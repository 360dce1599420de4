/** Real processes behind a service that is slow, away, limited or silent: the host answers as ever, and losses are known. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { KEY, refusal } from "../scripted-server.mjs";
import { startServer } from "../setup.mjs";
import { ask } from "./setup.mjs";

const PAGES = 300;
const limited = { ...refusal(429, "Rate limit exceeded."), headers: { "retry-after": "60" } };

/** @type {Record<string, { delay?: number, step?: import("../scripted-server.mjs").Step }>} */
const SERVICES = {
  well: {},
  slow: { delay: 400 },
  "unavailable (503)": { step: refusal(503, "Temporarily unavailable") },
  "limited (429)": { step: limited },
  silent: { step: "store-then-hang" },
};

/** @param {import("node:test").TestContext} t @param {Record<string, string>} environment */
async function serve(t, environment) {
  const program = fileURLToPath(new URL("serve.mjs", import.meta.url));
  const child = spawn(process.execPath, [program], { env: { ...process.env, KEY, ...environment }, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  /** @type {any[]} */
  const lines = [];
  const reader = createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
  const ended = once(reader, "close");
  const workers = Number(environment["WORKERS"] ?? 0) || 1;
  while (lines.filter(({ port }) => port).length < workers) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    lines,
    port: lines[0].port,
    pids: lines.map(({ pid }) => pid),
    async end() {
      // A host that has ended already, or does not end, fails its test at once.
      assert.deepEqual([child.exitCode, child.signalCode], [null, null]);
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), 20_000);
      await ended;
      clearTimeout(late);
      return lines.filter(({ stats }) => stats).map(({ stats }) => stats);
    },
  };
}

/** Asks for pages, ten at a time, and returns the median of their times in milliseconds: other work of the machine makes a few wait. @param {number} port @param {(count: number) => void} [during] */
async function visit(port, during = () => {}) {
  let [next, failed] = [0, 0];
  /** @type {number[]} */
  const times = [];
  const visitor = async () => {
    while (next < PAGES) {
      during(next);
      const [path, started] = [`/?page=${next++}`, performance.now()];
      const { status } = await ask(port, { path }).catch(() => ({ status: 0 }));
      times.push(performance.now() - started);
      if (status !== 200) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: 10 }, visitor));
  return { median: times.sort((one, other) => one - other)[PAGES / 2], failed };
}

/** @param {any} stats */
const sum = ({ delivered, refused, unknown, dropped, pending }) => delivered + refused + unknown + dropped + pending;

for (const framework of ["express", "fastify", "hono", "http"]) {
  for (const [kind, { delay = 0, step }] of Object.entries(SERVICES)) {
    // What is sent how and when is the same for all.
    if (framework !== "express" && kind !== "silent") continue;
    test(`${framework} behind a service that is ${kind}`, { timeout: 60_000 }, async (t) => {
      const service = await startServer(t);
      service.delay = delay;
      if (step) service.script = Array(PAGES).fill(step);
      const host = await serve(t, { FRAMEWORK: framework, SERVICE: String(service.url), CLOSE: step ? "300" : "5000" });

      const { median, failed } = await visit(host.port);
      const [stats] = await host.end();

      assert.equal(failed, 0);
      // One that waits for the service takes at least its delay.
      assert.ok(Number(median) < 300, String(median));
      assert.deepEqual([sum(stats), stats.pending], [PAGES, 0]);
      assert.equal(host.lines.filter(({ outcome }) => outcome).length, PAGES - stats.delivered);
      if (!step) assert.deepEqual([stats.delivered, service.stored.size], [PAGES, PAGES]);
      if (kind.startsWith("limited")) assert.deepEqual([stats.dropped + stats.refused, service.stored.size], [PAGES, 0]);
      assert.ok(service.stored.size <= stats.delivered + stats.unknown);
    });
  }
}

test("workers of a cluster count each page once, and one that is killed takes no other with it", { timeout: 60_000 }, async (t) => {
  const service = await startServer(t);
  const host = await serve(t, { FRAMEWORK: "express", SERVICE: String(service.url), WORKERS: "2" });

  const { failed } = await visit(host.port, (count) => count === 150 && process.kill(host.pids[0], "SIGKILL"));
  const ended = await host.end();

  const pages = [...service.stored.values()].map(({ querystring }) => querystring);
  assert.ok(failed <= 10, String(failed));
  assert.equal(ended.length, 1);
  assert.equal(new Set(pages).size, pages.length);
  assert.ok(pages.length >= ended[0].delivered && pages.length > PAGES / 2, `${pages.length} ${JSON.stringify(ended)}`);
});

test("a queue that is full costs no memory and no time, and what it refuses is known", async (t) => {
  const service = await startServer(t);
  service.script = Array(PAGES).fill("store-then-hang");
  const host = await serve(t, { FRAMEWORK: "express", SERVICE: String(service.url), CLOSE: "100", OPTIONS: '{"queueSize":20,"batchSize":10,"flushInterval":60000}' });

  const { median, failed } = await visit(host.port);
  const [stats] = await host.end();

  assert.equal(failed, 0);
  assert.ok(Number(median) < 300, String(median));
  assert.deepEqual([sum(stats), stats.unknown, stats.dropped], [PAGES, 10, PAGES - 10]);
});
