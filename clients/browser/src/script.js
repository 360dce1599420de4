/** The script of a tracked page: reads its tag, puts the parts together, and counts the first page. */

import { watchClicks } from './clicks.js';
import { isPublished, publish } from './commands.js';
import { trackCustom } from './custom.js';
import { forgetErrors, watchErrors } from './errors.js';
import { guarded, listen, warn } from './guard.js';
import { isSame, readPage, watchNavigation } from './page.js';
import { begin, configure, page, track, visit } from './tracker.js';

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

  const base = new URL(options.host || '.', src);
  const read = () => readPage('hash' in options);
  const pageview = () => track('pageview');
  const show = () => 'manual' in options || pageview();
  // What the browser measures is about the page that it loaded, whatever page took its place since.
  /** @type {import('./tracker.js').Page} */
  let loaded = { ...read(), referrer: document.referrer, page_title: document.title };

  function enter() {
    visit(read());
    forgetErrors();
    show();
  }

  begin(base + 'api/track', site, loaded);
  watchErrors();
  watchClicks();
  watchNavigation(() => isSame(read(), page) || enter());
  listen('pageshow', ({ persisted }) => {
    if (persisted) enter(), (loaded = page);
  });
  show();
  publish({ event: trackCustom, pageview });

  fetch(base + 'api/site/tracking-config/' + site, { credentials: 'omit' })
    .then((answer) => answer.json())
    .catch(() => ({}))
    .then((config) => {
      configure(config);
      if (config.webVitals) return import(base + 'vitals.js');
    })
    .then((vitals) => vitals?.watch((/** @type {object} */ measures) => track('performance', measures, loaded)))
    .catch(warn);
}

if (!isPublished()) {
  guarded(start)(/** @type {any} */ (document.currentScript || document.querySelector('script[data-site-id]')));
}
