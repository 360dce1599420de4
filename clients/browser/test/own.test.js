/** Browsers that are not counted: how they are marked, and that nothing is sent from them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './page.js';

const TOKEN = '0af3'.repeat(8);
const LINK = `https://example.com/shop?a=1&footfall=ignore.${TOKEN}&b=2#part`;
const MARKED = 'localStorage["footfall-ignore"] = 1';
const note = ({ document }) => document.querySelector('[role=status]')?.textContent;
const types = ({ sent }) => sent.map(({ type }) => type);

test('an address with the token of the site marks the browser, says so, and is not counted', async () => {
  const page = await load({ url: LINK, own: true });
  assert.equal(page.asked[0], `https://desk.example.org/api/track/1?own=${TOKEN}`);
  assert.deepEqual([page.window.location.href, page.sent], ['https://example.com/shop?a=1&b=2#part', []]);
  assert.match(note(page), /^Footfall no longer counts visits to example.com from this browser/);
  assert.equal(page.window.footfall.ignored(), true);
  page.document.querySelector('[role=status] button').click();
  assert.equal(note(page), undefined);
});

test('an address with another token does nothing, and neither does one that the service cannot be asked about', async () => {
  for (const own of [false, undefined]) {
    const page = await load({ url: LINK, own });
    assert.deepEqual([page.window.location.search, page.window.localStorage.length, note(page), types(page)], ['?a=1&b=2', 0, undefined, ['pageview']]);
    assert.deepEqual([page.sent[0].querystring, page.window.footfall.ignored()], ['a=1&b=2', false]);
  }
  const away = await load({ url: LINK, missing: ['own.js'] });
  assert.deepEqual([types(away), away.window.localStorage.length], [['pageview'], 0]);
});

test('the state of the page, the rest of its address, and calls from before survive', async () => {
  const page = await load({
    url: `https://example.com/?x=%20+&footfall=ignore.${TOKEN}`,
    before: 'history.replaceState({ own: 1 }, ""); window.footfall = (...a) => (window.footfall.q = window.footfall.q || []).push(a); footfall("event", "early")',
  });
  assert.deepEqual([page.window.history.state.own, page.window.location.search, types(page)], [1, '?x=%20+', ['pageview', 'custom_event']]);
});

test('a marked browser asks and sends nothing, and says so in the console', async () => {
  const { window, document, sent, asked, parts, warnings, settle } = await load({ before: MARKED, body: '<a id="out" href="https://other.org/">x</a>' });
  document.getElementById('out').click();
  window.footfall('event', 'x');
  window.footfall('pageview');
  window.footfall('error', new window.Error('x'));
  window.footfall.on();
  window.history.pushState({}, '', '/cart');
  await settle();
  assert.deepEqual([sent, asked, parts, warnings], [[], [], [], [['footfall:', 'ignored']]]);
});

test('an address with count takes the mark away and counts the page', async () => {
  const page = await load({ before: MARKED, url: `https://example.com/?footfall=count.${TOKEN}`, own: true });
  assert.deepEqual([page.window.localStorage.length, page.window.location.search, types(page)], [0, '', ['pageview']]);
  assert.match(note(page), /^Footfall counts visits to example.com from this browser/);
});

test('a marked browser keeps its mark when an address has another token', async () => {
  const page = await load({ before: MARKED, url: `https://example.com/?footfall=count.${TOKEN}` });
  assert.deepEqual([page.window.footfall.ignored(), page.sent], [true, []]);
});

test('a page lets its visitors mark their browser and take the mark back', async () => {
  const page = await load({ config: { webVitals: true } });
  const { window, settle } = page;
  window.footfall.ignore();
  window.footfall('event', 'x');
  window.history.pushState({}, '', '/cart');
  page.measure({ lcp: 5 });
  await settle();
  assert.deepEqual([types(page), window.footfall.ignored(), window.localStorage.length], [['pageview'], true, 1]);

  for (let n = 0; n < 2; n++) window.footfall.count();
  await settle();
  assert.deepEqual([page.sent.map(({ pathname }) => pathname), window.localStorage.length], [['/shop', '/cart'], 0]);
});

test('a mark of another tab holds from the next event', async () => {
  const page = await load();
  page.window.eval(MARKED);
  page.window.footfall('event', 'x');
  assert.deepEqual(types(page), ['pageview']);
});

const BLOCKED = 'Object.defineProperty(window, "localStorage", { get() { throw new Error("blocked"); } })';
// A store that is full, as that of private windows of old browsers, can be read.
const FULL = 'Object.defineProperty(window, "localStorage", { value: new Proxy({}, { set() { throw new Error("full"); } }) })';

test('a browser that lets pages store nothing is counted by the next page, and its member is told so', async () => {
  const page = await load({ before: BLOCKED, url: LINK, own: true });
  assert.match(note(page), /^Footfall still counts/);
  page.window.footfall('event', 'x');
  assert.deepEqual([types(page), page.window.footfall.ignored(), page.warnings], [['pageview', 'custom_event'], undefined, []]);
});

test('an objection is followed on the page where nothing can be stored, until it is taken back', async () => {
  for (const before of [BLOCKED, FULL]) {
    let there;
    const page = await load({ before, config: new Promise((resolve) => (there = resolve)) });
    const { window, settle, warnings } = page;
    window.footfall('event', 'waits');
    window.footfall.ignore();
    there({ engagement: true });
    window.footfall('event', 'x');
    // The consent of the page is no answer to the objection of the visitor.
    window.footfall.off();
    window.footfall.on();
    window.history.pushState({}, '', '/cart');
    await settle();
    assert.deepEqual([types(page), window.footfall.ignored(), warnings.length], [[], true, 1]);

    for (let n = 0; n < 2; n++) window.footfall.count();
    await settle();
    window.footfall('event', 'y');
    assert.deepEqual([page.sent.map(({ type, pathname }) => [type, pathname]), !!window.footfall.ignored(), warnings.length], [[['pageview', '/cart'], ['custom_event', '/cart']], false, 1]);
  }
});

test('a page without a store that is told to count itself does not restore what was switched off', async () => {
  const page = await load({ before: BLOCKED, more: 'data-off' });
  page.window.footfall.ignore();
  page.window.footfall.count();
  await page.settle();
  assert.deepEqual([page.sent, page.asked], [[], []]);
});

test('a page that is not counted for another reason takes the mark all the same', async () => {
  const page = await load({ url: LINK, own: true, more: 'data-off' });
  assert.deepEqual([page.window.footfall.ignored(), page.sent], [true, []]);
  page.window.footfall.on();
  await page.settle();
  assert.deepEqual(page.sent, []);
});
