/** Which page is shown, and when another one takes its place without a load. */

/**
 * Read the address of the page, with the part after `#` as part of the path when the site routes by it.
 *
 * What follows a `?` inside that part stays in the browser: it is a query string that no switch would cover.
 *
 * @param {Record<string, any>} options of the tag
 * @returns {import('./tracker.js').Page}
 */
export const readPage = (options) => ({
  pathname: location.pathname + ('hash' in options ? location.hash.split('?')[0] : ''),
  hostname: location.hostname,
  querystring: options.search ?? location.search.slice(1),
});

/** What tells one page from another. @param {import('./tracker.js').Page} page */
export const addressOf = ({ pathname, querystring }) => pathname + '?' + querystring;

/**
 * Call back after each change of the history that a page makes itself.
 *
 * @param {() => void} moved throws nothing
 */
export function watchHistory(moved) {
  for (const name of /** @type {const} */ (['pushState', 'replaceState'])) {
    const original = history[name];
    history[name] = function (...args) {
      original.apply(this, args);
      moved();
    };
  }
}
