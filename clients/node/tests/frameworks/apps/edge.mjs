/** A program of an edge runtime: a handler of its own below /own/, an application of Hono elsewhere. */
import { Footfall, footfall } from "@footfall/node/edge";

import { application } from "./hono-application.mjs";
import { PAGE, thrown } from "./parts.mjs";

// Whatever needs a timer of ours fails, or on Cloudflare what belongs to the request that made it, which the client outlives.
for (const name of ["setTimeout", "setInterval", "setImmediate", "AbortController"]) {
  globalThis[name] = function refused() {
    throw new Error(`${name} was used`);
  };
}

const client = new Footfall({ analyticsHost: SERVICE, siteId: 1, apiKey: "ff_test", timeout: 200, environment: "edge" });
const options = { trustedHops: 1 };
const app = application({ client, ...options });
const own = footfall(client, options);

addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (path === "/stats") return event.respondWith(Response.json(client.stats));
  if (!path.startsWith("/own/")) return event.respondWith(app.fetch(request, {}, event));
  const answer = own(request, event, (visit) => {
    if (path === "/own/throw") throw thrown("error");
    visit.event("sign up");
    return new Response(PAGE, { headers: { "content-type": "text/html" } });
  });
  event.respondWith(answer.catch(() => new Response("failed", { status: 500 })));
});
