/** The script of pages that were made for Umami: reads its tag, and gives pages its functions (docs/track/protocols/umami.md). */

import { start } from './core.js';
import { guarded, listen, warn } from './guard.js';
import { publish } from './publish.js';
import { toJson } from './text.js';
import { page, track, user, visit } from './tracker.js';

const EVENT = 'data-umami-event';

/** An event as Umami's script writes it. @typedef {Record<string, any>} Payload */

/**
 * Return a payload of Umami with the fields of our own events. Without an address it is about the page that is shown, as
 * far as the tag lets its address leave the browser.
 *
 * @param {Payload} payload
 */
function ours({ website, hostname, url, title, referrer, name, data, tag, id, language }) {
  const shown = theirs(page).url;
  const address = new URL(url || shown, shown);
  return {
    site_id: website,
    hostname: hostname || address.hostname,
    pathname: address.pathname + address.hash.split('?')[0],
    querystring: address.search.slice(1),
    page_title: title,
    referrer,
    event_name: name,
    user_id: id,
    language,
    properties: { ...(tag && { tag }), ...data },
  };
}

/** Return one of our own events as a payload of Umami. @param {Record<string, any>} event */
function theirs({ site_id, hostname, pathname = '', querystring, page_title, referrer, event_name, user_id, language, properties }) {
  const [path, hash] = pathname.split('#');
  const { tag, ...data } = properties || {};
  return {
    website: site_id,
    screen: `${screen.width}x${screen.height}`,
    language,
    title: page_title,
    hostname,
    url: location.origin + path + (querystring ? '?' + querystring : '') + (hash ? '#' + hash : ''),
    referrer: referrer || '',
    tag,
    id: user_id,
    name: event_name,
    data: toJson(data) == '{}' ? undefined : data,
  };
}

/** Return the options of our own tag that say what one of Umami does. @param {DOMStringMap} said */
function optionsOf({ autoTrack, domains, doNotTrack, excludeSearch, excludeHash }) {
  /** @type {Record<string, any>} */
  const options = {};
  if (autoTrack == 'false') options.manual = 1;
  if (excludeSearch == 'true') options.search = '';
  if (excludeHash != 'true') options.hash = 1;
  if (doNotTrack == 'true') options.respectDnt = 1;
  let disabled = domains && !domains.split(',').some((domain) => domain.trim() == location.hostname);
  try {
    disabled ||= localStorage['umami.disabled'];
  } catch {
    // A browser that lets nothing be stored has stored no wish either.
  }
  if (disabled) options.off = 1;
  return options;
}

/** Track a page by a tag of Umami. @param {HTMLScriptElement} tag */
function run({ dataset, src }) {
  const { websiteId: website = '', hostUrl, beforeSend, tag: label } = dataset;
  const options = optionsOf(dataset);
  const endpoint = new URL('api/track', hostUrl ? hostUrl.replace(/\/?$/, '/') : src).href;
  /** @type {import('./tracker.js').Setup['load']} */
  const load = (part, ...args) => import(`${endpoint}/${part}.js`).then((loaded) => loaded.run(...args)).catch(warn);
  /** @type {Record<string, any> | undefined} */
  let commands;
  const declared = () => (label ? { tag: label } : {});
  /** What pages call before the mark of this browser is known. @type {(() => void)[]} */
  const calls = [];
  const call = guarded((/** @type {() => void} */ run) => void (commands ? run() : calls.push(run)));

  /** Let the hook of the page see an event as Umami's script would send it; one that is waited for sends it itself. @param {any} event */
  function before(event) {
    /** @type {any} */
    const hook = window[/** @type {any} */ (beforeSend)];
    if (typeof hook != 'function') return event;
    /** @param {any} kept */
    const changed = (kept) => (kept ? { ...event, ...ours(kept) } : null);
    const kept = hook(/^(pagev|custom)/.test(event.type) ? 'event' : event.type, theirs(event));
    if (!kept?.then) return changed(kept);
    const post = (/** @type {any} */ own) => {
      if (own) fetch(endpoint, { method: 'POST', body: toJson({ ...own, properties: toJson(own.properties) }), keepalive: true }).catch(() => {});
    };
    kept.then((/** @type {any} */ payload) => post(changed(payload))).catch(warn);
    return null;
  }

  /** Track a payload that the page made; one without a name is a page, to which later events belong. @param {Payload} payload */
  function send(payload) {
    const fields = ours({ title: document.title, language: navigator.language, ...payload });
    const { hostname, pathname, querystring, page_title, referrer } = fields;
    const shown = { hostname, pathname, querystring, page_title, referrer, properties: fields.event_name ? {} : declared() };
    if (!fields.event_name) visit(shown);
    track(fields.event_name ? 'custom_event' : 'pageview', fields, shown);
  }

  const current = () =>
    theirs({ ...page, site_id: website, language: navigator.language, page_title: document.title, user_id: user?.user_id });

  /** @type {Record<string, (...args: any[]) => any>} */
  const umami = {
    async track(given, data) {
      call(() => {
        if (typeof given == 'function') given = given(current());
        if (typeof given == 'string') commands?.event(given, data);
        else if (given) send(given);
        else commands?.pageview();
      });
    },
    async identify(id) {
      // Data about people is not kept.
      if (typeof id == 'string') call(() => commands?.identify(id));
    },
    getSession: () => ({ website }),
  };

  function begin() {
    commands = start({ site: website, endpoint, options, load, declared, api: beforeSend ? { before } : {} });
    // What is left out of addresses is left out of that of the page before, too, which waits until the settings are there.
    if ('search' in options) page.referrer = page.referrer?.split('?')[0];
    for (const run of calls) call(run);
  }

  if (!('manual' in options)) {
    listen('click', ({ target }) => {
      const element = target.closest?.('a,button') || target;
      const name = element.getAttribute?.(EVENT);
      if (!name) return;
      const data = [...element.attributes].filter((one) => one.name.startsWith(EVENT + '-'));
      umami.track(name, Object.fromEntries(data.map((one) => [one.name.slice(EVENT.length + 1), one.value])));
    });
  }
  /** @type {any} */ (window).umami ||= umami;
  // What the address asks of this browser comes before the page is counted.
  if (location.search.includes('footfall=')) load('own', website, endpoint).then(guarded(begin));
  else begin();
}

/** @type {any} */
const tag = document.currentScript;
if (tag?.dataset.websiteId && !tag.dataset.siteId) guarded(run)(tag);
else publish().catch(warn);
