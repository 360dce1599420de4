/** What pages choose: what is left out, masked or changed, whether anything is sent at all, and who is told of errors. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from './page.js';

const DOCUMENTED = await readFile(new URL('../../../docs/clients/browser.md', import.meta.url), 'utf8');
const STUB = /<script>(window\.footfall = [^]*?)<\/script>/.exec(DOCUMENTED)[1];
const paths = ({ sent }) => sent.map(({ pathname }) => pathname);
const failed = (window, message, target = window) =>
  target.dispatchEvent(new window.ErrorEvent('error', { error: new window.TypeError(message), message }));

test('the site is read from the address of the script where a tag has lost its attributes', async () => {
  const { sent, asked, parts } = await load({ attributes: '', src: 'script.js?v=2&site=7', body: '<script src="/other.js?website=3"></script>' });
  assert.deepEqual([sent[0].site_id, sent[0].target, ...asked], ['7', ...Array(1).fill('https://desk.example.org/api/track'), 'https://desk.example.org/api/track/7']);
  assert.deepEqual(parts, ['https://desk.example.org/api/track/activity.js']);
});

test('without a site nothing is sent, and the console says so', async () => {
  const { sent, asked, warnings } = await load({ attributes: '' });
  assert.deepEqual([sent, asked, warnings.length], [[], [], 1]);
});

test('an error that the page caught is sent with its properties, and each once', async () => {
  const { window, sent, settle } = await load();
  for (const n of [1, 2]) window.footfall('error', new window.RangeError('too far'), { step: n });
  window.footfall('error', 'only a text');
  window.footfall('error', undefined);
  await settle();
  const errors = sent.filter(({ type }) => type === 'error').map(({ event_name, properties }) => [event_name, JSON.parse(properties)]);
  assert.deepEqual(
    errors.map(([name, { message, step }]) => [name, message, step]),
    [['RangeError', 'too far', 1], ['Error', 'only a text', undefined], ['Error', 'rejected', undefined]],
  );
  assert.match(errors[0][1].stack, /too far/);
});

test('what is thrown before the script has loaded is sent by its stub, and later errors are sent once', async () => {
  const early = `${STUB}
    dispatchEvent(new ErrorEvent('error', { error: new TypeError('early'), message: 'early', filename: 'https://example.com/a.js', lineno: 3 }));
    dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: new RangeError('rejected early') }));
    footfall('event', 'call')`;
  const { window, sent, settle } = await load({ before: early });
  failed(window, 'late');
  await settle();
  const errors = sent.filter(({ type }) => type === 'error').map(({ event_name, properties }) => [event_name, JSON.parse(properties)]);
  assert.deepEqual(
    errors.map(([name, { message, lineNumber }]) => [name, message, lineNumber]),
    [['TypeError', 'early', 3], ['RangeError', 'rejected early', undefined], ['TypeError', 'late', undefined]],
  );
  assert.deepEqual(sent.filter(({ type }) => type === 'custom_event').map(({ event_name }) => event_name), ['call']);
});

test('errors and clicks from before their part is there are sent when it is', async () => {
  let there;
  const config = new Promise((resolve) => (there = resolve));
  const { window, document, sent, settle } = await load({ config, body: '<a id="out" href="https://other.org/">x</a><form data-footfall-event="join"></form>' });
  document.getElementById('out').click();
  document.querySelector('form').dispatchEvent(new window.Event('submit'));
  there({});
  await settle();
  assert.deepEqual(sent.map(({ type }) => type), ['pageview', 'outbound', 'custom_event']);
});

test('a page that changes its address before the part is there is counted all the same', async () => {
  const loading = load({ before: 'setTimeout(() => history.pushState({}, "", "/home"))' });
  const { settle, ...page } = await loading;
  await settle();
  assert.deepEqual(paths(page), ['/shop', '/home']);
});

test('where the part cannot be loaded, pages and calls are counted all the same, and little is kept', async () => {
  const { window, document, sent, warnings } = await load({ missing: ['activity.js'], body: '<b id="b">x</b>' });
  for (let n = 0; n < 200; n++) document.getElementById('b').click();
  window.footfall('event', 'x');
  assert.deepEqual([sent.map(({ type }) => type), warnings.length], [['pageview', 'custom_event'], 1]);
});

test('of a page whose path is to be skipped nothing is sent', async () => {
  const { window, document, ...page } = await load({ more: 'data-skip="/admin/* | /*/edit"', url: 'https://example.com/admin/users', body: '<a id="out" href="https://other.org/">x</a>' });
  const go = async (path) => (window.history.pushState({}, '', path), await page.settle());
  document.getElementById('out').click();
  window.footfall('event', 'x');
  failed(window, 'x');
  for (const path of ['/7/edit', '/shop', '/admin/', '/admin']) await go(path);
  assert.deepEqual([page.sent.map(({ type }) => type), paths(page)], [['pageview', 'pageview'], ['/shop', '/admin']]);
});

