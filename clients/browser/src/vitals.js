/**
 * The measures of the browser, one event for each page that it loads or restores.
 *
 * Version 5 of web-vitals on purpose: version 6 is a kilobyte larger, for navigations without a load in one browser.
 */

import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';

/**
 * Collect the measures and report them once, when the page is hidden for the first time.
 *
 * @param {(measures: Record<string, number>) => void} report
 */
export function run(report) {
  /** @type {Record<string, number> | undefined} */
  let measures = {};

  for (const on of [onCLS, onFCP, onINP, onLCP, onTTFB]) {
    on(({ name, value }) => {
      if (measures) measures[name.toLowerCase()] = Math.round(value * 1000) / 1000;
    });
  }

  // The library listens on the window and in the capture phase: its last words have been said when this runs.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState != 'hidden' || !measures) return;
    if (Object.keys(measures).length) report(measures);
    measures = undefined;
  });

  // From the back/forward cache the page is a new visit, measured anew.
  addEventListener('pageshow', (event) => {
    if (event.persisted) measures = {};
  }, true);
}
