/** Clicks on links that lead away or to a file, and the events that a page declares in its attributes. */

import { trackCustom } from './custom.js';
import { listen } from './guard.js';
import { clean } from './text.js';
import { isFile, track } from './tracker.js';

const PREFIX = 'data-footfall-';

/**
 * Return what an element says in attributes with the prefix, by the rest of their names.
 *
 * @param {Element} element
 */
export function declared({ attributes }) {
  /** @type {Record<string, string>} */
  const properties = {};
  for (const { name, value } of attributes) {
    const key = name.split(PREFIX)[1];
    if (key) properties[key] = value;
  }
  return properties;
}

/**
 * Find the innermost element around the target of an event that a selector matches.
 *
 * @param {any} event
 * @param {string} selector
 * @returns {any}
 */
const find = (event, selector) => event.target.closest?.(selector);

/** @param {Element | undefined} element */
function trackDeclared(element) {
  if (!element) return;
  const { event, ...others } = declared(element);
  trackCustom(event, others);
}

/** @param {any} link */
function trackOutbound({ href, textContent, target }) {
  const text = textContent.replace(/\s+/g, ' ').trim();
  track('outbound', { properties: { url: clean(href), text: clean(text, 512), target } });
}

/** @param {MouseEvent} event */
function clicked(event) {
  const link = find(event, 'a[href]');
  // The middle button opens a link and does nothing else; the right one opens a menu.
  if (event.button > (link ? 1 : 0)) return;
  trackDeclared(find(event, `[${PREFIX}event]:not(form)`));
  if (link && /^http/.test(link.protocol) && (link.host != location.host || isFile(link.pathname))) trackOutbound(link);
}

export function watchClicks() {
  listen('click', clicked);
  listen('auxclick', clicked);
  listen('submit', (event) => trackDeclared(find(event, `form[${PREFIX}event]`)));
}
