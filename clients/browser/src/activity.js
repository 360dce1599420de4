/** The part of the script that makes events of what happens on a page once it is counted. Each page loads it. */

import { clicks } from './clicks.js';
import { measure } from './engagement.js';
import { guarded, listen } from './guard.js';
import { addressOf, watchHistory } from './page.js';
import { isOff, rules } from './rules.js';

/**
 * Watch the page, also for what happened before this part was there, and return the rules of its events.
 *
 * @param {typeof import('./tracker.js').happened} happened
 * @param {typeof import('./tracker.js').track} track
 * @param {(name: string, properties?: object, page?: import('./tracker.js').Page, by?: import('./tracker.js').User) => void} event
 * @param {(restored?: unknown) => void} enter counts the page of the address
 * @param {() => import('./tracker.js').Page} read
 * @param {import('./tracker.js').Setup} setup
 * @param {() => [import('./tracker.js').Page, import('./tracker.js').Config | undefined, unknown]} now page, configuration, and whether nothing may be sent
 * @param {import('./tracker.js').Page} first the page that was read when this part was asked for
 * @param {number} since when that was, in the time of `performance.now()`
 */
export function run(happened, track, event, enter, read, setup, now, first, since) {
  const known = () => now()[1];
  const { click, submit } = clicks(track, event, known, setup.options);
  const { leave, grown } = measure(() => now()[0], since, (page, totals) => {
    if (known()?.engagement) track('engagement', totals, page);
  });

  /**
   * @param {unknown} thrown an error, or the event that tells of it
   * @param {import('./tracker.js').Page} page
   * @param {import('./tracker.js').User} by
   * @param {object} [properties]
   */
  function report(thrown, page, by, properties) {
    // The part is loaded for no error that would not be sent.
    if (now()[2] || isOff(known(), 'error')) return;
    setup.load('errors', track, thrown, page, properties, by);
  }

  /** @type {Record<string, (event: any, page: import('./tracker.js').Page, by: import('./tracker.js').User) => void>} */
  const handlers = {
    click,
    submit,
    // Pictures and scripts that do not load are no exceptions: their events only pass the window.
    error: (event, page, by) => event.target == window && report(event, page, by),
    unhandledrejection: report,
    thrown: ({ error, properties }, page, by) => report(error, page, by, properties),
    leave: (_, page) => leave(page),
  };
  const handle = guarded(([event, page, by]) => handlers[event.type](event, page, by));
  happened.splice(0).forEach((one) => handle(one));
  // What happens from now on is handled at once, before the page does.
  happened.push = (one) => handle(one) || 0;
  listen('auxclick', (event) => click(event, now()[0]));

  // That of the browser, also where the page was told to be another one.
  let address = addressOf(first);
  // The former one is compared with the present one, which takes its place.
  const moved = guarded(() => {
    if (address != (address = addressOf(read()))) enter();
  });
  watchHistory(moved);
  // Also fired by a change of the part after `#`.
  listen('popstate', moved);
  listen('pageshow', ({ persisted }) => persisted && enter(true));
  // The address may have changed before it was watched.
  moved();

  return rules(setup, now, grown);
}
