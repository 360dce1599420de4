/** The application of the tests on Express. */
import express from "express";

import { footfall, footfallErrors } from "@footfall/node/express";

import { PAGE, thrown } from "./parts.mjs";

/** @param {import("@footfall/node/express").WebOptions & { client: any }} options */
export async function start({ client, ...options }) {
  const app = express();
  app.use(footfall(client, options));
  app.get(["/", "/health"], (_request, response) => void response.send(PAGE));
  app.get("/data", (_request, response) => void response.json({ page: PAGE }));
  app.get("/style.css", (_request, response) => void response.type("css").send("p { color: red }"));
  app.get("/missing", (_request, response) => void response.status(404).send(PAGE));
  app.get("/away", (_request, response) => response.redirect("/"));
  app.get("/written", (_request, response) => void response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE));
  app.get("/stream", async (_request, response) => {
    response.type("html");
    for (let part = 0; part < 3; part += 1) await new Promise((done) => response.write(PAGE, done));
    response.end();
  });
  app.get("/endless", (_request, response) => void response.type("html").write(PAGE));
  app.get("/user", (request, response) => {
    request.footfall.set({ user_id: "42", page_title: "Account" });
    response.send(PAGE);
  });
  app.get("/ignored", (request, response) => {
    request.footfall.ignore();
    response.send(PAGE);
  });
  app.post("/join", (request, response) => {
    request.footfall.event("sign up", { plan: "pro" });
    request.footfall.outbound("https://pay.example/");
    response.send(PAGE);
  });
  app.get("/throw/:what", async (request) => {
    throw thrown(request.params.what);
  });
  const nested = express.Router();
  nested.use(footfall(client, options));
  nested.get("/page", (_request, response) => void response.send(PAGE));
  app.use("/nested", nested);
  app.use(footfallErrors());
  app.use((/** @type {any} */ _error, /** @type {any} */ _request, /** @type {any} */ response, /** @type {any} */ _next) => {
    response.status(500).send(PAGE);
  });
  return app.listen(0, "127.0.0.1");
}
