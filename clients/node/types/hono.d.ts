import type { Context, MiddlewareHandler } from "hono";

import type { Client, RequestTracker, WebOptions } from "./web.js";

export type { RequestTracker, WebOptions } from "./web.js";

declare module "hono" {
  interface ContextVariableMap {
    footfall: RequestTracker;
  }
}

/** Counts pages, reports what handlers throw, and sets `footfall` in each context; to be used before the routes. */
export function footfall(client: Client | null, options?: WebOptions<Context>): MiddlewareHandler;
