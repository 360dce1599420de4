/** The built script in a page: what it sends, and what it never does. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundles, faults } from '../build.js';
import { load, SCRIPT } from './page.js';

test('the committed bundles are what the sources give, and small enough', async () => {
  assert.deepEqual(await faults(await bundles()), []);
});

test('a page is counted once, with where it is and where its visitor came from', async () => {
  const { sent, warnings } = await load();
  assert.equal(sent.length, 1);
  const { target, site_id, type, hostname, pathname, querystring, referrer, page_title } = sent[0];
  assert.deepEqual(
    [target, site_id, type, hostname, pathname, querystring, referrer, page_title],
    ['https://desk.example.org/api/track', '1', 'pageview', 'example.com', '/shop', 'a=1', 'https://search.example/', 'Shop'],
  );
  assert.deepEqual(warnings, []);
});

test('navigation without a load is counted, and a change to the same address is not', async () => {
  const { window, sent, settle } = await load();
  window.history.pushState({}, '', '/cart');
  await settle();
  window.history.replaceState({}, '', '/cart');
  await settle();
  window.history.back();
  await settle();
  assert.deepEqual(sent.map((event) => event.pathname), ['/shop', '/cart', '/shop']);
});

test('the release of the tag is sent with every event, cut to what the service takes', async () => {
  const { window, sent, settle } = await load({ more: `data-release="${'1'.repeat(201)}"` });
  window.footfall('event', 'buy');
  window.history.pushState({}, '', '/cart');
  await settle();
  assert.deepEqual(sent.map((event) => [event.type, event.release.length]), [['pageview', 200], ['custom_event', 200], ['pageview', 200]]);
  assert.equal((await load()).sent[0].release, undefined);
});

test('the color scheme that the browser prefers is sent', async () => {
  const schemes = [await load(), await load({ dark: true })].map(({ sent }) => sent[0].color_scheme);
  assert.deepEqual(schemes, ['light', 'dark']);
});

test('a browser that a program controls says so, and any other says nothing of it', async () => {
  const driven = await load({ before: 'Object.defineProperty(navigator, "webdriver", { value: true })' });
  const own = await load({ before: 'Object.defineProperty(navigator, "webdriver", { value: false })' });
  assert.deepEqual([driven.sent[0].webdriver, 'webdriver' in own.sent[0]], [true, false]);
});

test('what a browser says in other words about programs costs no event, and only 1 is as good as true', async () => {
  const says = async (value) => (await load({ before: `Object.defineProperty(navigator, "webdriver", { value: ${value} })` })).sent[0].webdriver;
  assert.deepEqual([await says('1'), await says('"false"'), await says('""'), await says('({})')], [true, undefined, undefined, undefined]);
});

test('attributes of the tag are properties of each hit of its page, below those that the hit has itself', async () => {
  const { window, document, sent, settle } = await load({
    more: 'data-footfall-plan="pro" data-footfall-team="a"',
    body: '<a id="out" href="https://other.org/">There</a>',
  });
  document.getElementById('out').click();
  window.footfall('event', 'buy', { team: 'b' });
  window.footfall('pageview', { properties: { step: 2 } });
  window.dispatchEvent(new window.ErrorEvent('error', { error: new window.Error('x'), message: 'x' }));
  await settle();
  assert.deepEqual(
    sent.map(({ type, properties }) => [type, JSON.parse(properties)]).map(([type, { plan, team, step, url, message }]) => [type, plan, team, step ?? url ?? message]),
    [
      ['pageview', 'pro', 'a', undefined],
      ['outbound', 'pro', 'a', 'https://other.org/'],
      ['custom_event', 'pro', 'b', undefined],
      ['pageview', 'pro', 'a', 2],
      ['error', 'pro', 'a', 'x'],
    ],
  );
  assert.equal((await load()).sent[0].properties, undefined);
});

test('a pageview says what page it is, and later events belong to it until the next navigation', async () => {
  const { window, sent, settle } = await load();
  window.footfall('pageview', { path: '/step-2', title: 'Step 2', referrer: 'https://other.example/', properties: { n: 1 } });
  window.footfall('event', 'x');
  await settle();
  // A change to the address that the browser has all the time is none.
  window.history.replaceState({}, '', '/shop?a=1');
  window.history.pushState({}, '', '/cart');
  await settle();
  assert.deepEqual(
    sent.map(({ type, pathname, querystring, page_title, referrer, properties }) => [type, pathname, querystring, page_title, referrer, properties]),
    [
      ['pageview', '/shop', 'a=1', 'Shop', 'https://search.example/', undefined],
      ['pageview', '/step-2', 'a=1', 'Step 2', 'https://other.example/', '{"n":1}'],
      ['custom_event', '/step-2', 'a=1', 'Step 2', 'https://other.example/', undefined],
      ['pageview', '/cart', '', 'Shop', undefined, undefined],
    ],
  );
});

test('a pageview that says nothing is that of the page, and properties that are too long are not sent', async () => {
  const { window, sent, warnings, settle } = await load({ more: 'data-manual' });
  for (const given of [undefined, null, {}, 'text', { properties: null }]) window.footfall('pageview', given);
  window.footfall('pageview', { properties: { long: 'x'.repeat(8182) } });
  window.footfall('event', 'long', { long: 'x'.repeat(8182) });
  window.footfall('event', 'fits', { long: 'x'.repeat(8181) });
  await settle();
  assert.deepEqual(sent.map(({ type, pathname, page_title, referrer }) => [type, pathname, page_title, referrer]), [
    ...Array(5).fill(['pageview', '/shop', 'Shop', 'https://search.example/']),
    ['custom_event', '/shop', 'Shop', 'https://search.example/'],
  ]);
  assert.equal(warnings.length, 2);
});

test('the path of a pageview holds no query string', async () => {
  const { window, sent, settle } = await load({ config: { trackUrlParams: false } });
  for (const path of ['/a?email=a@b.c#t?token=1', '/#/b?token=1', null]) window.footfall('pageview', { path });
  await settle();
  assert.deepEqual(sent.map(({ pathname, querystring }) => [pathname, querystring]), [['/shop', ''], ['/a', ''], ['/#/b', ''], [undefined, '']]);
});

test('properties that are no object are not sent, also where the tag has some', async () => {
  for (const attributes of ['', 'data-footfall-plan="pro"']) {
    const { window, sent, warnings, settle } = await load({ more: attributes });
    for (const none of ['pro', ['pro'], 7, true, () => 1]) {
      window.footfall('event', 'buy', none);
      window.footfall('pageview', { properties: none });
    }
    await settle();
    assert.deepEqual([sent.map(({ type }) => type), warnings.length], [['pageview'], 10]);
  }
});

test('objects that say themselves what they are as JSON are sent as that', async () => {
  const { window, sent, settle } = await load({ more: 'data-footfall-team="a"' });
  window.footfall('event', 'buy', { cart: 1, toJSON: () => ({ plan: 'pro' }) });
  await settle();
  assert.deepEqual(JSON.parse(sent[1].properties), { team: 'a', plan: 'pro' });
});

test('a tag whose attributes are too long costs their pages the hits and not the rest of the script', async () => {
  const { window, sent, asked, warnings, settle } = await load({
    more: `data-footfall-long="${'x'.repeat(8192)}"`,
    before: 'window.footfall = (...a) => (window.footfall.q = window.footfall.q || []).push(a)',
  });
  window.dispatchEvent(new window.ErrorEvent('error', { error: new window.Error('x'), message: 'x' }));
  await settle();
  window.document.querySelector('script').removeAttribute('data-footfall-long');
  window.history.pushState({}, '', '/cart');
  await settle();
  window.footfall('event', 'late');
  assert.deepEqual([asked.length, warnings.length, !!window.footfall.ready], [1, 1, true]);
  assert.deepEqual(sent.map(({ type, pathname }) => [type, pathname]), [['error', '/shop'], ['pageview', '/cart'], ['custom_event', '/cart']]);
});

test('web vitals belong to the page that the browser loaded, as that page calls itself', async () => {
  const measured = async (more) => {
    const { window, sent, measure, settle } = await load({ more, config: { webVitals: true } });
    window.footfall('pageview', { path: '/own' });
    window.footfall('pageview', { path: '/further' });
    await settle();
    measure({ lcp: 5 });
    await settle();
    return sent.find(({ type }) => type === 'performance').pathname;
  };
  assert.deepEqual([await measured('data-manual'), await measured('')], ['/own', '/shop']);
});

test('the time zone of the browser is sent by its name', async () => {
  const { sent, window } = await load();
  assert.equal(sent[0].time_zone, window.Intl.DateTimeFormat().resolvedOptions().timeZone);
  assert.match(sent[0].time_zone, /^[A-Z]/);
});

test('the part after # is a page only when the site routes by it', async () => {
  const plain = await load({ url: 'https://example.com/#/a' });
  const routed = await load({ url: 'https://example.com/#/a?secret=1', more: 'data-hash' });
  assert.deepEqual([plain.sent[0].pathname, routed.sent[0].pathname], ['/', '/#/a']);
});

test('events come from calls, also from those before the script, and from attributes', async () => {
  const { window, document, sent, settle } = await load({
    before: 'window.footfall = (...a) => (window.footfall.q = window.footfall.q || []).push(a); footfall("event", "early")',
    body: '<button data-footfall-event="buy" data-footfall-plan="pro"><b id="inner">Buy</b></button>',
  });
  window.footfall('event', 'late', { n: 1 });
  document.getElementById('inner').click();
  await settle();
  const events = sent.filter((event) => event.type === 'custom_event');
  assert.deepEqual(
    events.map((event) => [event.event_name, event.properties]),
    [['early', undefined], ['late', '{"n":1}'], ['buy', '{"plan":"pro"}']],
  );
});

test('links that lead away are counted, and others are not', async () => {
  const { document, sent, settle } = await load({
    body: '<a id="out" href="https://other.org/x" target="_blank">  Go \n there </a><a id="in" href="/y">y</a><a id="mail" href="mailto:a@b.c">m</a>',
  });
  for (const id of ['out', 'in', 'mail']) document.getElementById(id).click();
  await settle();
  const outbound = sent.filter((event) => event.type === 'outbound');
  assert.deepEqual(outbound.map((event) => JSON.parse(event.properties)), [
    { url: 'https://other.org/x', text: 'Go there', target: '_blank' },
  ]);
});

const FILES = '<a id="pdf" href="/files/Guide.PDF?v=1">Guide</a><a id="dwg" href="/plan.dwg">Plan</a><a id="page" href="/pdf">p</a>';

async function clickFiles(options) {
  const { document, sent, settle } = await load({ body: FILES, ...options });
  for (const id of ['pdf', 'dwg', 'page']) document.getElementById(id).click();
  await settle();
  return sent.filter((event) => event.type === 'outbound').map((event) => JSON.parse(event.properties).url);
}

test('links to files are counted as outbound clicks, by the list of the service or of the tag', async () => {
  const config = { downloads: 'pdf|zip' };
  assert.deepEqual(await clickFiles({ config }), ['https://example.com/files/Guide.PDF?v=1']);
  assert.deepEqual(await clickFiles({ config, more: 'data-downloads="dwg"' }), ['https://example.com/plan.dwg']);
  assert.deepEqual(await clickFiles({ config, more: 'data-downloads' }), []);
  assert.deepEqual(await clickFiles({ config: { ...config, trackOutbound: false } }), []);
  assert.deepEqual(await clickFiles({ config: undefined }), []);
});

test('an error is counted once a page, and ten different ones at most', async () => {
  const { window, sent, settle } = await load();
  const fail = (message) =>
    window.dispatchEvent(
      new window.ErrorEvent('error', { error: new window.TypeError(message), message, filename: 'https://example.com/a.js?token=1', lineno: 3, colno: 9 }),
    );
  for (let n = 0; n < 3; n++) fail('same');
  for (let n = 0; n < 20; n++) fail(`other ${n}`);
  await settle();
  const errors = sent.filter((event) => event.type === 'error');
  const { message, fileName, lineNumber, columnNumber } = JSON.parse(errors[0].properties);
  assert.equal(errors.length, 10);
  assert.deepEqual([errors[0].event_name, message, fileName, lineNumber, columnNumber], ['TypeError', 'same', 'https://example.com/a.js', 3, 9]);
});

test('an error that was counted on one page is counted on the next one, too', async () => {
  const { window, sent, settle } = await load();
  const fail = () => window.dispatchEvent(new window.ErrorEvent('error', { error: new window.Error('x'), message: 'x' }));
  fail();
  window.history.pushState({}, '', '/cart');
  fail();
  await settle();
  assert.deepEqual(sent.filter(({ type }) => type === 'error').map(({ pathname }) => pathname), ['/shop', '/cart']);
});

test('a picture that does not load is no error, and its part is loaded for none', async () => {
  const { document, window, sent, parts, settle } = await load({ body: '<img id="broken" alt="">' });
  document.getElementById('broken').dispatchEvent(new window.Event('error'));
  await settle();
  assert.deepEqual([sent.length, parts.filter((part) => part.includes('errors'))], [1, []]);
});

test('every event has an id of its own', async () => {
  const { window, sent } = await load();
  for (let n = 0; n < 100; n++) window.footfall('event', 'same');
  const ids = sent.map(({ event_id }) => event_id);
  assert.equal(new Set(ids).size, 101);
  assert.ok(ids.every((id) => /^\d+-0[.]\d+(e-\d+)?$/.test(id)));
});

for (const stub of ['', 'window.footfall = window.footfall || function () { (footfall.q = footfall.q || []).push(arguments) };']) {
  test(`a script that is included twice counts once, ${stub ? 'below a stub that is not called' : 'without a stub'}`, async () => {
    const { sent } = await load({ before: stub + SCRIPT });
    assert.deepEqual(sent.map(({ type }) => type), ['pageview']);
  });
}

test('an element that is named like the function does not take its place', async () => {
  const { sent, window } = await load({ body: '<div id="footfall"></div>' });
  window.footfall('event', 'x');
  assert.deepEqual(sent.map(({ type }) => type), ['pageview', 'custom_event']);
});

test('the endpoint is beside the script, or where the tag says', async () => {
  const beside = await load({ config: { webVitals: true } });
  const other = await load({ config: { webVitals: true }, more: 'data-endpoint="/parcel"' });
  const elsewhere = await load({ more: 'data-endpoint="https://other.example/a/b"' });
  assert.deepEqual(
    [beside, other, elsewhere].map(({ sent: [{ target }], asked, parts }) => [target, ...asked, ...parts]),
    [
      ...['https://desk.example.org/api/track', 'https://desk.example.org/parcel'].map((url) => [url, `${url}/1`, `${url}/activity.js`, `${url}/vitals.js`]),
      ['https://other.example/a/b', 'https://other.example/a/b/1', 'https://other.example/a/b/activity.js'],
    ],
  );
});

test('the switches of the site are kept to', async () => {
  const { window, document, sent, settle } = await load({
    config: { trackErrors: false, trackOutbound: false, trackUrlParams: false },
    body: '<a id="out" href="https://other.org/">x</a>',
  });
  document.getElementById('out').click();
  window.dispatchEvent(new window.ErrorEvent('error', { error: new window.Error('x'), message: 'x' }));
  await settle();
  assert.deepEqual(sent.map((event) => [event.type, event.querystring]), [['pageview', '']]);
});

test('without a configuration everything is sent, and without beacons too', async () => {
  const away = await load({ config: undefined });
  const old = await load({ beacon: false });
  assert.deepEqual([away.sent.length, old.sent.length], [1, 1]);
});

test('texts are cut to what the service takes', async () => {
  const { document, sent, window, settle } = await load();
  document.title = 'T'.repeat(1000);
  window.history.pushState({}, '', '/' + 'p'.repeat(3000));
  await settle();
  assert.deepEqual([sent[1].page_title.length, sent[1].pathname.length], [512, 2048]);
});

test('a page that asks to respect a refusal is not counted, and calls still work', async () => {
  const { window, sent } = await load({
    more: 'data-respect-gpc',
    before: 'Object.defineProperty(navigator, "globalPrivacyControl", { value: true })',
  });
  window.footfall('event', 'x');
  assert.deepEqual(sent, []);
});

test('nothing that goes wrong reaches the page, and nothing is kept in it', async () => {
  const { window, document, warnings, sent } = await load();
  window.footfall('nonsense');
  window.footfall('event');
  window.footfall('event', 'x', { get broken() { throw new Error('mine'); } });
  assert.equal(warnings.length, 3);
  assert.equal(sent.length, 1);
  assert.deepEqual([document.cookie, window.localStorage.length, window.sessionStorage.length], ['', 0, 0]);
});
