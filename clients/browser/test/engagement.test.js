/** How long and how far down pages are looked at: what is reported of them, when, and of which pageview. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './page.js';

/** Load a page whose clock, focus, visibility, scroll position and height the test decides, 100 ms after its script began. */
async function watched({ config = { engagement: true }, visible = true, focused = true, height = 4000, early = 100, before = '', ...options } = {}) {
  const state = { now: 0, focused, height };
  const page = await load({
    ...options,
    config: { engagement: true, ...config },
    before: `${before};
      window.state = { now: 1000, focused: ${focused}, visible: ${visible} };
      performance.now = () => state.now;
      document.hasFocus = () => state.focused;
      Object.defineProperty(document, 'visibilityState', { get: () => state.visible ? 'visible' : 'hidden' });
      Object.defineProperty(document.documentElement, 'scrollHeight', { get: () => state.height });
      Object.defineProperty(document, 'scrollingElement', { get: () => document.documentElement });
      window.innerHeight = 800;
      state.height = ${height};
      const interval = window.setInterval;
      window.setInterval = (run) => (state.tick = run);
      const importing = window.importPart;
      window.importPart = (part) => importing(part).then((exports) => (part.includes('activity') && (state.now += ${early}), exports))`,
  });
  const { window, document, sent } = page;
  const on = (target, type, props = {}) => target.dispatchEvent(Object.assign(new window.Event(type, { bubbles: true }), props));
  return {
    ...page,
    state: window.state,
    /** Let time pass, with a tick each second. */
    pass(milliseconds) {
      for (let left = milliseconds; left > 0; left -= 1000) {
        window.state.now += Math.min(left, 1000);
        if (left >= 1000) window.state.tick();
      }
    },
    scroll(y) {
      window.scrollY = y;
      on(document, 'scroll');
    },
    focus(focused) {
      window.state.focused = focused;
      on(window, focused ? 'focus' : 'blur');
    },
    show(visible) {
      window.state.visible = visible;
      on(document, 'visibilitychange');
    },
    on,
    reports: () => sent.filter(({ type }) => type === 'engagement').map(({ engaged_time, scroll_depth, pageview_id }) => [engaged_time, scroll_depth, sent.findIndex(({ event_id }) => event_id === pageview_id)]),
  };
}

test('a page that is hidden reports what it measured of its pageview, and nothing else', async () => {
  const page = await watched({ more: 'data-release="7" data-footfall-plan="pro" data-user="u"' });
  page.pass(2500);
  page.scroll(1200);
  page.pass(400);
  page.show(false);
  const [pageview, { target, ...report }] = page.sent;
  assert.deepEqual(report, {
    site_id: '1',
    type: 'engagement',
    hostname: 'example.com',
    pageview_id: pageview.event_id,
    engaged_time: 3000,
    scroll_depth: 50,
  });
  assert.equal('pageview_id' in pageview, false);
});

test('reports are totals, and one that would say nothing new is not sent', async () => {
  const page = await watched();
  page.pass(900);
  for (let n = 0; n < 2; n++) page.show(false);
  page.show(true);
  page.show(false);
  page.show(true);
  page.pass(3000);
  page.show(false);
  assert.deepEqual(page.reports(), [[1000, 20, 0], [4000, 20, 0]]);
});

test('time without the focus, in a tab behind others and of a machine that sleeps is none', async () => {
  const page = await watched();
  page.pass(1900);
  page.focus(false);
  page.pass(60_000);
  page.focus(true);
  page.pass(1000);
  page.show(false);
  page.pass(60_000);
  page.show(true);
  page.pass(2000);
  page.state.now += 8 * 3_600_000;
  page.state.tick();
  page.pass(1000);
  page.show(false);
  assert.deepEqual(page.reports().map(([time]) => time), [3000, 6000]);
});

test('a page that begins in the background is measured from when it is shown', async () => {
  const page = await watched({ visible: false, focused: false });
  page.pass(20_000);
  page.show(false);
  assert.deepEqual(page.reports(), []);
  page.state.focused = true;
  page.show(true);
  page.pass(2000);
  page.show(false);
  assert.deepEqual(page.reports(), [[2000, 20, 0]]);
});

test('a page that is prerendered is neither counted nor measured before it is activated', async () => {
  const page = await watched({ visible: false, focused: false, before: 'Object.defineProperty(document, "prerendering", { get: () => !state.activated })' });
  page.pass(30_000);
  page.show(false);
  assert.deepEqual(page.sent, []);
  page.state.activated = page.state.focused = true;
  page.on(page.document, 'prerenderingchange');
  page.show(true);
  page.pass(1000);
  page.show(false);
  assert.deepEqual([page.sent[0].type, ...page.reports()], ['pageview', [1000, 20, 0]]);
});

test('a page that takes the place of another one is measured anew', async () => {
  const page = await watched();
  page.pass(2000);
  page.scroll(3200);
  // The next page is there before its address is, as with some frameworks.
  page.state.height = 800;
  page.window.scrollY = 0;
  page.window.history.pushState({}, '', '/cart');
  page.pass(1000);
  await page.settle();
  page.window.footfall('pageview', { path: '/cart/pay' });
  page.pass(500);
  await page.settle();
  page.show(false);
  assert.deepEqual(page.sent.map(({ type, pathname = '' }) => type + pathname), [
    'pageview/shop', 'engagement', 'pageview/cart', 'engagement', 'pageview/cart/pay', 'engagement',
  ]);
  assert.deepEqual(page.reports(), [[2100, 100, 0], [1000, 100, 2], [500, 100, 4]]);
});

