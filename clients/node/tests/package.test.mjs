import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const source = fileURLToPath(new URL("..", import.meta.url));
let project = "";

before(async () => {
  project = await mkdtemp(join(tmpdir(), "footfall-node-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", project], { cwd: source });
  const [{ filename }] = JSON.parse(stdout);
  await writeFile(join(project, "package.json"), '{ "private": true }');
  await run("npm", ["install", "--offline", "--no-audit", `./${filename}`], { cwd: project });
});

after(() => rm(project, { recursive: true, force: true }));

/** @param {string} name @param {string} text */
async function execute(name, text) {
  await writeFile(join(project, name), text);
  const { stdout } = await run(process.execPath, [name], { cwd: project });
  return stdout;
}

const USE = `new Footfall({ analyticsHost: "https://desk.example.com/api", siteId: 1, apiKey: "k" }).stats.pending`;

test("the packed package works by import in an empty project", async () => {
  const printed = await execute("a.mjs", `import { Footfall } from "@footfall/node"; console.log(${USE});`);

  assert.equal(printed, "0\n");
});

test("the packed package works by require in an empty project", async () => {
  const printed = await execute("b.cjs", `const { Footfall } = require("@footfall/node"); console.log(${USE});`);

  assert.equal(printed, "0\n");
});

test("import and require give the same classes", async () => {
  const printed = await execute(
    "c.mjs",
    `import { createRequire } from "node:module"; import * as one from "@footfall/node";
     const two = createRequire(import.meta.url)("@footfall/node");
     console.log(Object.keys(one).sort().join() === Object.keys(two).sort().join(), Object.keys(two).every((name) => one[name] === two[name]));`,
  );

  assert.equal(printed, "true true\n");
});

const ADAPTERS = ["express", "fastify", "hono", "http", "next", "edge"];

test("each adapter works by import and by require, without its framework", async () => {
  const imports = ADAPTERS.map((name) => `import { footfall as ${name} } from "@footfall/node/${name}";`).join("\n");
  const text = `${imports}
    import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    console.log([${ADAPTERS.join(", ")}].every((it, at) => it === require("@footfall/node/" + ${JSON.stringify(ADAPTERS)}[at]).footfall));`;

  assert.equal(await execute("d.mjs", text), "true\n");
});

test("compilers that read no exports find the types of each adapter", async () => {
  const { exports, typesVersions } = JSON.parse(await readFile(join(source, "package.json"), "utf8"));

  assert.deepEqual(typesVersions, { "*": Object.fromEntries(ADAPTERS.map((name) => [name, [exports[`./${name}`].types]])) });
});

test("nothing else is installed, and tests are not part of the package", async () => {
  const lock = JSON.parse(await readFile(join(project, "package-lock.json"), "utf8"));
  const { stdout } = await run("npm", ["pack", "--json", "--dry-run"], { cwd: source });

  assert.deepEqual(Object.keys(lock.packages), ["", "node_modules/@footfall/node"]);
  const paths = JSON.parse(stdout)[0].files.map((/** @type {{ path: string }} */ { path }) => path);
  assert.ok(paths.includes("LICENSE") && paths.includes("README.md") && paths.includes("lib/client.js"));
  assert.ok(!paths.some((/** @type {string} */ path) => path.startsWith("tests/")));
});

test("a TypeScript program of the empty project compiles, by import and by require", async () => {
  for (const name of ["usage.mts", "usage.cts"]) {
    await writeFile(join(project, name), await readFile(join(source, "tests/types", name)));
  }
  const compiler = join(source, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--types", ""];

  await writeFile(join(project, "edge.mts"), `import { Footfall, footfall } from "@footfall/node/edge"; import { requestErrors } from "@footfall/node/next"; requestErrors; footfall(null as unknown as Footfall) satisfies Function;`);

  const { stdout } = await run(process.execPath, [compiler, ...flags, "usage.mts", "usage.cts", "edge.mts"], { cwd: project });

  assert.equal(stdout, "");
});
