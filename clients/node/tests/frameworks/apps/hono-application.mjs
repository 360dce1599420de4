/** The application of the tests on Hono, for Node.js and for edge runtimes. */
import { Hono } from "hono";

import { footfall } from "@footfall/node/hono";

import { PAGE, thrown } from "./parts.mjs";

/** @param {import("@footfall/node/hono").WebOptions & { client: any }} options */
export function application({ client, ...options }) {
  const app = new Hono();
  app.use(footfall(client, options));
  for (const path of ["/", "/health", "/written"]) app.get(path, (c) => c.html(PAGE));
  app.use("/nested/*", footfall(client, options));
  app.get("/nested/page", (c) => c.html(PAGE));
  app.get("/data", (c) => c.json({ page: PAGE }));
  app.get("/style.css", (c) => c.text("p { color: red }", 200, { "content-type": "text/css" }));
  app.get("/missing", (c) => c.html(PAGE, 404));
  app.get("/away", (c) => c.redirect("/"));
  app.get("/stream", (c) => c.body(parts(3), 200, { "content-type": "text/html" }));
  app.get("/endless", (c) => c.body(parts(Infinity), 200, { "content-type": "text/html" }));
  app.get("/user", (c) => {
    c.get("footfall").set({ user_id: "42", page_title: "Account" });
    return c.html(PAGE);
  });
  app.get("/ignored", (c) => {
    c.get("footfall").ignore();
    return c.html(PAGE);
  });
  app.post("/join", (c) => {
    c.get("footfall").event("sign up", { plan: "pro" });
    c.get("footfall").outbound("https://pay.example/");
    return c.html(PAGE);
  });
  app.get("/throw/:what", (c) => {
    throw thrown(c.req.param("what"));
  });
  app.onError((_error, c) => c.html(PAGE, c.req.path === "/throw/refused" ? 400 : 500));
  return app;
}

/** @param {number} count */
function parts(count) {
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      if (sent === count) return controller.close();
      sent += 1;
      controller.enqueue(new TextEncoder().encode(PAGE));
      if (count === Infinity) await new Promise((resolve) => setTimeout(resolve, 5));
    },
  });
}
