/** Measures what the adapters add to a request: processor time of the server, and latency, with and without them, in turn. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { KEY, ScriptedServer } from "../scripted-server.mjs";

// Batches as they are by default.
const REQUESTS = Number(process.env["REQUESTS"] ?? 20_000);
const agent = new http.Agent({ keepAlive: true, maxSockets: 10 });

/** @param {number} pid */
const ticks = (pid) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 13).reduce((sum, part) => sum + Number(part), 0) ?? 0;

/** @param {number} port @returns {Promise<number>} */
const ask = (port) =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", referer: "https://search.example/" };
    http.get({ port, agent, path: "/?utm_source=mail", headers }, (response) => response.resume().on("end", () => resolve(performance.now() - started))).on("error", reject);
  });

/** @param {string} framework @param {string} service */
async function measure(framework, service) {
  const program = fileURLToPath(new URL("serve.mjs", import.meta.url));
  const child = spawn(process.execPath, [program], { env: { ...process.env, FRAMEWORK: framework, SERVICE: service, KEY, OPTIONS: service ? '{"flushInterval":1000}' : '{"analyticsHost":"http://127.0.0.1:1/api"}' }, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const { port, pid } = JSON.parse(line);
  for (let count = 0; count < 2_000; count += 1) await ask(port);
  const [before, latencies] = [ticks(pid), /** @type {number[]} */ ([])];
  const work = async () => {
    while (latencies.length < REQUESTS) latencies.push(await ask(port));
  };
  await Promise.all(Array.from({ length: 10 }, work));
  const cpu = ((ticks(pid) - before) * 10_000) / latencies.length;
  latencies.sort((one, other) => one - other);
  child.kill("SIGTERM");
  await once(child, "exit");
  return { cpu, p50: latencies[Math.floor(latencies.length * 0.5)] ?? 0, p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0 };
}

const service = await new ScriptedServer().start();
for (const framework of ["express", "fastify", "hono", "http"]) {
  for (let round = 0; round < 3; round += 1) {
    for (const url of ["", String(service.url)]) {
      const { cpu, p50, p99 } = await measure(framework, url);
      console.log(`${framework.padEnd(8)} ${url ? "with   " : "without"} ${cpu.toFixed(0)} µs of processor time, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
    }
  }
}
agent.destroy();
await service.stop();
