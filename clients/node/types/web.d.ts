/** What the adapters of all frameworks share. */
import type { Metrics, Payload, Properties, Receipt, Tracker } from "../index.js";

/** A client of this package, for Node.js with `batch: true`, or for edge runtimes. Adapters take null for none: they send nothing then. */
export interface Client extends Tracker {
  readonly batch?: boolean;
}

/** `Request` is the request of the framework, or the context of Hono. */
export interface WebOptions<Request = any> {
  /** Counts pages. Default: true. */
  pageviews?: boolean | undefined;
  /** Reports what handlers throw, unless it has a status from 400 to 499. Default: true. */
  exceptions?: boolean | undefined;
  /** `judge` leaves out bots on sites that block them, `count` stores them. Default: judge. */
  bots?: "judge" | "count" | undefined;
  /** Each request passes so many proxies that append to `X-Forwarded-For`. Default: the framework decides. */
  trustedHops?: number | undefined;
  /** The networks of your proxies, such as `10.0.0.0/8`. */
  trustedNetworks?: readonly string[] | undefined;
  /** Tells the address of the connection, where the runtime has a way of its own. */
  address?: ((request: Request) => string | undefined) | undefined;
  /** Paths that are not counted; `*` stands for any characters. Default: those of static files and health checks. */
  skip?: readonly string[] | undefined;
  /** Changes the payload of a pageview; null leaves it out. */
  before?: ((payload: Payload, request: Request) => Payload | null | undefined) | undefined;
}

/** Reports events of one request, with the address, user agent, host and path of its visitor. */
export interface RequestTracker {
  event(name: string, properties?: Properties | null, payload?: Payload | null): Promise<Receipt>;
  outbound(url: string, properties?: Properties | null, payload?: Payload | null): Promise<Receipt>;
  performance(metrics: Metrics, properties?: Properties | null, payload?: Payload | null): Promise<Receipt>;
  error(thrown: unknown, properties?: Properties | null, payload?: Payload | null): Promise<Receipt>;
  /** Sets fields of the pageview and of later events of this request, such as `user_id` or `page_title`. */
  set(payload: Payload): void;
  /** Leaves this request out of the pageviews. */
  ignore(): void;
}
