/** The application of the tests on node:http alone, as frameworks without an adapter use it. */
import { createServer } from "node:http";

import { footfall } from "@footfall/node/http";

import { PAGE } from "./parts.mjs";

/** @type {Record<string, (response: import("node:http").ServerResponse) => void>} */
const ROUTES = {
  "/data": (response) => response.setHeader("content-type", "application/json").end("{}"),
  "/style.css": (response) => response.setHeader("content-type", "text/css").end("p { color: red }"),
  "/missing": (response) => response.writeHead(404, { "content-type": "text/html" }).end(PAGE),
  "/away": (response) => response.writeHead(302, { location: "/" }).end(),
  "/written": (response) => response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE),
  "/stream": (response) => {
    response.setHeader("content-type", "text/html");
    for (let part = 0; part < 3; part += 1) response.write(PAGE);
    response.end();
  },
  "/endless": (response) => void response.setHeader("content-type", "text/html").write(PAGE),
};
const PAGES = new Set(["/", "/health", "/user", "/nested/page"]);

/** @param {import("@footfall/node/http").WebOptions & { client: any }} options */
export async function start({ client, ...options }) {
  const server = createServer((request, response) => {
    const path = String(request.url?.split("?")[0]);
    // As routers do.
    request.url = "/rewritten";
    if (PAGES.has(path) && request.method !== "DELETE" && request.method !== "OPTIONS") return void response.setHeader("content-type", "text/html").end(PAGE);
    const route = ROUTES[path];
    if (route) return route(response);
    response.writeHead(404).end();
  });
  const stop = footfall(client, options);
  server.on("close", stop);
  return server.listen(0, "127.0.0.1");
}