test('a page that the browser restores is a pageview of its own, measured anew', async () => {
  const page = await watched();
  page.pass(2000);
  page.on(page.window, 'pagehide', { persisted: true });
  page.state.now += 300;
  page.show(false);
  page.state.now += 3_600_000;
  page.state.visible = true;
  page.on(page.window, 'pageshow', { persisted: true });
  page.show(true);
  page.pass(4000);
  await page.settle();
  page.show(false);
  assert.deepEqual(page.sent.map(({ type }) => type), ['pageview', 'engagement', 'pageview', 'engagement']);
  assert.deepEqual(page.reports(), [[2100, 20, 0], [4000, 20, 2]]);
});

test('a page that the browser restores is not reported once more for the moment in which it is', async () => {
  const page = await watched();
  page.pass(2000);
  page.window.eval('performance.now = () => (state.now += 3)');
  page.on(page.window, 'pagehide', { persisted: true });
  page.show(false);
  page.show(true);
  page.on(page.window, 'pageshow', { persisted: true });
  await page.settle();
  assert.deepEqual(page.sent.map(({ type }) => type), ['pageview', 'engagement', 'pageview']);
});

test('the share is one of the height at the end, and a page that fits was seen whole', async () => {
  const grows = await watched({ height: 800 });
  grows.scroll(0);
  grows.state.height = 8000;
  grows.show(false);
  const fits = await watched({ height: 300 });
  fits.show(false);
  assert.deepEqual([grows.reports()[0][1], fits.reports()[0][1]], [10, 100]);
});

test('web vitals of the page that is shown carry what would be a report of its own', async () => {
  const page = await watched({ config: { webVitals: true } });
  page.document.addEventListener('visibilitychange', () => page.measure({ lcp: 5 }), { once: true });
  page.pass(2900);
  page.show(false);
  page.show(true);
  page.pass(1000);
  page.show(false);
  const [pageview, performance, report] = page.sent;
  assert.deepEqual([performance.type, performance.lcp, performance.pageview_id, performance.engaged_time, performance.scroll_depth], ['performance', 5, pageview.event_id, 3000, 20]);
  assert.deepEqual([report.type, report.engaged_time, page.sent.length], ['engagement', 4000, 3]);
});

test('web vitals of a page that was left carry nothing of the one that is shown', async () => {
  const page = await watched({ config: { webVitals: true } });
  page.pass(1000);
  page.window.history.pushState({}, '', '/cart');
  page.pass(1000);
  await page.settle();
  page.document.addEventListener('visibilitychange', () => page.measure({ lcp: 5 }), { once: true });
  page.show(false);
  const performance = page.sent.find(({ type }) => type === 'performance');
  assert.deepEqual([performance.pathname, 'pageview_id' in performance, 'engaged_time' in performance], ['/shop', false, false]);
  assert.deepEqual(page.reports().map(([time]) => time), [1100, 1000]);
});

test('nothing is reported to a service that does not take it, of a page that was not counted, or of one that is not to be', async () => {
  const cases = [
    watched({ config: { engagement: false } }),
    watched({ more: 'data-manual' }),
    watched({ more: 'data-skip="/shop"' }),
    watched({ before: 'window.footfall = (...a) => (window.footfall.q = window.footfall.q || []).push(a); footfall.before = () => null' }),
    watched({ before: 'localStorage["footfall-ignore"] = 1' }).then((page) => ((page.state.tick = () => {}), page)),
  ];
  for (const page of await Promise.all(cases)) {
    page.pass(3000);
    page.show(false);
    assert.deepEqual(page.reports(), []);
  }
});

test('what was measured before or while a page was off is not reported', async () => {
  const page = await watched();
  page.pass(5000);
  page.window.footfall.off();
  page.pass(7000);
  page.show(false);
  page.show(true);
  page.window.footfall.on();
  page.pass(1000);
  await page.settle();
  page.show(false);
  assert.deepEqual(page.reports(), [[1000, 20, 1]]);
});

test('masks and hooks hold for reports, too', async () => {
  const page = await watched({ more: 'data-mask="/sh*"' });
  const seen = [];
  page.window.footfall.before = (event) => (seen.push([event.type, event.pathname]), event.pathname.startsWith('/secret') ? null : event);
  page.pass(1000);
  page.show(false);
  assert.deepEqual([page.reports().length, seen, page.warnings], [1, [['engagement', '/sh*']], []]);
  assert.equal('pathname' in page.sent[1], false);
});

test('a page that is looked at for days reports at most what the service takes', async () => {
  const page = await watched();
  page.pass(90_000_000);
  page.show(false);
  assert.equal(page.reports()[0][0], 86_400_000);
});

test('a report has less than six tenths of the bytes of its pageview', async () => {
  const page = await watched();
  page.pass(60_000);
  page.show(false);
  const [pageview, report] = page.sent.map(({ target, ...body }) => JSON.stringify(body).length);
  assert.ok(report < 0.6 * pageview, `${report} of ${pageview}`);
});
