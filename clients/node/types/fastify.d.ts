import type { FastifyPluginAsync, FastifyRequest } from "fastify";

import type { Client, RequestTracker, WebOptions } from "./web.js";

export type { RequestTracker, WebOptions } from "./web.js";

declare module "fastify" {
  interface FastifyRequest {
    footfall: RequestTracker;
  }
}

export interface Options extends WebOptions<FastifyRequest> {
  client: Client | null;
}

/** Counts pages, reports what handlers throw, and puts `footfall` on each request; to be registered before the routes. */
export const footfall: FastifyPluginAsync<Options>;
