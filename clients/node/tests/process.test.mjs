import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

import { KEY, refusal } from "./scripted-server.mjs";
import { startServer } from "./setup.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

/** @param {string[]} args @param {Record<string, string>} env */
function node(args, env) {
  /** @type {Promise<{ code: number, stdout: string, stderr: string }>} */
  const ended = new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: here, env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
  return ended;
}

/** @param {string} rest @param {string} [options] */
function program(rest, options = "batch: true") {
  return `import { Footfall } from "@footfall/node";
    const client = new Footfall({ analyticsHost: process.env.FOOTFALL_API_URL, siteId: 1, apiKey: "${KEY}", retryDelay: 5, ${options} });
    ${rest}`;
}

test("a program that just ends delivers its queue first", async (t) => {
  const server = await startServer(t);
  const source = program("client.pageview();");

  const { code, stderr } = await node(["--input-type=module", "--eval", source], { FOOTFALL_API_URL: String(server.url) });

  assert.deepEqual([code, stderr, server.stored.size], [0, "", 1]);
});

test("a program that exits at once says what it lost", async (t) => {
  const server = await startServer(t);
  const source = program("client.pageview(); client.pageview(); process.exit(3);");

  const { code, stderr } = await node(["--input-type=module", "--eval", source], { FOOTFALL_API_URL: String(server.url) });

  assert.deepEqual([code, server.stored.size], [3, 0]);
  assert.match(stderr, /2 event\(s\) not delivered, the last one: The process ended before the event was sent/);
});

const MODES = ["batch: true", "batch: false"];
const REFUSALS = { "a revoked key": refusal(401, "Invalid API key"), "a rate limit": refusal(429, "Rate limit exceeded.") };

for (const mode of MODES) {
  for (const [what, refused] of Object.entries(REFUSALS)) {
    test(`with ${mode} a call that is not awaited and fails by ${what} does not end the program, and is told`, async (t) => {
      const server = await startServer(t);
      server.script = [refused, refused];
      const source = program("client.pageview(); setTimeout(() => console.log('alive'), 1500);", `${mode}, retries: 1`);

      const { code, stdout, stderr } = await node(["--input-type=module", "--eval", source], { FOOTFALL_API_URL: String(server.url) });

      assert.deepEqual([code, stdout], [0, "alive\n"]);
      assert.match(stderr, /1 event\(s\) not delivered, the last one: (Invalid API key|Rate limit exceeded\.)/);
    });
  }

  test(`with ${mode} an invalid call that is not awaited does not end the program`, async (t) => {
    const server = await startServer(t);
    const source = program("client.event('', {}, { a: null }); setTimeout(() => console.log('alive'), 100);", mode);

    const { code, stdout, stderr } = await node(["--input-type=module", "--eval", source], { FOOTFALL_API_URL: String(server.url) });

    assert.deepEqual([code, stdout], [0, "alive\n"]);
    assert.match(stderr, /eventName must be a non-empty string/);
  });

  test(`with ${mode} an asynchronous onError that fails does not end the program`, async (t) => {
    const server = await startServer(t);
    server.script = [refusal(401, "Invalid API key")];
    const onError = "onError: async () => { throw new Error('handler broke'); }";
    const source = program("client.pageview(); setTimeout(() => console.log('alive'), 1500);", `${mode}, ${onError}`);

    const { code, stdout, stderr } = await node(["--input-type=module", "--eval", source], { FOOTFALL_API_URL: String(server.url) });

    assert.deepEqual([code, stdout], [0, "alive\n"]);
    assert.match(stderr, /onError threw: .*handler broke/);
  });
}

test("a call that is awaited ends the program as any failure does that is not caught", async (t) => {
  const server = await startServer(t);
  server.script = [refusal(401, "Invalid API key")];

  const { code, stderr } = await node(["--input-type=module", "--eval", program("await client.pageview();", "batch: false")], { FOOTFALL_API_URL: String(server.url) });

  assert.equal(code, 1);
  assert.match(stderr, /FootfallError: Invalid API key/);
});

for (const mode of ["single", "batch"]) {
  test(`of 2,000 ${mode} events through a faulty service each acknowledged one is stored exactly once`, async (t) => {
    const server = await startServer(t);
    server.script = faults(mode === "single" ? 3_000 : 60);
    const env = { FOOTFALL_API_URL: String(server.url), FOOTFALL_API_KEY: KEY, FOOTFALL_SITE_ID: "1" };

    const { code, stdout } = await node(["load.mjs"], { ...env, COUNT: "2000", MODE: mode, TIMEOUT: "300", RETRY_DELAY: "5" });

    const outcomes = new Map(stdout.trim().split("\n").map((line) => Object.values(JSON.parse(line))).map(([name, outcome]) => [name, outcome]));
    const stored = [...server.stored.values()].map(({ event_name }) => event_name);
    assert.deepEqual([code, outcomes.size], [0, 2_000]);
    assert.equal(new Set(stored).size, stored.length);
    for (const name of stored) assert.notEqual(outcomes.get(name), "refused");
    const kept = new Set(stored);
    for (const [name, outcome] of outcomes) if (outcome === "stored") assert.ok(kept.has(name));
    assert.ok([...outcomes.values()].includes("stored") && [...outcomes.values()].includes("unknown"));
  });
}

/** A fixed mixture: about two requests of three go wrong. @param {number} count */
function faults(count) {
  /** @type {import("./scripted-server.mjs").Step[]} */
  const kinds = ["reset", "store-then-reset", refusal(503, "Temporarily unavailable"), "truncated", "garbage", refusal(429, "Rate limit exceeded.")];
  let state = 7;
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return /** @type {any} */ (kinds[Math.floor(state / 65_536) % 9]);
  });
}
