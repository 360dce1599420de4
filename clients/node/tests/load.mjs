/**
 * Sends COUNT events (MODE single or batch) to FOOTFALL_API_URL and writes one JSON line for each: its name and
 * "stored", "refused" or "unknown". A test that restarts the service meanwhile compares the lines with the stored events.
 */
import { Footfall } from "@footfall/node";

const { FOOTFALL_API_URL, FOOTFALL_API_KEY, FOOTFALL_SITE_ID, COUNT = "1000", MODE = "batch", AT_ONCE = "64" } = process.env;

const client = new Footfall({
  analyticsHost: String(FOOTFALL_API_URL),
  siteId: String(FOOTFALL_SITE_ID),
  apiKey: String(FOOTFALL_API_KEY),
  timeout: Number(process.env["TIMEOUT"] ?? 10_000),
  retryDelay: Number(process.env["RETRY_DELAY"] ?? 1_000),
  ...(MODE === "batch" && { batch: true, batchSize: 100, queueSize: Number(COUNT), flushInterval: 5, onError: () => {} }),
});

/** @param {string} name */
async function send(name) {
  const outcome = await client.event(name, { pathname: "/load" }).then(
    () => "stored",
    (error) => error.outcome,
  );
  console.log(JSON.stringify({ name, outcome }));
}

const names = Array.from({ length: Number(COUNT) }, (_, index) => `load-${index}`);
async function work() {
  for (let name = names.shift(); name !== undefined; name = names.shift()) await send(name);
}
await Promise.all(Array.from({ length: Number(AT_ONCE) }, work));
await client.close();