test('what masks match is sent nowhere', async () => {
  const { window, document, sent, settle } = await load({
    more: 'data-mask="/user/*|/order/*/item"',
    url: 'https://example.com/user/42/mails?token=1',
    body: '<a id="file" href="/user/42/bill.pdf?key=2#p">bill</a><a id="out" href="https://other.org/user/7?a=1">x</a>',
    config: { downloads: 'pdf' },
  });
  for (const id of ['file', 'out']) document.getElementById(id).click();
  const error = new window.TypeError('x');
  error.stack = 'TypeError: x\n    at f (https://example.com/user/42/mails:3:9)\n    at https://example.com/app.js:1:2';
  window.dispatchEvent(new window.ErrorEvent('error', { error, message: 'x', filename: 'https://example.com/user/42/mails', lineno: 3 }));
  window.footfall('pageview', { path: '/order/9/item', referrer: 'https://example.com/user/42?token=1' });
  window.footfall('pageview', { path: '/user', referrer: 'https://other.org/user/42?a=1' });
  await settle();
  assert.deepEqual(
    sent.map(({ type, pathname, querystring, referrer }) => [type, pathname, querystring, referrer]),
    [
      ['pageview', '/user/*', '', 'https://search.example/'],
      ...[1, 2].map(() => ['outbound', '/user/*', '', 'https://search.example/']),
      ['pageview', '/order/*/item', '', 'https://example.com/user/*'],
      ['pageview', '/user', 'token=1', 'https://other.org/user/42?a=1'],
      ['error', '/user/*', '', 'https://search.example/'],
    ],
  );
  const [file, out, { fileName, stack }] = sent.filter(({ properties }) => properties).map(({ properties }) => JSON.parse(properties));
  assert.deepEqual([file.url, out.url, fileName], ['https://example.com/user/*', 'https://other.org/user/7?a=1', 'https://example.com/user/*']);
  assert.equal(stack, 'TypeError: x\n    at f (https://example.com/user/*:3:9)\n    at https://example.com/app.js:1:2');
});

test('what is to be left out is not sent either by a page that is left before its part is there', async () => {
  for (const more of ['data-skip="/admin"', 'data-mask="/user/*"']) {
    const { window, document, sent } = await load({ more, config: new Promise(() => {}), missing: ['activity.js'] });
    document.dispatchEvent(new window.Event('visibilitychange'));
    assert.deepEqual(sent, []);
  }
  const { window, document, sent } = await load({ config: new Promise(() => {}) });
  document.dispatchEvent(new window.Event('visibilitychange'));
  assert.deepEqual(sent.map(({ type }) => type), ['pageview']);
});

test('a hook sees each event before it is sent, with its properties, and changes or drops it', async () => {
  const { window, sent, warnings, settle } = await load({
    before: `${STUB}; footfall.before = (event) => event.type == 'custom_event' ? { ...event, properties: { ...event.properties, mail: undefined } } : event.pathname == '/secret' ? null : event`,
  });
  window.footfall('event', 'join', { plan: 'pro', mail: 'a@b.c' });
  window.footfall('event', 'plain');
  window.history.pushState({}, '', '/secret');
  await settle();
  assert.deepEqual(
    sent.map(({ type, properties }) => [type, properties]),
    [['pageview', undefined], ['custom_event', '{"plan":"pro"}'], ['custom_event', '{}']],
  );
  assert.deepEqual(warnings, []);
});

