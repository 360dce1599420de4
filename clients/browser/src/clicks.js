/** Clicks on links that lead away or to a file, and the events that a page declares in its attributes. */

import { declared, PREFIX } from './declared.js';
import { clean } from './text.js';

/**
 * Find the innermost element around the target of an event that a selector matches.
 *
 * @param {any} event
 * @param {string} selector
 * @returns {any}
 */
const find = (event, selector) => event.target.closest?.(selector);

/** Whether a path ends as files do; none does as long as the configuration is to come. @param {string} path @param {string} [ends] */
const isFile = (path, ends) => RegExp(`[.](${ends})$`, 'i').test(path);

/**
 * Return what makes events of clicks, and of forms that are submitted.
 *
 * @param {typeof import('./tracker.js').track} track
 * @param {(name: string, properties?: object, page?: import('./tracker.js').Page, by?: import('./tracker.js').User) => void} trackCustom
 * @param {() => import('./tracker.js').Config | undefined} known
 * @param {Record<string, any>} options of the tag; with `inside` no links lead away
 */
export function clicks(track, trackCustom, known, options) {
  /** @param {Element | undefined} element @param {import('./tracker.js').Page} page @param {import('./tracker.js').User} [by] */
  function trackDeclared(element, page, by) {
    if (!element) return;
    const { event, ...others } = declared(element);
    trackCustom(event, others, page, by);
  }

  /** @param {any} link @param {import('./tracker.js').Page} page @param {import('./tracker.js').User} [by] */
  function trackOutbound({ href, textContent, target }, page, by) {
    const text = textContent.replace(/\s+/g, ' ').trim();
    track('outbound', { ...by, properties: { url: clean(href), text: clean(text, 512), target } }, page);
  }

  return {
    /** @param {MouseEvent} event @param {import('./tracker.js').Page} page @param {import('./tracker.js').User} [by] */
    click(event, page, by) {
      const link = find(event, 'a[href]');
      // The middle button opens a link and does nothing else; the right one opens a menu.
      if (event.button > (link ? 1 : 0)) return;
      trackDeclared(find(event, `[${PREFIX}event]:not(form)`), page, by);
      if (link && /^http/.test(link.protocol) && ((link.host != location.host && !options.inside) || isFile(link.pathname, known()?.downloads))) {
        trackOutbound(link, page, by);
      }
    },
    /** @param {Event} event @param {import('./tracker.js').Page} page @param {import('./tracker.js').User} [by] */
    submit: (event, page, by) => trackDeclared(find(event, `form[${PREFIX}event]`), page, by),
  };
}
