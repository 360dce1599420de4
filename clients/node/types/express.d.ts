import type { IncomingMessage, ServerResponse } from "node:http";

import type { Client, RequestTracker, WebOptions } from "./web.js";

export type { RequestTracker, WebOptions } from "./web.js";

declare global {
  namespace Express {
    interface Request {
      footfall: RequestTracker;
    }
  }
}

/** Counts pages and puts `footfall` on each request; to be used before the routes. */
export function footfall(
  client: Client | null,
  options?: WebOptions,
): (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** Reports what handlers throw and passes it on; to be used behind the routes, before other handlers of errors. */
export function footfallErrors(): (
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;
