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
 * The page that an event belongs to. Without a title it gets the document's, when its first event is sent. Its properties
 * are those of each of its events, and so is the id of the event that counted it.
 *
 * @typedef {{hostname: string, pathname: string, querystring: string, referrer?: string, page_title?: string, release?: string, properties?: object, pageview_id?: string}} Page
 */

/** The user of an event, as its page names it. @typedef {{user_id?: unknown, user_signature?: unknown}} User */

/** What the service and the tag say of a site. A switch that is absent is on. @typedef {Record<string, any>} Config */

/** What becomes of an event before it is sent: the rules of the page and its hook. @typedef {(body: any) => any} Rules */

/**
 * @typedef {object} Setup
 * @property {string} site
 * @property {string} endpoint
 * @property {Record<string, any>} options of the tag
 * @property {() => object} declared properties of each event of the page
 * @property {(part: string, ...args: any[]) => Promise<any>} load another part of the script, and run it with what follows
 * @property {{before?: (event: any) => any}} api that has the hook of the page
 */

/** @type {Setup} */
let setup;
/** @type {() => unknown} */
let isSilent;
/** @type {Config | undefined} */
export let config;
/** @type {Rules | undefined} */
let rules;
/** Whose actions the next events are; undefined until the page is counted. @type {User | undefined} */
export let user;
/** The first user whom the page names. @type {User | undefined} */
let firstUser;
let titleTimer = 0;
/** @type {[string, Page, object][]} */
const waiting = [];

/** The page that is shown. @type {Page} */
export let page;

/** What happens on pages, for the part of the script that makes events of it, and for what is to happen before it is there. @type {[any, Page, any][]} */
export const happened = [];

/**
 * Post an event as plain text, which needs no preflight, in a way that survives the page.
 *
 * A beacon that is refused met the quota of 64 KiB in flight. A fetch with keepalive shares that quota, so it takes the
 * place of a beacon only in browsers that have none.
 *
 * @param {typeof waiting[0]} event
 */
function deliver([type, of, fields]) {
  // The order of the fields costs the script the fewest bytes.
  const body = {
    language: navigator.language,
    // The service stores an event once, however often the network delivers it.
    event_id: Date.now() + '-' + Math.random(),
    type,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...of,
    screenWidth: screen.width,
    screenHeight: screen.height,
    // Of the one event that was tracked before the page could name a user.
    ...firstUser,
    site_id: setup.site,
    color_scheme: matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light',
    // True or nothing, so that a person's events are no longer for it; extensions put other values there.
    webdriver: navigator.webdriver == true || undefined,
    ...fields,
  };
  // What a page wants left out stays in the browser until the part that leaves it out is there.
  const kept = rules ? rules(body) : setup.api.before || setup.options.skip || setup.options.mask ? null : body;
  if (!kept) return;
  if (type == 'pageview') of.pageview_id = kept.event_id;
  const text = toJson(kept, MAXIMA);
  if (!navigator.sendBeacon?.(setup.endpoint, text)) {
    fetch(setup.endpoint, { method: 'POST', body: text, keepalive: !navigator.sendBeacon }).catch(() => {});
  }
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
  if (config || leaving) waiting.splice(0).forEach(guarded(deliver));
});

/**
 * Track an event of the page that is shown, or of another, and of the user who is named now, also where another one is
 * named before the event is sent; its fields may say a former one. Properties are never cut: half of them would be
 * something else.
 *
 * @param {string} type
 * @param {Record<string, any>} [fields]
 * @param {Page} [of]
 */
export function track(type, fields = {}, of = page) {
  if (isSilent()) return;
  /** @type {any} */
  let { properties } = fields;
  // Those of errors are texts already, made by a part that browsers keep for as long as this one.
  if (type != 'error') {
    const own = toJson(properties ?? {});
    properties = toJson({ ...of.properties, ...JSON.parse(own) });
    // Texts and lists are spread by their places. Not thrown: the tag alone can be too long, and the script goes on.
    if (properties.length > MAX_PROPERTIES || own[0] != '{') return warn(properties);
  }
  waiting.push([type, of, { ...user, ...fields, properties: properties == '{}' ? undefined : properties }]);
  if (!titleTimer) flush(0);
}

/**
 * Say whose actions the next events are; without an id those of a person who is not known.
 *
 * @param {unknown} [id]
 * @param {unknown} [signed]
 */
export const identify = (id, signed) => {
  user = { user_id: id && id + '', user_signature: signed };
  if (id) firstUser ||= user;
};

/**
 * Let another page take the place of the one that was shown.
 *
 * @param {Page} next
 */
export function visit(next) {
  flush(0);
  happened.push([{ type: 'leave' }, page, user]);
  page = next;
  page.pageview_id = undefined;
  titleTimer = setTimeout(flush, TITLE_DELAY_MS);
}

/** Forget what waits, and that the page was counted. */
export function forget() {
  waiting.length = 0;
  visit({ ...page });
}

/**
 * Say how the site is configured; the server holds to the site's own switches all the same.
 *
 * @param {Config} known
 * @param {Rules} [given]
 */
export function configure(known, given) {
  config = { ...known, ...setup.options };
  rules = given;
  if (!titleTimer) flush(0);
}

/**
 * @param {Setup} given
 * @param {Page} first
 * @param {() => unknown} silent whether nothing may be sent
 */
export function begin(given, first, silent) {
  setup = given;
  page = first;
  isSilent = silent;
  listen('visibilitychange', flush);
  listen('prerenderingchange', flush);
}
