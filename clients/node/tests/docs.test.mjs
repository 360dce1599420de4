import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { KEY } from "./scripted-server.mjs";
import { startServer } from "./setup.mjs";

const source = fileURLToPath(new URL("..", import.meta.url));
const pages = ["../../docs/track/node.md", "../../docs/track/node-web.md", "../../docs/track/node-edge.md", "README.md"];

for (const page of pages) {
  const text = await readFile(join(source, page), "utf8");
  const programs = [...text.matchAll(/^```js\n(.*?)^```$/gms)];
  assert.ok(programs.length > 0);
  for (const [index, [, program]] of programs.entries()) {
    const onEdge = String(program).includes("@footfall/node/edge");
    // Edge runtimes have Web Crypto, which Node.js 18 has not.
    test(`program ${index + 1} of ${page} runs`, { skip: onEdge && !("crypto" in globalThis) }, (t) => runs(t, String(program)));
  }
}

for (const [page, declared, name, most] of /** @type {const} */ ([
  ["servers.md", "index.d.ts", "Options", 17],
  ["servers.md", "types/web.d.ts", "WebOptions", 8],
])) {
  test(`${page} names every option of ${name}`, async () => {
    const [, tables = ""] = (await readFile(join(source, "../../docs/track", page), "utf8")).split("\n## Options\n");
    const [, body = ""] = (await readFile(join(source, declared), "utf8")).split(`export interface ${name}`);
    const options = [...body.slice(0, body.indexOf("\n}")).matchAll(/^ {2}(\w+)\??:/gm)].map(([, option]) => option);

    assert.equal(options.length, most);
    assert.deepEqual(options.filter((option) => !new RegExp(`^\\| [^|]*\`${option}\``, "m").test(tables)), []);
  });
}

/** What a runtime does with a program that exports its handler. */
const ASKED = `
  import { default as exported } from "./program.mjs";
  const waited = [];
  await exported.fetch(new Request("https://shop.example/page"), process.env, { waitUntil: (promise) => waited.push(promise) });
  await Promise.all(waited);`;

/** @param {import("node:test").TestContext} t @param {string} program */
async function runs(t, program) {
  const server = await startServer(t);
  const text = program.replaceAll("https://desk.example.com/api", String(server.url));
  const file = await place(t, text + (program.includes("export default") ? ASKED : ""));
  const port = program.includes("process.env.PORT") ? await freePort() : null;

  const child = spawn(process.execPath, [file], { env: { ...process.env, FOOTFALL_API_KEY: KEY, PORT: String(port) } });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  if (port !== null) await visit(port, () => child.kill("SIGTERM"));
  const [code] = await once(child, "exit");

  assert.equal(code, 0, stderr);
  // A program that shows a refusal says so; every other one has something stored.
  assert.ok(stderr.startsWith("INVALID_EVENT refused null") || (stderr === "" && server.stored.size > 0), stderr);
}

/** @param {import("node:test").TestContext} t @param {string} program */
async function place(t, program) {
  const folder = await mkdtemp(join(tmpdir(), "footfall-docs-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  // Has the frameworks, and the package itself.
  await symlink(join(source, "tests/frameworks/node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "program.mjs"), program);
  return join(folder, "program.mjs");
}

async function freePort() {
  const probe = createServer().listen(0);
  await once(probe, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (probe.address());
  probe.close();
  return port;
}

/** @param {number} port @param {() => void} afterwards */
async function visit(port, afterwards) {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await answers(port)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  afterwards();
}

/** Asks for a page without keeping the connection, for which servers would wait before they end. @param {number} port */
async function answers(port) {
  const request = get({ port, path: "/page?x=1", agent: false });
  try {
    const [response] = await once(request, "response");
    await once(response.resume(), "close");
    return true;
  } catch {
    return false;
  }
}
