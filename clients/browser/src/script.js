/** The script of a tracked page: reads its tag, puts the parts together, and counts the first page. */

import { watchClicks } from './clicks.js';
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
function start({ dataset: options, src }) {
  const site = options.siteId;
  if (!site) throw Error('no site');
  if (isRefused(options)) {
    window.footfall = () => {};
    return;
  }

  const endpoint = new URL(options.endpoint || 'api/track', src).href;
  const read = () => ({ ...readPage('hash' in options), release: options.release });
  const pageview = () => track('pageview');
  const show = () => 'manual' in options || pageview();
  // What the browser measures is about the page that it loaded, whatever page took its place since.
  /** @type {import('./tracker.js').Page} */
  let loaded = { ...read(), referrer: document.referrer, page_title: document.title };

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

  function enter() {
    visit(read());
    show();
  }

  begin(endpoint, site, loaded);
  listen('error', caught);
  listen('unhandledrejection', caught);
  watchClicks();
  watchNavigation(() => addressOf(read()) == addressOf(page) || enter());
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
