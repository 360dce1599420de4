/** The application of the tests on Fastify. */
import { Readable } from "node:stream";

import Fastify from "fastify";

import { footfall } from "@footfall/node/fastify";

import { PAGE, thrown } from "./parts.mjs";

/** @param {import("@footfall/node/fastify").Options} options */
export async function start(options) {
  const app = Fastify();
  await app.register(footfall, options);
  const html = (/** @type {any} */ reply) => reply.type("text/html; charset=utf-8");
  for (const path of ["/", "/health"]) app.get(path, async (_request, reply) => html(reply).send(PAGE));
  await app.register(async (nested) => {
    await nested.register(footfall, options);
    nested.get("/nested/page", async (_request, reply) => html(reply).send(PAGE));
  });
  app.get("/data", async () => ({ page: PAGE }));
  app.get("/style.css", async (_request, reply) => reply.type("text/css").send("p { color: red }"));
  app.get("/missing", async (_request, reply) => html(reply).code(404).send(PAGE));
  app.get("/away", async (_request, reply) => reply.redirect("/"));
  app.get("/written", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
  });
  app.get("/stream", async (_request, reply) => html(reply).send(Readable.from([PAGE, PAGE, PAGE])));
  app.get("/endless", async (_request, reply) => html(reply).send(new Readable({ read() {} }).push(PAGE) && Readable.from(endless())));
  app.get("/user", async (request, reply) => {
    request.footfall.set({ user_id: "42", page_title: "Account" });
    return html(reply).send(PAGE);
  });
  app.get("/ignored", async (request, reply) => {
    request.footfall.ignore();
    return html(reply).send(PAGE);
  });
  app.post("/join", async (request, reply) => {
    request.footfall.event("sign up", { plan: "pro" });
    request.footfall.outbound("https://pay.example/");
    return html(reply).send(PAGE);
  });
  app.get("/throw/:what", async (request) => {
    throw thrown(/** @type {any} */ (request.params).what);
  });
  app.setErrorHandler(async (_error, _request, reply) => html(reply).code(500).send(PAGE));
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server;
}

async function* endless() {
  yield PAGE;
  await new Promise(() => {});
}
