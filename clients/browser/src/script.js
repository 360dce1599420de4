/** The script of a tracked page: reads its tag, puts the parts together, and counts the first page. */

import { declared, watchClicks } from './clicks.js';
import { isPublished, publish } from './commands.js';
import { trackCustom } from './custom.js';
import { guarded, listen, warn } from './guard.js';
import { addressOf, readPage, watchNavigation } from './page.js';
import { begin, configure, isOff, page, track, visit } from './tracker.js';

/**
 * Whether the visitor's browser asks for no tracking and the page's author wants that to count.
 *
 * @param {DOMStringMap} options
 */
const isRefused = (options) =>
  ('respectGpc' in options && navigator.globalPrivacyControl) ||
  ('respectDnt' in options && navigator.doNotTrack == '1');

/** @param {HTMLScriptElement} tag */
function start(tag) {
  const { dataset: options, src } = tag;
  const site = options.siteId;
  if (!site) throw Error('no site');
  if (isRefused(options)) {
    window.footfall = () => {};
    return;
  }

  const endpoint = new URL(options.endpoint || 'api/track', src).href;
  const read = () => ({ ...readPage(options), release: options.release, properties: declared(tag) });
  const show = () => 'manual' in options || pageview();
  // What the browser measures is about the page that it loaded, whatever page took its place since.
  /** @type {import('./tracker.js').Page} */
  let loaded = { ...read(), referrer: document.referrer, page_title: document.title };
  // That of the browser, also where the page was told to be another one.
  let address = addressOf(loaded);

  /** @param {Event} event */
  function caught(event) {
    const on = page;
    // Pictures and scripts that do not load are no exceptions: their events only pass the window.
    if (event.target != window || isOff('error')) return;
    import(endpoint + '/errors.js')
      .then(({ describe }) => {
        const fields = describe(event, on);
        if (fields) track('error', fields, on);
      })
      .catch(warn);
  }

  /**
   * Count the page that is shown, or another one in its place, to which later events belong then. A query string in the
   * path stays in the browser: no switch would cover it.
   *
   * @param {{path?: string, title?: string, referrer?: string, properties?: object}} [given]
   */
  function pageview(given) {
    if (given) {
      const { path = page.pathname, title, referrer = page.referrer } = given;
      const described = { ...page, pathname: path?.split('?')[0], page_title: title, referrer };
      // Of a page that counts itself, the first one is the loaded one, and no longer the same object: the next one is not.
      if (page == loaded && 'manual' in options) loaded = { ...described };
      visit(described);
    }
    track('pageview', { properties: given?.properties });
  }

  function enter() {
    visit(read());
    show();
  }

  begin(endpoint, site, loaded);
  listen('error', caught);
  listen('unhandledrejection', caught);
  watchClicks();
  // The former one is compared with the present one, which takes its place.
  watchNavigation(() => address == (address = addressOf(read())) || enter());
  listen('pageshow', ({ persisted }) => {
    if (persisted) enter(), (loaded = page);
  });
  show();
  publish({ event: trackCustom, pageview });

  async function settle() {
    const config = await fetch(endpoint + '/' + site)
      .then((answer) => answer.json())
      .catch(() => ({}));
    configure({ ...config, ...options });
    if (!config.webVitals) return;
    const { watch } = await import(endpoint + '/vitals.js');
    watch((/** @type {object} */ measures) => track('performance', measures, loaded));
  }

  settle().catch(warn);
}

if (!isPublished()) {
  guarded(start)(/** @type {any} */ (document.currentScript || document.querySelector('script[data-site-id]')));
}
