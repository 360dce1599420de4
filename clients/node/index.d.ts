/** What may stand in the properties of a pageview or a custom event; undefined is left out. */
export type Scalar = string | number | boolean;
export type Properties = { readonly [key: string]: Scalar | readonly Scalar[] | undefined };

/** What is known of the visit; everything is optional; null and undefined count as absent. */
export interface Payload {
  hostname?: string | null | undefined;
  pathname?: string | null | undefined;
  querystring?: string | null | undefined;
  screenWidth?: number | null | undefined;
  screenHeight?: number | null | undefined;
  language?: string | null | undefined;
  color_scheme?: "light" | "dark" | null | undefined;
  time_zone?: string | null | undefined;
  page_title?: string | null | undefined;
  referrer?: string | null | undefined;
  /** The version of the code that sends the event. */
  release?: string | null | undefined;
  user_id?: string | null | undefined;
  user_signature?: string | null | undefined;
  user_agent?: string | null | undefined;
  ip_address?: string | null | undefined;
  /** Leaves out the event of a bot, by its `user_agent`, on a site that blocks bots. Default: it is stored. */
  bots?: "judge" | null | undefined;
  /** When it happened; a text is ISO 8601 with an offset. Default: the time of the call with `batch`, else that of arrival. */
  timestamp?: string | Date | null | undefined;
  /** The name by which the service stores an event once within 24 hours. Default: a random one. */
  event_id?: string | null | undefined;
}

/** What was measured of a page: milliseconds, and `cls` without a unit. */
export interface Metrics {
  lcp?: number | undefined;
  fcp?: number | undefined;
  inp?: number | undefined;
  ttfb?: number | undefined;
  cls?: number | undefined;
}

/** A call as it goes to the service. */
export interface TrackingEvent extends Payload, Metrics {
  site_id: string;
  type: "pageview" | "custom_event" | "outbound" | "performance" | "error";
  event_name?: string;
  /** A JSON document, serialized. */
  properties?: string;
}

export interface Options {
  /** The address of the instance, `/api` included. */
  analyticsHost: string;
  siteId: string | number;
  apiKey: string;
  /** Logs each event and each exchange to the console; never the key or an address. Default: false. */
  debug?: boolean | undefined;
  /** Milliseconds that one attempt may take. Default: 10000. */
  timeout?: number | undefined;
  /** How often a failed attempt is repeated. Default: 3. */
  retries?: number | undefined;
  /** Milliseconds before the first repetition; doubled each time. Default: 1000. */
  retryDelay?: number | undefined;
  /** The longest wait before a repetition, in milliseconds; a longer `Retry-After` ends the delivery.
   *  Default: 60000, with `batch` 900000. */
  maxRetryDelay?: number | undefined;
  /** Gathers events in memory and sends them together. Default: false. */
  batch?: boolean | undefined;
  /** Events in one request, 1 to 500. Default: 500. */
  batchSize?: number | undefined;
  /** Milliseconds that an event waits for others at most. Default: 1000. */
  flushInterval?: number | undefined;
  /** Events in memory; one more is refused. Default: 10000. */
  queueSize?: number | undefined;
  /** Bytes of the events in memory, as they are sent; one more event is refused. Default: 16777216. */
  queueBytes?: number | undefined;
  /** Milliseconds for which the end of the process waits for the report of an exception. Default: 2000. */
  exitTimeout?: number | undefined;
  /** Fields of all events that do not say otherwise, such as `hostname` and `release`. */
  defaults?: Payload | undefined;
  /** A property of all exceptions, such as "production". */
  environment?: string | undefined;
  /** Is told of every event whose storage was not confirmed, awaited or not. The event is null when it could not be
   *  built. Default: a warning on the console, at most one a second. */
  onError?: ((error: FootfallError, event: TrackingEvent | null) => void) | undefined;
}

/** The service's acknowledgement of one event. */
export interface Receipt {
  /** Why an acknowledged event was not counted, for example "Event not tracked - IP excluded". */
  message: string | null;
}

/** Calls so far by outcome; the five numbers add up to the calls made. */
export interface Stats {
  delivered: number;
  /** Refused by the service, or invalid and never sent. */
  refused: number;
  /** Sent and never confirmed: possibly stored. */
  unknown: number;
  /** Never sent: the queue was full, there were too many exceptions, or the client was closed. */
  dropped: number;
  pending: number;
}

export type ErrorCode = "INVALID_EVENT" | "REFUSED" | "UNCONFIRMED" | "QUEUE_FULL" | "CLOSED";

export interface Details {
  fieldErrors?: { [field: string]: string[] };
  formErrors?: string[];
}

export class FootfallError extends Error {
  readonly code: ErrorCode;
  /** `refused`: certainly not stored. `unknown`: sent, and no confirmation came. */
  readonly outcome: "refused" | "unknown";
  /** The HTTP status of the last answer; null when there was none. */
  readonly status: number | null;
  readonly details: Details | null;
  /** How often the event was sent. */
  readonly attempts: number;
  constructor(message: string, facts: ErrorFacts);
}

export interface ErrorFacts {
  code: ErrorCode;
  outcome?: "refused" | "unknown";
  status?: number | null;
  details?: Details | null;
  attempts?: number;
  cause?: unknown;
}

/** The calls of a client, for Node.js and for edge runtimes. */
export interface Tracker {
  /** Resolves when the service acknowledged the pageview; rejects with a FootfallError otherwise. A rejection that is
   *  not awaited is never an unhandled one. */
  pageview(payload?: Payload | null, properties?: Properties | null): Promise<Receipt>;
  /** Resolves when the service acknowledged the event; rejects with a FootfallError otherwise. A rejection that is not
   *  awaited is never an unhandled one. */
  event(eventName: string, payload?: Payload | null, properties?: Properties | null): Promise<Receipt>;
  /** Reports that a visitor was sent to an address elsewhere; resolves and rejects as `event`. */
  outbound(url: string, payload?: Payload | null, properties?: Properties | null): Promise<Receipt>;
  /** Reports at least one measurement of a page; resolves and rejects as `event`. */
  performance(metrics: Metrics, payload?: Payload | null, properties?: Properties | null): Promise<Receipt>;
  /** Reports what was thrown, of any type, at most 100 in a minute; resolves and rejects as `event`. */
  error(thrown: unknown, payload?: Payload | null, properties?: Properties | null): Promise<Receipt>;
}

export interface Footfall extends Tracker {}

export class Footfall {
  /** Throws a TypeError that names the option when one is missing or invalid. */
  constructor(options: Options);
  /** Reports the exceptions and rejections that no code of the process handles. What becomes of the process stays as it
   *  is; its end waits for the report, `exitTimeout` at most. `close` ends it. */
  reportUncaught(): void;
  /** Resolves when every call made so far is settled. Never rejects. */
  flush(): Promise<void>;
  /** Takes no more calls, sends what waits and resolves when that is settled; what is not settled after
   *  `timeout` milliseconds (default: 30000) is given up and reported. Never rejects. */
  close(options?: { timeout?: number }): Promise<void>;
  readonly stats: Stats;
  /** Whether calls wait in a queue. */
  readonly batch: boolean;
}
