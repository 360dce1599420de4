/** Tracks pages for a Footfall instance: the script of its tag as a package, without a global function. */

/** What a page says of itself, and what the script must not do on it. */
export interface Options {
  /** The site, by its number or its text id. */
  site: string | number;
  /** Where the service is, such as `https://desk.example.com/`; required without `endpoint`. */
  service?: string;
  /** The endpoint of events, by default `api/track` at the service. */
  endpoint?: string;
  /** The part after `#` belongs to the path. */
  hash?: boolean;
  /** Ends of paths that are files, instead of those of the service; an empty text for none. */
  downloads?: string | readonly string[];
  /** The release of the page's code, at most 200 characters. */
  release?: string;
  /** Count pageviews only when `pageview()` is called. */
  manual?: boolean;
  /** Patterns of paths that send nothing, such as `/admin/*`. */
  skip?: string | readonly string[];
  /** Patterns of paths whose wildcards stay in the browser, such as `/user/*`. */
  mask?: string | readonly string[];
  /** Send nothing until `on()` is called. */
  off?: boolean;
  respectGpc?: boolean;
  respectDnt?: boolean;
  /** The user who is signed in, with the signature of the site's backend. */
  user?: { id: string | number; signature?: string };
  /** Properties of all events of a page, or what returns those of the page that is shown. */
  properties?: Properties | (() => Properties);
  before?: Hook;
}

export type Properties = Record<string, unknown>;

/**
 * An event as it is to be sent, with its properties as an object. A report of engagement has all fields of its page;
 * only its own are sent.
 */
export interface TrackedEvent {
  site_id: string;
  type: 'pageview' | 'custom_event' | 'outbound' | 'error' | 'performance' | 'engagement';
  hostname: string;
  pathname: string;
  querystring?: string;
  referrer?: string;
  page_title?: string;
  event_name?: string;
  properties?: Properties;
  [field: string]: unknown;
}

/** Returns an event as it is to be sent, or null to drop it; a hook that fails drops it, too. */
export type Hook = (event: TrackedEvent) => TrackedEvent | null;

/** A page that takes the place of the one that is shown; what is absent is that of the browser. */
export interface Pageview {
  path?: string;
  title?: string;
  referrer?: string;
  properties?: Properties;
}

/** What a page does with the tracking of its visitor. No method throws. */
export interface Tracker {
  event(name: string, properties?: Properties): void;
  pageview(page?: Pageview): void;
  /** Report anything that was thrown. */
  error(thrown: unknown, properties?: Properties): void;
  /** Name the user of all later events, and of the first pageview while it waits and has none; without an id no user is named. */
  identify(id?: string | number | null, signature?: string): void;
  /** Send nothing any more, and forget what waits. */
  off(): void;
  /** Send again, and count the page that is shown. */
  on(): void;
  /** Mark this browser: nothing is sent from it. Where nothing can be stored, nothing is sent from this page until it is loaded again. */
  ignore(): void;
  /** Whether this browser is marked, or this page where nothing can be stored. */
  ignored(): boolean;
  /** Take the mark away, and count the page that is shown. */
  count(): void;
  before?: Hook | undefined;
}

/**
 * Count the page, and each one that takes its place. A second call returns the tracker of the first one. On a server, where
 * there is no page, the tracker does nothing.
 */
export function start(options: Options): Tracker;
