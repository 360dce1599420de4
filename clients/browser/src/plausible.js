/** The script of pages that were made for Plausible: reads its tag and file name, and gives pages its function (docs/protocols/plausible.md). */

import { start } from './core.js';
import { guarded, listen, warn } from './guard.js';
import { toJson } from './text.js';
import { page, track, visit } from './tracker.js';

// Those of Plausible's scripts, to which a tag can add others; without `add-file-types` the list of the service counts.
const FILES = 'pdf,xlsx,docx,txt,rtf,csv,exe,key,pps,ppt,pptx,7z,pkg,rar,gz,zip,avi,mov,mp4,mpeg,wmv,midi,mp3,wav,wma,dmg';
const LOCAL = /^localhost$|^127(\.\d+){0,2}\.\d+$|^\[::1?\]$/;
const OUTBOUND = /^(Outbound Link: Click|File Download)$/;
// So far above the target of a click stands the element that names an event.
const LEVELS = 4;

/** What a page says of an event. @typedef {{props?: Record<string, any>, meta?: Record<string, any>, revenue?: Record<string, any>, callback?: (result: object) => void, u?: any, url?: string}} Options */

/** Whether a pattern of `data-include` and `data-exclude` matches a path: `*` within a segment, `**` anything. @param {string} path @param {string} patterns */
const matches = (path, patterns) =>
  patterns.split(',').some((pattern) => {
    const expression = pattern.trim().replace(/[^\w/*]/g, '\\$&').replace(/\*+/g, (run) => (run[1] ? '.*' : '[^\\s/]*'));
    return RegExp(`^${expression}/?$`).test(path);
  });

/** Return what the classes of an element say of an event; without a name they say nothing. @param {Element} element */
function tagged(element) {
  /** @type {Record<string, any>} */
  const said = { props: {} };
  for (const one of element.classList) {
    const [, kind, key, value] = /plausible-(event|revenue)-(.+?)(?:=|--)(.+)/.exec(one) || [];
    if (kind == 'event' && key == 'name') said.name = value.replace(/\+/g, ' ');
    else if (kind == 'event') said.props[key] = value.replace(/\+/g, ' ');
    else if (kind) said.revenue = { ...said.revenue, [key]: value };
  }
  return said;
}

/** Track a page by a tag of Plausible. @param {HTMLScriptElement} tag */
function run(tag) {
  const { dataset, src } = tag;
  const [site, ...others] = (dataset.domain || location.hostname).split(',').map((name) => name.trim());
  const parts = new URL(src).pathname.split('/').pop()?.split('.') || [];
  /** @param {string} name */
  const has = (name) => parts.includes(name);
  // A proxy that is there for the events of Plausible has ours beside them.
  const endpoint = new URL(dataset.api?.replace(/\/event\/?$/, '/track') || '/api/track', src).href;
  /** @type {import('./tracker.js').Setup['load']} */
  const load = (part, ...args) => import(`${endpoint}/${part}.js`).then((loaded) => loaded.run(...args)).catch(warn);
  /** @type {Record<string, any>} */
  const options = {};
  if (has('hash')) options.hash = 1;
  if (has('manual')) options.manual = 1;
  const types = tag.getAttribute('file-types') || (tag.hasAttribute('add-file-types') && FILES + ',' + tag.getAttribute('add-file-types'));
  if (!has('file-downloads')) options.downloads = '';
  else if (types) options.downloads = types.replace(/\s/g, '').replace(/,/g, '|');
  if (!has('outbound-links')) options.inside = 1;
  try {
    if (localStorage.plausible_ignore == 'true') options.off = 1;
  } catch {
    // A browser that lets nothing be stored has stored no wish either.
  }
  if (!has('local') && (LOCAL.test(location.hostname) || location.protocol == 'file:')) options.off = 1;

  /** Return the properties in attributes of the tag, of all events of the page. */
  const declared = () =>
    Object.fromEntries([...tag.attributes].filter(({ name }) => has('pageview-props') && /^event-./.test(name)).map(({ name, value }) => [name.slice(6), value]));

  /** See an event before it is sent: on to its other sites, if it is not left out. @param {any} event */
  function before(event) {
    const { type, pathname, properties } = event;
    if (has('exclusions') && type == 'pageview') {
      const { include, exclude } = dataset;
      if ((include && !matches(pathname, include)) || (exclude && matches(pathname, exclude))) return null;
    }
    for (const site_id of others) {
      navigator.sendBeacon?.(endpoint, toJson({ ...event, site_id, properties: properties && toJson(properties) }));
    }
    return event;
  }
  /** @type {Record<string, any> | undefined} */
  let commands;
  /** What pages call before the mark of this browser is known. @type {any[]} */
  const calls = [];

  /** @param {string} name @param {Options} [given] */
  function send(name, { props, meta, revenue, callback, u, url } = {}) {
    const address = (typeof u == 'function' ? u() : u) || url;
    const { amount, currency } = revenue || {};
    const properties = { ...meta, ...props, ...(amount != null && currency && { revenue: amount, currency }) };
    const { hostname, pathname, search, hash } = new URL(address || location.href, location.href);
    const shown = address ? { ...page, hostname, pathname: pathname + (has('hash') ? hash.split('?')[0] : ''), querystring: search.slice(1) } : page;
    if (name == 'pageview') {
      if (address) visit(shown);
      track('pageview', { properties });
    } else if (OUTBOUND.test(name) && /^https?:/.test(properties.url)) track('outbound', { properties }, shown);
    else track('custom_event', { event_name: name + '', properties }, shown);
    // The browser has the event: pages wait for this before they go on.
    if (callback) setTimeout(callback, 0, { status: 202 });
  }

  const plausible = guarded((...args) => void (commands ? send(.../** @type {[string]} */ (args)) : calls.push(args)));

  /** Track the event that an element around the target of an event names. @param {any} event @param {boolean} submits */
  function trackTagged({ target, button }, submits) {
    for (let element = target, level = 0; element?.classList && level < LEVELS; element = element.parentNode, level++) {
      const isForm = element.tagName == 'FORM';
      if (isForm != submits && isForm) return;
      const { name, ...said } = tagged(element);
      if (!name) continue;
      const link = target.closest('a[href]');
      if (button > (link ? 1 : 0)) return;
      if (link) said.props.url = link.href;
      plausible(name, said);
      return;
    }
  }

  function begin() {
    commands = start({ site, endpoint, options, declared, load, api: has('exclusions') || others.length ? { before } : {} });
    for (const args of calls.splice(0)) plausible(...args);
  }

  if (has('tagged-events')) {
    for (const type of ['click', 'auxclick', 'submit']) listen(type, (event) => trackTagged(event, type == 'submit'));
  }
  /** @type {any} */
  const shared = window;
  calls.push(...(shared.plausible?.q || []));
  shared.plausible = plausible;
  // What the address asks of this browser comes before the page is counted.
  if (location.search.includes('footfall=')) load('own', site, endpoint).then(guarded(begin));
  else begin();
}

// An optimizer may load the script in another way; tags for old browsers have an id.
/** @type {any} */
const tag = document.currentScript || document.getElementById('plausible') || document.querySelector('script[data-domain]');
if (tag) guarded(run)(tag);
