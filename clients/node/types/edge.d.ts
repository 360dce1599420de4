import type { Options as All, Stats, Tracker } from "../index.js";
import type { Client, RequestTracker, WebOptions } from "./web.js";

export type { RequestTracker, WebOptions } from "./web.js";

/** Defaults: `timeout` 3000, `retries` 1, at once and without a wait, `queueSize` 1000 calls under way. */
export type Options = Pick<
  All,
  "analyticsHost" | "siteId" | "apiKey" | "debug" | "timeout" | "retries" | "queueSize" | "onError" | "defaults" | "environment"
>;

export interface Footfall extends Tracker {}

/** The client for runtimes that have `fetch` and end with the answer. */
export class Footfall {
  /** Throws a TypeError that names the option when one is missing or invalid. */
  constructor(options: Options);
  /** Resolves when every call made so far is settled; for `waitUntil`. Never rejects. */
  flush(): Promise<void>;
  readonly stats: Stats;
}

/** Counts the page that a handler answers with, and reports what it throws. */
export function footfall(
  client: Client | null,
  options?: WebOptions<Request>,
): (
  request: Request,
  context: { waitUntil?(promise: Promise<unknown>): void } | undefined,
  handle: (visit: RequestTracker) => Response | Promise<Response>,
) => Promise<Response>;
