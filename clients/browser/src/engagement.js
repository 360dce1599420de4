/** How long and how far down a page is looked at. */

const TICK_MS = 1000;
// A longer gap between two ticks is none in which the page was looked at: the machine slept.
const LONGEST_MS = 5 * TICK_MS;

/**
 * Measure the page that is shown: the milliseconds in which it is visible and has the focus, and the greatest share of
 * its present height whose lower edge was visible, in percent.
 *
 * Totals since the page took its place, so that a repeated or lost report changes nothing. A page that is prerendered,
 * or in a tab behind others, is not visible.
 *
 * @param {() => import('./tracker.js').Page} shown
 * @param {number} since when it is shown, in the time of `performance.now()`
 * @param {(page: import('./tracker.js').Page, totals: object) => void} send
 */
export function measure(shown, since, send) {
  let engaged = 0;
  let reached = 0;
  let isVisible = false;
  let isActive = false;
  // What the last report said.
  let [time, depth] = [0, 0];

  function look() {
    isVisible = document.visibilityState == 'visible';
    isActive = isVisible && document.hasFocus();
  }

  function tick() {
    const now = performance.now();
    if (isActive && now - since < LONGEST_MS) engaged += now - since;
    since = now;
    if (isVisible) reached = Math.max(reached, scrollY + innerHeight);
    look();
  }

  /** Return what is to be reported of the page, if it grew since the last time. */
  function grown() {
    const share = Math.round((100 * reached) / document.documentElement.scrollHeight) || 0;
    const totals = { engaged_time: Math.round(engaged), scroll_depth: Math.min(100, share) };
    if (totals.engaged_time <= time && totals.scroll_depth <= depth) return undefined;
    [time, depth] = [Math.max(time, totals.engaged_time), Math.max(depth, totals.scroll_depth)];
    return totals;
  }

  /** @param {import('./tracker.js').Page} page */
  function report(page) {
    const totals = page.pageview_id && grown();
    if (totals) send(page, totals);
  }

  look();
  tick();
  setInterval(tick, TICK_MS);
  for (const type of ['focus', 'blur', 'scroll', 'pageshow', 'visibilitychange']) addEventListener(type, tick, true);
  // Of a page that goes, too: browsers hide it after this event.
  addEventListener('pagehide', () => {
    tick();
    isVisible = isActive = false;
  }, true);
  // After the listeners of the document, among which is that of the web vitals, whose event carries the totals.
  addEventListener('visibilitychange', () => {
    if (document.visibilityState == 'hidden') report(shown());
  });

  return {
    grown,
    /** Report a page for the last time, and begin with the next one. @param {import('./tracker.js').Page} page */
    leave(page) {
      tick();
      report(page);
      engaged = reached = time = depth = 0;
    },
  };
}
