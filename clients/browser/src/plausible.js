/** The script of pages that were made for Plausible: reads its tag and file name, and gives pages its function (docs/track/protocols/plausible.md). */

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

/** What a page says to `plausible.init()`. @typedef {{endpoint?: string, autoCapturePageviews?: boolean, hashBasedRouting?: boolean, outboundLinks?: boolean, fileDownloads?: boolean | {fileExtensions?: string[]}, formSubmissions?: boolean, captureOnLocalhost?: boolean, customProperties?: object | ((name: string) => object), transformRequest?: (payload: any) => any}} Given */

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

/** Return the properties that say an amount of money, whose currency the service compares in capitals. @param {any} revenue */
const money = ({ amount, currency }) => amount != null && currency && { revenue: amount, currency: (currency + '').toUpperCase() };

/** Return the fields that make an event of ours of a name of Plausible. @param {string} name @param {Record<string, any>} properties */
function kind(name, properties) {
  if (name == 'pageview') return { type: name };
  return OUTBOUND.test(name) && /^https?:/.test(properties.url) ? { type: 'outbound' } : { type: 'custom_event', event_name: name + '' };
}

/** Track a page by a tag of Plausible. @param {HTMLScriptElement} tag @param {Given} given */
function run(tag, given) {
  const { dataset, src } = tag;
  const { fileDownloads: files, customProperties: custom, transformRequest: transform } = given;
  /** @type {any[]} */
  let parts = new URL(src).pathname.split('/').pop()?.split('.') || [];
  // The newest tag has the name of its site in that of the file, which a proxy may have changed.
  const named = dataset.domain || (/^pa-/.test(parts[0]) ? parts[0] : location.hostname);
  const [site, ...others] = named.split(',').map((/** @type {string} */ name) => name.trim());
  if (!dataset.domain) {
    parts = [
      'tagged-events',
      given.hashBasedRouting && 'hash',
      given.autoCapturePageviews === false && 'manual',
      given.captureOnLocalhost && 'local',
      // What Plausible has among the settings of a site the service has there, too.
      given.outboundLinks !== false && 'outbound-links',
      files !== false && 'file-downloads',
    ];
  }
  /** @param {string} name */
  const has = (name) => parts.includes(name);
  // A proxy that is there for the events of Plausible has ours beside them.
  const endpoint = new URL((given.endpoint || dataset.api)?.replace(/\/event\/?$/, '/track') || '/api/track', src).href;
  /** @type {import('./tracker.js').Setup['load']} */
  const load = (part, ...args) => import(`${endpoint}/${part}.js`).then((loaded) => loaded.run(...args)).catch(warn);
  /** @type {Record<string, any>} */
  const options = {};
  if (has('hash')) options.hash = 1;
  if (has('manual')) options.manual = 1;
  const added = tag.getAttribute('add-file-types');
  const types = /** @type {any} */ (files)?.fileExtensions?.join() ?? (tag.getAttribute('file-types') || (added && FILES + ',' + added));
  if (!has('file-downloads')) options.downloads = '';
  else if (types != null) options.downloads = types.replace(/\s/g, '').replace(/,/g, '|');
  if (!has('outbound-links')) options.inside = 1;
  try {
    if (localStorage.plausible_ignore == 'true') options.off = 1;
  } catch {
    // A browser that lets nothing be stored has stored no wish either.
  }
  if (!has('local') && (LOCAL.test(location.hostname) || location.protocol == 'file:')) options.off = 1;

  /** Return the properties of all events of the page, which newest tags give to `init`, and others in their attributes. */
  const declared = () =>
    (typeof custom == 'object' && custom) || Object.fromEntries([...tag.attributes].filter(({ name }) => has('pageview-props') && /^event-./.test(name)).map(({ name, value }) => [name.slice(6), value]));

  /** Return what an address says of a page. @param {string} [address] */
  function placed(address = location.href) {
    const { hostname, pathname, search, hash } = new URL(address, location.href);
    return { hostname, pathname: pathname + (has('hash') ? hash.split('?')[0] : ''), querystring: search.slice(1) };
  }

  /**
   * Let the functions of the page see an event as Plausible's script would send it. A report of engagement says nothing but
   * numbers of a pageview that they have seen.
   *
   * @param {any} event
   */
  function revised(event) {
    const { type, event_name, site_id, referrer, hostname, pathname, querystring, properties } = event;
    if (type == 'engagement') return event;
    const [path, hash = ''] = pathname.split('#');
    const url = Object.assign(new URL(location.href), { hostname, pathname: path, search: querystring, hash });
    const clicked = type == 'outbound' && (new URL(properties.url).host == location.host ? 'File Download' : 'Outbound Link: Click');
    const name = event_name || clicked || type;
    const all = { ...(typeof custom == 'function' && custom(name)), ...properties };
    const { revenue: amount, currency, ...props } = all;
    const $ = { amount, currency };
    const payload = { n: name, u: url.href, d: site_id, r: referrer || null, ...(money($) ? { p: props, $ } : { p: all }), ...(has('hash') && { h: 1 }) };
    const kept = transform ? transform(payload) : payload;
    if (!kept) return null;
    const { n, u, d, r, p } = kept;
    const said = { ...p, ...money(kept.$ || {}) };
    return { ...event, ...(n != name && { event_name: undefined, ...kind(n, said) }), ...placed(u), site_id: d, referrer: r || '', properties: said };
  }

  /** See an event before it is sent: on to its other sites, if it is not left out. @param {any} event */
  function before(event) {
    const { type, pathname, properties } = event;
    if (has('exclusions') && type == 'pageview') {
      const { include, exclude } = dataset;
      if ((include && !matches(pathname, include)) || (exclude && matches(pathname, exclude))) return null;
    }
    if (isSeen) return revised(event);
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
    const properties = { ...meta, ...props, ...money(revenue || {}) };
    const shown = address ? { ...page, ...placed(address) } : page;
    const { type, ...fields } = kind(name, properties);
    if (address && type == 'pageview') visit(shown);
    track(type, { ...fields, properties }, shown);
    // The browser has the event: pages wait for this before they go on.
    if (callback) setTimeout(callback, 0, 'off' in options ? undefined : { status: 202 });
  }

  const isSeen = transform || typeof custom == 'function';
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
    if (submits && given.formSubmissions && (target.noValidate || target.checkValidity())) plausible('Form: Submission');
  }

  function begin() {
    commands = start({ site, endpoint, options, declared, load, api: isSeen || has('exclusions') || others.length ? { before } : {} });
    for (const args of calls.splice(0)) plausible(...args);
  }

  if (has('tagged-events')) {
    for (const type of ['click', 'auxclick', 'submit']) listen(type, (event) => trackTagged(event, type == 'submit'));
  }
  calls.push(...(shared.plausible?.q || []));
  // Plausible marks in this way that the script runs.
  shared.plausible = Object.assign(plausible, { init: shared.plausible?.init, l: true });
  // What the address asks of this browser comes before the page is counted.
  if (location.search.includes('footfall=')) load('own', site, endpoint).then(guarded(begin));
  else begin();
}

/** @type {any} */
const shared = window;
// An optimizer may load the script in another way; tags for old browsers have an id.
/** @type {any} */
const tag = document.currentScript || document.getElementById('plausible') || document.querySelector('script[data-domain],script[src*="/js/pa-"]');
if (tag?.dataset.domain) guarded(run)(tag, {});
else if (tag) {
  // The newest tag waits for what the page says, which may have happened before.
  shared.plausible ||= (/** @type {any[]} */ ...args) => (shared.plausible.q ||= []).push(args);
  const { plausible } = shared;
  plausible.init = (/** @type {Given | undefined} */ given) => void (shared.plausible.l || guarded(run)(tag, given || {}));
  if (plausible.o) plausible.init(plausible.o);
}
