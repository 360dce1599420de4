/** The application of the tests on Hono, served by Node.js. */
import { serve } from "@hono/node-server";

import { application } from "./hono-application.mjs";

/** @param {import("@footfall/node/hono").WebOptions & { client: any }} options */
export async function start(options) {
  return serve({ fetch: application(options).fetch, port: 0, hostname: "127.0.0.1" });
}
