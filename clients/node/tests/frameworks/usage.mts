/** What a TypeScript program may write with each framework; checked by `npm run types`, never run. */
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";

import { Footfall } from "@footfall/node";
import * as onExpress from "@footfall/node/express";
import * as onEdge from "@footfall/node/edge";
import * as onFastify from "@footfall/node/fastify";
import * as onHono from "@footfall/node/hono";
import * as onHttp from "@footfall/node/http";
import * as onNext from "@footfall/node/next";

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
await fastify.register(onFastify.footfall, { client, skip: ["/admin/*"], before: (payload, request) => (request.ip === "::1" ? null : payload) });
fastify.get("/", async (request) => request.footfall.performance({ ttfb: 5 }));

const edge = new onEdge.Footfall({ analyticsHost: "https://desk.example.com/api", siteId: 1, apiKey: "ff_key", retries: 0 });
const hono = new Hono();
hono.use(onHono.footfall(edge, { address: (c) => c.req.header("x-real-ip") }));
hono.get("/", (c) => {
  c.get("footfall").ignore();
  return c.html("");
});

const stop: () => void = onHttp.footfall(client, { before: (payload, request) => (request.url === "/" ? payload : null) });
stop();

const answer = onEdge.footfall(edge, { address: (request) => request.headers.get("x-real-ip") ?? undefined });
export default { fetch: (request: Request, _env: unknown, context: { waitUntil(promise: Promise<unknown>): void }) => answer(request, context, () => new Response()) };
await edge.flush();

export const proxy = onNext.footfall(client);
export const onRequestError = onNext.requestErrors(client, { trustedHops: 1 });
await onNext.requestTracker(client)({ headers: new Headers() }).error(new Error("caught"), { cart: 7 });

// @ts-expect-error an option that the client for edge runtimes does not have
new onEdge.Footfall({ analyticsHost: "https://desk.example.com/api", siteId: 1, apiKey: "ff_key", batch: true });
// @ts-expect-error an option that does not exist
onExpress.footfall(client, { trustedProxies: 1 });
// @ts-expect-error the client is missing
await fastify.register(onFastify.footfall, { trustedHops: 1 });
