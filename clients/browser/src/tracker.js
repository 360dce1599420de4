/** What happened on the page, from the moment it is noticed until it is sent. */

import { guarded, listen, warn } from './guard.js';
import { toJson } from './text.js';

// Frameworks set the title of a new page some time after they have changed the address.
const TITLE_DELAY_MS = 100;

/** Fields whose maximum is not that of most texts. */
const MAXIMA = { event_name: 256, page_title: 512, release: 200, properties: 65536 };

// What the service takes; those of errors may be longer, and are cut where they are made.
const MAX_PROPERTIES = 8192;

/**
 * The switches of a site by the type of event that they cover; that of web vitals decides whether their part is loaded.
 *
 * @type {Record<string, string>}
 */
const SWITCHES = { error: 'trackErrors', outbound: 'trackOutbound' };

/**
 * The page that an event belongs to. Without a title it gets the document's, when its first event is sent. Its properties
 * are those of each of its events.
 *
 * @typedef {{hostname: string, pathname: string, querystring: string, referrer?: string, page_title?: string, release?: string, properties?: object}} Page
 */

/** @type {string} */
let endpoint;
/** @type {string} */
let siteId;
/** @type {Record<string, any> | undefined} */
let config;
let titleTimer = 0;
/** @type {[string, Page, object | undefined][]} */
const waiting = [];

/** The page that is shown. @type {Page} */
export let page;

/**
 * Post a body as plain text, which needs no preflight, in a way that survives the page.
 *
 * A beacon that is refused met the quota of 64 KiB in flight. A fetch with keepalive shares that quota, so it takes the
 * place of a beacon only in browsers that have none.
 *
 * @param {string} body
 */
function post(body) {
  if (!navigator.sendBeacon?.(endpoint, body)) {
    fetch(endpoint, { method: 'POST', body, keepalive: !navigator.sendBeacon }).catch(() => {});
  }
}

/** Whether the site is known not to want a type of event. @param {string} type */
export const isOff = (type) => config?.[SWITCHES[type]] === false;

/** Whether a path ends as files do; none does as long as the configuration is to come. @param {string} path */
export const isFile = (path) => RegExp(`[.](${config?.downloads})$`, 'i').test(path);

/** @param {typeof waiting[0]} event */
function deliver([type, page, fields]) {
  if (isOff(type)) return;
  const body = {
    site_id: siteId,
    // The service stores an event once, however often the network delivers it.
    event_id: crypto.getRandomValues(new Uint32Array(4)).join('-'),
    type,
    ...page,
    language: navigator.language,
    color_scheme: matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light',
    screenWidth: screen.width,
    screenHeight: screen.height,
    // True or nothing, so that a person's events are no longer for it; extensions put other values there.
    webdriver: navigator.webdriver == true || undefined,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...fields,
  };
  if (config?.trackUrlParams === false) body.querystring = '';
  post(toJson(body, MAXIMA));
}

/**
 * Send what waits, unless the page is only prerendered or the configuration is still to come; a page that is left waits
 * for nothing.
 */
const flush = guarded((/** @type {unknown} */ leaving) => {
  if (document.prerendering) return;
  clearTimeout(titleTimer);
  titleTimer = 0;
  for (const [, page] of waiting) page.page_title ??= document.title;
  if (config || leaving) waiting.splice(0).forEach(deliver);
});

/**
 * Track an event of the page that is shown, or of another. Properties are never cut: half of them would be something
 * else.
 *
 * @param {string} type
 * @param {Record<string, any>} [fields]
 * @param {Page} [of]
 */
export function track(type, fields = {}, of = page) {
  /** @type {any} */
  let { properties } = fields;
  // Those of errors are texts already, made by a part that browsers keep for as long as this one.
  if (type != 'error') {
    const own = toJson(properties ?? {});
    properties = toJson({ ...of.properties, ...JSON.parse(own) });
    // Texts and lists are spread by their places. Not thrown: the tag alone can be too long, and the script goes on.
    if (properties.length > MAX_PROPERTIES || own[0] != '{') return warn(properties);
  }
  waiting.push([type, of, { ...fields, properties: properties == '{}' ? undefined : properties }]);
  if (!titleTimer) flush(0);
}

/**
 * Let another page take the place of the one that was shown.
 *
 * @param {Page} next
 */
export function visit(next) {
  flush(0);
  page = next;
  titleTimer = setTimeout(flush, TITLE_DELAY_MS);
}

/**
 * Say how the site is configured. A switch that is absent is on; the server holds to the site's own all the same.
 *
 * @param {Record<string, any>} known
 */
export function configure(known) {
  config = known;
  if (!titleTimer) flush(0);
}

/**
 * @param {string} url of the endpoint
 * @param {string} site
 * @param {Page} first
 */
export function begin(url, site, first) {
  endpoint = url;
  siteId = site;
  page = first;
  listen('visibilitychange', flush);
  listen('prerenderingchange', flush);
}
