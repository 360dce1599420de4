/** What a TypeScript program may write with each framework; checked by `npm run types`, never run. */
import express from "express";
import Fastify from "fastify";

import { Footfall } from "@footfall/node";
import * as onExpress from "@footfall/node/express";
import * as onFastify from "@footfall/node/fastify";

const client = new Footfall({ analyticsHost: "https://desk.example.com/api", siteId: 1, apiKey: "ff_key", batch: true });

const app = express();
app.use(onExpress.footfall(client, { trustedHops: 1, bots: "count", before: (payload) => ({ ...payload, page_title: "Shop" }) }));
app.get("/", async (request, response) => {
  request.footfall.set({ user_id: "42" });
  await request.footfall.event("sign up", { plan: "pro" });
  response.send();
});
app.use(onExpress.footfallErrors());

const fastify = Fastify();
await fastify.register(onFastify.footfall, { client, skip: ["/admin/*", /^\/preview/], before: (payload, request) => (request.ip === "::1" ? null : payload) });
fastify.get("/", async (request) => request.footfall.performance({ ttfb: 5 }));

// @ts-expect-error an option that does not exist
onExpress.footfall(client, { trustedProxies: 1 });
// @ts-expect-error the client is missing
await fastify.register(onFastify.footfall, { trustedHops: 1 });
