/** The script on pages that were made for Umami: its tag, and the functions that pages call. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './page.js';

const WEBSITE = '0b1f9a52-0000-4000-8000-000000000001';
const page = (more = '', others = {}) => load({ file: 'umami.js', src: 'umami.js', attributes: `data-website-id="${WEBSITE}"`, more, ...others });
const said = ({ type, pathname, event_name, properties }) => [type, pathname, event_name, properties && JSON.parse(properties)];

test('a page is counted by the tag of Umami, with its tag as a property', async () => {
  const { sent, asked, parts, warnings } = await page('data-tag="b"');
  const [{ target, site_id, type, hostname, pathname, querystring, referrer, properties }, ...others] = sent;
  assert.deepEqual(
    [target, site_id, type, hostname, pathname, querystring, referrer, properties],
    ['https://desk.example.org/api/track', WEBSITE, 'pageview', 'example.com', '/shop', 'a=1', 'https://search.example/', '{"tag":"b"}'],
  );
  assert.deepEqual([others, asked, warnings], [[], [`https://desk.example.org/api/track/${WEBSITE}`], []]);
  assert.deepEqual(parts, ['https://desk.example.org/api/track/activity.js']);
});

test('events go to the host of the tag', async () => {
  for (const host of ['https://other.example.org/way', 'https://other.example.org/way/']) {
    assert.equal((await page(`data-host-url="${host}"`)).sent[0].target, 'https://other.example.org/way/api/track');
  }
});

test('umami.track takes a name, data, a payload and a function', async () => {
  const { window, sent, settle } = await page('data-tag="b" data-auto-track="false"');
  const { umami } = window;
  assert.deepEqual(sent, []);
  await umami.track();
  umami.track('sign up');
  umami.track('buy', { plan: 'pro', cart: { items: 2 } });
  umami.track((props) => ({ ...props, name: 'made', data: { n: 1 } }));
  umami.track({ website: WEBSITE, url: '/own?b=2', title: 'Own', name: 'whole' });
  umami.track((props) => ({ ...props, url: '/cart?b=2#top', title: 'Cart' }));
  umami.track('later');
  umami.track(null);
  await settle();
  assert.deepEqual(sent.map(said), [
    ['pageview', '/shop', undefined, { tag: 'b' }],
    ['custom_event', '/shop', 'sign up', { tag: 'b' }],
    ['custom_event', '/shop', 'buy', { tag: 'b', plan: 'pro', cart: { items: 2 } }],
    ['custom_event', '/shop', 'made', { tag: 'b', n: 1 }],
    ['custom_event', '/own', 'whole', undefined],
    ['pageview', '/cart#top', undefined, { tag: 'b' }],
    ['custom_event', '/cart#top', 'later', { tag: 'b' }],
    ['pageview', '/cart#top', undefined, { tag: 'b' }],
  ]);
  const [, , , made, whole, cart] = sent;
  assert.deepEqual([made.page_title, made.referrer, made.querystring], ['Shop', 'https://search.example/', 'a=1']);
  assert.deepEqual([whole.page_title, whole.referrer, whole.querystring], ['Own', undefined, 'b=2']);
  assert.deepEqual([cart.page_title, cart.querystring], ['Cart', 'b=2']);
});

test('the id of umami.identify is the user of later events, and data about people is not sent', async () => {
  const { window, sent, settle } = await page();
  window.umami.identify({ plan: 'pro' });
  window.umami.identify('u-1', { plan: 'pro' });
  window.umami.track('x');
  window.umami.track((props) => ({ ...props, name: props.id }));
  await settle();
  assert.deepEqual(sent.map(({ user_id, event_name }) => [user_id, event_name]), [[undefined, undefined], ['u-1', 'x'], ['u-1', 'u-1']]);
  assert.deepEqual({ ...window.umami.getSession() }, { website: WEBSITE });
});

test('clicks on elements that name an event are events, by the rules of Umami', async () => {
  const body = `
    <button id="buy" data-umami-event="buy" data-umami-event-plan="pro" data-umami-event-cart-size="2"><b id="inside">Buy</b></button>
    <a id="link" href="/next" data-umami-event="next">Next</a>
    <div data-umami-event="outer"><i id="not">Text</i></div><p id="plain" data-umami-event="plain">Text</p>
    <a id="silent" href="/x"><span id="named" data-umami-event="named">X</span></a>`;
  const { document, sent, settle } = await page('', { body });
  document.addEventListener('click', (event) => event.preventDefault());
  for (const id of ['buy', 'inside', 'link', 'not', 'plain', 'named']) document.getElementById(id).click();
  await settle();
  assert.deepEqual(sent.slice(1).map(said), [
    ['custom_event', '/shop', 'buy', { plan: 'pro', 'cart-size': '2' }],
    ['custom_event', '/shop', 'buy', { plan: 'pro', 'cart-size': '2' }],
    ['custom_event', '/shop', 'next', undefined],
    ['custom_event', '/shop', 'plain', undefined],
  ]);
});

test('a payload without an address is about the page, as far as its address may leave the browser', async () => {
  const url = 'https://example.com/shop?token=secret#part';
  const kept = await page('', { url });
  const bare = await page('data-exclude-search="true" data-exclude-hash="true"', { url });
  for (const { window, sent, settle } of [kept, bare]) {
    window.umami.track({ website: WEBSITE, name: 'buy' });
    window.umami.track({ website: WEBSITE, url: '#own', name: 'sent' });
    await settle();
    assert.deepEqual(sent.map(({ page_title, language }) => [page_title, language]), Array(3).fill(['Shop', 'en-US']));
  }
  const addresses = ({ sent }) => sent.slice(1).map(({ pathname, querystring }) => [pathname, querystring]);
  assert.deepEqual(addresses(kept), [['/shop#part', 'token=secret'], ['/shop#own', 'token=secret']]);
  assert.deepEqual(addresses(bare), [['/shop', ''], ['/shop#own', '']]);
});

test('pages of other domains, and browsers that asked not to be counted, send nothing', async () => {
  const elsewhere = await page('data-domains="shop.example, www.example.com"');
  const asked = await page('', { before: "localStorage['umami.disabled'] = 1" });
  const dnt = await page('data-do-not-track="true"', { before: "Object.defineProperty(navigator, 'doNotTrack', { value: '1' })" });
  for (const { window, sent, asked: requests, settle } of [elsewhere, asked, dnt]) {
    window.umami.track('x');
    await settle();
    assert.deepEqual([sent, requests], [[], []]);
  }
  assert.equal((await page('data-domains="a.example,  example.com"')).sent.length, 1);
});

test('query strings and parts after # are left out where the tag says so', async () => {
  const whole = await page('', { url: 'https://example.com/shop?a=1#part?token=2' });
  const bare = await page('data-exclude-search="true" data-exclude-hash="true"', { url: 'https://example.com/shop?a=1#part' });
  bare.window.history.pushState({}, '', '/shop?a=2#other');
  await bare.settle();
  bare.window.history.pushState({}, '', '/cart?a=2');
  await bare.settle();
  assert.deepEqual(whole.sent.map(({ pathname, querystring }) => [pathname, querystring]), [['/shop#part', 'a=1']]);
  assert.deepEqual(bare.sent.map(({ pathname, querystring }) => [pathname, querystring]), [['/shop', ''], ['/cart', '']]);
});

test('a function of the page sees each payload, and changes or drops it', async () => {
  const before = `window.seen = [];
    function check(type, payload) {
      seen.push([type, { ...payload }]);
      if (payload.name == 'drop') return false;
      return payload.name ? { ...payload, data: { ...payload.data, own: 1 } } : { ...payload, url: '/hidden', title: 'None' };
    }`;
  const { window, sent, settle } = await page('data-before-send="check" data-tag="b"', { before });
  window.umami.track('drop');
  window.umami.track('keep', { n: 1 });
  await settle();
  assert.deepEqual(sent.map(said), [
    ['pageview', '/hidden', undefined, { tag: 'b' }],
    ['custom_event', '/shop', 'keep', { tag: 'b', n: 1, own: 1 }],
  ]);
  assert.equal(sent[0].page_title, 'None');
  const [type, payload] = window.seen[0];
  assert.deepEqual(JSON.parse(JSON.stringify([type, payload])), ['event', {
    website: WEBSITE, screen: '0x0', language: 'en-US', title: 'Shop', hostname: 'example.com',
    url: 'https://example.com/shop?a=1', referrer: 'https://search.example/', tag: 'b',
  }]);
  assert.deepEqual(Array.from(window.seen, ([type, { name }]) => type + ' ' + name), ['event undefined', 'event drop', 'event keep']);
});

test('a function that is waited for changes and drops payloads, too', async () => {
  const before = `async function check(type, payload) {
    await 0;
    if (payload.name == 'fail') throw new Error('own');
    return payload.name == 'drop' ? null : { ...payload, title: 'Late' };
  }`;
  const { window, sent, warnings, settle } = await page('data-before-send="check"', { before });
  for (const name of ['drop', 'fail', 'keep']) window.umami.track(name);
  await settle();
  assert.deepEqual(sent.map(({ type, event_name, page_title }) => [type, event_name, page_title]), [
    ['pageview', undefined, 'Late'],
    ['custom_event', 'keep', 'Late'],
  ]);
  assert.equal(warnings.length, 1);
});

test('a function that is not there leaves payloads as they are', async () => {
  assert.equal((await page('data-before-send="missing"')).sent.length, 1);
});

test('functions that are there already stay', async () => {
  const { window, sent } = await page('', { before: 'window.umami = { track: () => 7 }' });
  assert.deepEqual([window.umami.track(), sent.length], [7, 1]);
});

test('the address that asks not to count this browser is heard before the page is counted', async () => {
  const { window, sent, settle } = await page('', { url: 'https://example.com/?footfall=ignore.0123456789abcdef0123456789abcdef', own: true });
  window.umami.track('x');
  await settle();
  assert.deepEqual(sent, []);
});

test('the same script takes our own tag', async () => {
  const { window, sent } = await load({ file: 'umami.js' });
  assert.deepEqual([sent.length, sent[0].site_id, typeof window.footfall, window.umami], [1, '1', 'function', undefined]);
});
