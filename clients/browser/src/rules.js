/** What becomes of an event before it is sent: switches of the site, masks and skips of the page, and its hook. */

import { warn } from './guard.js';
import { matcher } from './paths.js';
import { toJson } from './text.js';

/**
 * The switches of a site by the type of event that they cover; that of web vitals decides whether their part is loaded.
 *
 * @type {Record<string, string>}
 */
const SWITCHES = { error: 'trackErrors', outbound: 'trackOutbound' };

// Addresses in stack traces, before their line and column, or the line where Firefox saw the code that is evaluated.
const FRAMES = /https?:\/\/\S+?(?= line \d|:\d+(:\d+)?[),]*(\s|$))/g;

/**
 * Whether the site is known not to want a type of event.
 *
 * @param {import('./tracker.js').Config | undefined} config
 * @param {string} type
 */
export const isOff = (config, type) => config?.[SWITCHES[type]] === false;

/**
 * Return the rules of a page, which return an event as it is to be sent, or null.
 *
 * @param {import('./tracker.js').Setup} setup
 * @param {() => [import('./tracker.js').Page, import('./tracker.js').Config | undefined, unknown]} now page and configuration
 * @param {() => object | undefined} grown what is to be reported of the page that is shown
 * @returns {import('./tracker.js').Rules}
 */
export function rules({ options, api }, now, grown) {
  const skips = matcher(options.skip);
  const masks = matcher(options.mask);

  /** Return an address without what is masked in paths of this site, query string included. @param {string} address */
  function masked(address) {
    try {
      const { host, origin, pathname } = new URL(address, location.href);
      const path = host == location.host && masks(pathname);
      return path ? origin + path : address;
    } catch {
      return '';
    }
  }

  /** @param {any} body */
  function mask(body) {
    const path = masks(body.pathname);
    if (path) [body.pathname, body.querystring] = [path, ''];
    if (body.referrer) body.referrer = masked(body.referrer);
    if (!/outb|err/.test(body.type)) return;
    const properties = JSON.parse(body.properties);
    for (const name of ['url', 'fileName']) if (properties[name]) properties[name] = properties[name].replace(/\S+/, masked);
    if (properties.stack) {
      // A line that names this site in any other way is left out.
      const known = properties.stack.split('\n').filter((/** @type {string} */ line) => !line.replace(FRAMES, '').includes('//' + location.host));
      properties.stack = known.join('\n').replace(FRAMES, masked);
    }
    body.properties = toJson(properties);
  }

  return (body) => {
    const [page, config] = now();
    const { type, pageview_id } = body;
    if (isOff(config, type) || skips(body.pathname)) return null;
    if (config?.trackUrlParams === false) body.querystring = '';
    if (options.mask) mask(body);
    // Of the page that is shown alone: others were reported when they were left.
    const totals = type == 'performance' && pageview_id && pageview_id == page.pageview_id && config?.engagement && grown();
    if (totals) Object.assign(body, totals);
    // To all other events it says nothing.
    else if (type != 'engagement') body.pageview_id = undefined;
    body = api.before ? hooked(api.before, body) : body;
    return body && type == 'engagement' ? engagement(body) : body;
  };
}

/** Return the fields of a report of engagement that are sent; all others are known of its pageview. @param {any} body */
const engagement = ({ site_id, type, hostname, pageview_id, engaged_time, scroll_depth }) => ({
  site_id,
  type,
  hostname,
  pageview_id,
  engaged_time,
  scroll_depth,
});

/**
 * Let the hook of a page see an event, whose properties are an object for it.
 *
 * @param {(event: any) => any} before
 * @param {any} body
 */
function hooked(before, body) {
  body.properties &&= JSON.parse(body.properties);
  const kept = before(body);
  if (kept === null) return null;
  // A promise, or nothing by mistake, must not be taken for a yes.
  if (!kept?.type) return warn('before returned no event');
  return { ...kept, properties: kept.properties && toJson(kept.properties) };
}