test('an event whose hook fails is dropped with a warning, and the next one is sent', async () => {
  for (const fails of ['() => { throw new Error("mine") }', '() => {}', 'async (event) => event', '() => "text"', '() => true', '() => ({})']) {
    const { window, sent, warnings, settle } = await load();
    window.footfall.before = window.eval(fails);
    window.footfall('event', 'lost');
    window.footfall.before = undefined;
    window.footfall('event', 'sent');
    await settle();
    assert.deepEqual([sent.map(({ event_name }) => event_name), warnings.length], [[undefined, 'sent'], 1], fails);
  }
});

test('an event is not sent as it was by a page that is left before its hook can run', async () => {
  const { window, document, sent } = await load({ before: `${STUB}; footfall.before = () => null`, config: new Promise(() => {}) });
  document.dispatchEvent(new window.Event('visibilitychange'));
  assert.deepEqual(sent, []);
});

test('a page that begins off asks and sends nothing, and counts itself when it is told to', async () => {
  const { window, document, sent, asked, parts, settle } = await load({ more: 'data-off', body: '<a id="out" href="https://other.org/">x</a>' });
  document.getElementById('out').click();
  window.footfall('event', 'x');
  window.footfall('pageview', { path: '/own' });
  window.footfall('error', new window.Error('x'));
  failed(window, 'x');
  await settle();
  assert.deepEqual([sent, asked, parts], [[], [], []]);

  window.history.pushState({}, '', '/later');
  for (let n = 0; n < 2; n++) window.footfall.on();
  await settle();
  window.footfall('event', 'y');
  assert.deepEqual(sent.map(({ type, pathname }) => [type, pathname]), [['pageview', '/later'], ['custom_event', '/later']]);
  assert.deepEqual([asked.length, parts.length, window.localStorage.length], [1, 1, 0]);
});

test('off holds at once, keeps nothing, and on counts the page that is shown then', async () => {
  const { window, document, sent, parts, settle } = await load({ before: `${STUB}; footfall('event', 'early'); footfall('off')`, body: '<a id="out" href="https://other.org/">x</a>' });
  document.getElementById('out').click();
  window.footfall('event', 'x');
  failed(window, 'x');
  window.history.pushState({}, '', '/cart');
  await settle();
  assert.deepEqual([sent, parts.filter((part) => part.includes('errors'))], [[], []]);

  window.footfall('on');
  await settle();
  window.history.pushState({}, '', '/shop?a=1');
  await settle();
  window.footfall.off();
  window.footfall('event', 'x');
  assert.deepEqual([paths({ sent }), sent.map(({ type }) => type)], [['/cart', '/shop'], ['pageview', 'pageview']]);
});

test('a visitor whose browser asks for no tracking stays uncounted whatever the page says', async () => {
  const { window, sent, asked, settle } = await load({ more: 'data-respect-dnt', before: 'Object.defineProperty(navigator, "doNotTrack", { value: "1" })' });
  window.footfall.off();
  window.footfall.on();
  window.footfall('pageview');
  await settle();
  assert.deepEqual([sent, asked], [[], []]);
  assert.equal((await load({ more: 'data-respect-dnt', before: 'Object.defineProperty(navigator, "doNotTrack", { value: "unspecified" })' })).sent.length, 1);
});

test('events name their user and the signature of the backend until the page says otherwise', async () => {
  const { window, sent } = await load({ more: 'data-user="u-1" data-user-signature="ab12"' });
  window.footfall('identify', 7, 'cd34');
  window.footfall('event', 'a');
  window.footfall.identify();
  window.footfall('event', 'b');
  assert.deepEqual(sent.map(({ user_id, user_signature }) => [user_id, user_signature]), [['u-1', 'ab12'], ['7', 'cd34'], [undefined, undefined]]);
  assert.deepEqual((await load()).sent.map((event) => ['user_id' in event, 'user_signature' in event]), [[false, false]]);
});
