/** How long and how far down a page is looked at (docs/track/browser.md#how-long-and-how-far). */

const TICK_MS = 1000;
// A longer gap between two ticks is none in which the page was looked at: the machine slept.
const LONGEST_MS = 5 * TICK_MS;
// What the service takes.
const MAX_MS = 86_400_000;

/**
 * Measure the page that is shown: the milliseconds in which it is visible and has the focus, and the greatest share of
 * its height whose lower edge was visible, in percent.
 *
 * Both are totals since the page took its place, so that a report that is repeated or lost changes nothing. A page that
 * is prerendered, or in a tab behind others, is not visible. A share is one of the height at the end, because pages grow
 * while they load.
 *
 * @param {() => import('./tracker.js').Page} shown
 * @param {number} since when it is shown, in the time of `performance.now()`
 * @param {(page: import('./tracker.js').Page, totals: object) => void} send
 */
export function measure(shown, since, send) {
  let isVisible = false;
  let isActive = false;
  // A page that goes, until the browser restores it as another one.
  let isGone = false;
  let [engaged, reached, height] = [0, 0, 0];
  // What the last report said.
  let [time, depth] = [0, 0];

  /** Add the time since the last tick. */
  function tick() {
    const now = performance.now();
    if (isActive && now - since < LONGEST_MS) engaged += now - since;
    since = now;
  }

  /** See whether the page is visible, and whether it has the focus. */
  function see() {
    isVisible = !isGone && document.visibilityState == 'visible';
    isActive = isVisible && document.hasFocus();
  }

  /** Look how much of the page was visible until now. */
  function look() {
    tick();
    if (isVisible) {
      reached = Math.max(reached, scrollY + innerHeight);
      height = (document.scrollingElement || document.documentElement).scrollHeight;
    }
    see();
  }

  /** Return what is to be reported of the page, if it grew since the last time. */
  function grown() {
    const engaged_time = Math.min(MAX_MS, Math.round(engaged));
    const scroll_depth = height && Math.min(100, Math.round((100 * reached) / height));
    if (engaged_time <= time && scroll_depth <= depth) return undefined;
    [time, depth] = [Math.max(time, engaged_time), Math.max(depth, scroll_depth)];
    // A page that was left at once was not looked at.
    return { engaged_time, scroll_depth: height ? scroll_depth : undefined };
  }

  /** @param {import('./tracker.js').Page} page */
  function report(page) {
    const totals = page.pageview_id && grown();
    if (totals) send(page, totals);
  }

  see();
  look();
  setInterval(look, TICK_MS);
  for (const type of ['focus', 'blur', 'scroll', 'pageshow', 'visibilitychange']) addEventListener(type, look, true);
  // Browsers hide a page that goes after this event.
  addEventListener('pagehide', () => {
    isGone = true;
    look();
  }, true);
  // After the listeners of the document, among which is that of the web vitals, whose event carries the totals.
  addEventListener('visibilitychange', () => {
    if (document.visibilityState == 'hidden') report(shown());
  });

  return {
    grown,
    /**
     * Report a page for the last time, and begin with the next one. What is visible is not looked at: it may be the next
     * page already.
     *
     * @param {import('./tracker.js').Page} page
     */
    leave(page) {
      tick();
      report(page);
      engaged = reached = height = time = depth = 0;
      isGone = false;
      see();
    },
  };
}
