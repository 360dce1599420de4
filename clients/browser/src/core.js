/** The script of a tracked page without its tag: counts the page, and puts the parts together. */

import { listen, warn } from './guard.js';
import { ignored, mark, unmark } from './mark.js';
import { readPage } from './page.js';
import { begin, config, configure, forget, happened, identify, page, track, user, visit } from './tracker.js';

/**
 * Track the page, and return the commands that pages call.
 *
 * @param {import('./tracker.js').Setup} setup
 */
export function start(setup) {
  const { options, load } = setup;
  const isRefused =
    ('respectGpc' in options && navigator.globalPrivacyControl) || ('respectDnt' in options && /** @type {any} */ (navigator).doNotTrack > 0);
  /** @type {unknown} */
  let isStopped = isRefused || 'off' in options;
  let isPrepared = false;
  const isSilent = () => isStopped || ignored();

  const read = () => ({ ...readPage(options), release: options.release, properties: setup.declared() });
  const show = () => 'manual' in options || pageview();
  // What the browser measures is about the page that it loaded, whatever page took its place since.
  /** @type {import('./tracker.js').Page} */
  let loaded = { ...read(), referrer: document.referrer, page_title: document.title };

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

  /**
   * @param {string} name
   * @param {object} [properties]
   * @param {import('./tracker.js').Page} [of]
   * @param {import('./tracker.js').User} [by]
   */
  function event(name, properties, of, by) {
    if (!name) throw name;
    track('custom_event', { ...by, event_name: name, properties }, of);
  }

  /** Count the page of the address, also of one that the browser has restored. @param {unknown} [restored] */
  function enter(restored) {
    visit(read());
    if (restored) loaded = page;
    show();
  }

  /** Ask the service what it wants, once: nothing is asked as long as nothing is sent. */
  async function prepare() {
    if (isSilent() || isPrepared) return;
    isPrepared = true;
    const [known, rules] = await Promise.all([
      fetch(setup.endpoint + '/' + encodeURIComponent(setup.site)).then((answer) => answer.json()).catch(() => ({})),
      load('activity', happened, track, event, enter, read, setup, () => [page, config, isSilent()], read(), performance.now()),
    ]);
    configure(known, rules);
    if (known.webVitals) load('vitals', (/** @type {object} */ measures) => track('performance', measures, loaded));
  }

  function resume() {
    enter();
    prepare();
  }

  // Nothing is kept of a page that must not be counted, and little where the part that wants it cannot be loaded.
  /** @param {any} event */
  const note = (event) => isPrepared && !happened[98] && happened.push([event, page, user]);

  begin(setup, loaded, isSilent);
  for (const type of ['click', 'submit', 'error', 'unhandledrejection']) {
    listen(type, note);
  }
  // Before a user is named: this pageview is that of the first one whom the tag or the page names until it is sent.
  show();
  identify(options.user, options.userSignature);
  prepare();
  if (ignored()) warn('ignored');

  return {
    event,
    pageview,
    /** @param {unknown} error @param {object} [properties] */
    error(error, properties) {
      note({ type: 'thrown', error, properties });
    },
    identify,
    off() {
      isStopped = true;
      forget();
    },
    on() {
      if (!isStopped) return;
      isStopped = isRefused;
      resume();
    },
    ignore() {
      mark(forget);
    },
    count() {
      if (!ignored()) return;
      unmark();
      resume();
    },
    ignored,
  };
}
