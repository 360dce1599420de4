/**
 * Serves the application of a framework (FRAMEWORK) with a client of a service (SERVICE, KEY), in one process or in WORKERS of
 * node:cluster. Writes lines of JSON: the port, each event that was lost, and the numbers of each process when it ends.
 */
import cluster from "node:cluster";
import { once } from "node:events";

import { Footfall } from "@footfall/node";

const { FRAMEWORK, SERVICE, KEY, WORKERS = "0", OPTIONS = "{}" } = process.env;
const say = (/** @type {object} */ line, written = () => {}) => process.stdout.write(`${JSON.stringify(line)}\n`, written);

if (cluster.isPrimary && WORKERS !== "0") {
  cluster.on("listening", (worker, { port }) => say({ port, pid: worker.process.pid }));
  for (let count = 0; count < Number(WORKERS); count += 1) cluster.fork();
  process.once("SIGTERM", () => Object.values(cluster.workers ?? {}).forEach((worker) => worker?.process.kill("SIGTERM")));
} else {
  const client = new Footfall({
    analyticsHost: String(SERVICE),
    siteId: 1,
    apiKey: String(KEY),
    batch: true,
    flushInterval: 20,
    retryDelay: 100,
    onError: ({ code, outcome }, event) => say({ query: event?.querystring ?? null, code, outcome }),
    ...JSON.parse(OPTIONS),
  });
  const { start } = await import(`./apps/${FRAMEWORK}.mjs`);
  const server = await start(SERVICE ? { client } : { client, pageviews: false, exceptions: false });
  if (!server.listening) await once(server, "listening");
  if (cluster.isPrimary) say({ port: server.address().port, pid: process.pid });
  process.once("SIGTERM", async () => {
    server.close();
    server.closeIdleConnections();
    await client.close({ timeout: Number(process.env["CLOSE"] ?? 2_000) });
    // process.exit() would cut off what is not written yet.
    say({ stats: client.stats, memory: process.memoryUsage().rss }, () => process.exit());
  });
}
