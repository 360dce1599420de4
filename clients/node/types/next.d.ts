import type { Client, RequestTracker, WebOptions } from "./web.js";

export type { RequestTracker, WebOptions } from "./web.js";

/** A request, or `{ headers: await headers() }` of a server action. */
export interface NextRequestLike {
  headers: { get(name: string): string | null };
  url?: string;
  method?: string;
}

/** Counts requests for pages in `proxy`, before there is an answer. */
export function footfall(
  client: Client | null,
  options?: WebOptions<NextRequestLike>,
): (request: NextRequestLike, event: { waitUntil(promise: Promise<unknown>): void }) => void;

/** Reports events of the visitor of a request, in route handlers and server actions. */
export function requestTracker(client: Client | null, options?: WebOptions<NextRequestLike>): (request: NextRequestLike) => RequestTracker;

/** Makes `onRequestError` of `instrumentation`, which reports what handlers and components throw. */
export function requestErrors(
  client: Client | null,
  options?: WebOptions,
): (
  error: unknown,
  request: Readonly<{ path: string; method: string; headers: { [name: string]: string | string[] | undefined } }>,
  context: unknown,
) => Promise<void>;
