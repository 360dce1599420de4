/** What pages choose: what is left out, masked or changed, whether anything is sent at all, and who is told of errors. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from './page.js';

const DOCUMENTED = await readFile(new URL('../../../docs/track/browser.md', import.meta.url), 'utf8');
const STUB = /<script>(window\.footfall = [^]*?)<\/script>/.exec(DOCUMENTED)[1];
const LATE_PART = 'const known = importPart; importPart = (part) => new Promise((there) => setTimeout(there, 200)).then(() => known(part))';
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
  assert.deepEqual([sent, asked, warnings], [[], [], [['footfall:', 'no data-site-id']]]);
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

test('where the part cannot be loaded, pages and calls are counted all the same', async () => {
  const { window, document, sent, warnings } = await load({ missing: ['activity.js'], body: '<b id="b">x</b>' });
  for (let n = 0; n < 200; n++) document.getElementById('b').click();
  window.footfall('event', 'x');
  assert.deepEqual([sent.map(({ type }) => type), warnings.length], [['pageview', 'custom_event'], 1]);
});

test('of what happens before the part is there a limited number is kept', async () => {
  const { document, sent, settle } = await load({ before: LATE_PART, body: '<b id="b" data-footfall-event="tap">x</b>' });
  for (let n = 0; n < 200; n++) document.getElementById('b').click();
  for (let n = 0; n < 4; n++) await settle();
  assert.equal(sent.filter(({ type }) => type === 'custom_event').length, 99);
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

test('what waits is sent as that of the user whom the page named when it happened', async () => {
  let there;
  const config = new Promise((resolve) => (there = resolve));
  const { window, document, sent, settle } = await load({
    config,
    more: 'data-user="a" data-user-signature="s-a"',
    body: '<a id="out" href="https://other.org/">x</a><b id="declared" data-footfall-event="tap">x</b>',
  });
  const { footfall } = window;
  footfall('event', 'logout');
  footfall('identify');
  footfall('event', 'signed out');
  footfall('identify', 'b', 's-b');
  footfall('event', 'login');
  there({});
  await settle();
  // The title of a page that takes the place of another one is waited for.
  window.history.pushState({}, '', '/cart');
  footfall('event', 'switch');
  for (const id of ['out', 'declared']) document.getElementById(id).click();
  footfall('error', new window.Error('x'));
  footfall('identify', 'c', 's-c');
  await settle();
  assert.deepEqual(
    sent.map(({ type, event_name, user_id, user_signature }) => [event_name ?? type, user_id, user_signature]),
    [
      ['pageview', 'a', 's-a'],
      ['logout', 'a', 's-a'],
      ['signed out', undefined, undefined],
      ['login', 'b', 's-b'],
      ...['pageview', 'switch', 'outbound', 'tap', 'Error'].map((name) => [name, 'b', 's-b']),
    ],
  );
});

test('clicks and errors from before their part is there are those of the user of then', async () => {
  const { window, document, sent, settle } = await load({
    before: LATE_PART,
    more: 'data-user="a" data-user-signature="s-a"',
    body: '<a id="out" href="https://other.org/">x</a><b id="declared" data-footfall-event="tap">x</b><form data-footfall-event="join"></form>',
  });
  for (const id of ['out', 'declared']) document.getElementById(id).click();
  document.querySelector('form').dispatchEvent(new window.Event('submit'));
  failed(window, 'x');
  window.footfall('error', new window.RangeError('y'));
  window.footfall('identify', 'b', 's-b');
  for (let n = 0; n < 4; n++) await settle();
  assert.deepEqual(
    sent.map(({ type, event_name, user_id, user_signature }) => [event_name ?? type, user_id, user_signature]),
    ['pageview', 'outbound', 'tap', 'join', 'TypeError', 'RangeError'].map((name) => [name, 'a', 's-a']),
  );
});

test('the page that is loaded is that of the first user whom it names before it is sent, and calls from before are not', async () => {
  const early = `${STUB}; footfall('event', 'early'); footfall('identify', 'u', 's'); footfall('event', 'late')`;
  const users = ({ sent }) => sent.map(({ event_name, user_id, user_signature }) => [event_name, user_id, user_signature]);
  const named = [[undefined, 'u', 's'], ['early', undefined, undefined], ['late', 'u', 's']];
  assert.deepEqual(users(await load({ before: early })), named);
  assert.deepEqual(users(await load({ before: early, more: 'data-mask="/user/*"' })), named);
  const signedOut = await load({ before: `${STUB}; footfall('identify')`, more: 'data-user="u" data-user-signature="s"' });
  assert.deepEqual(users(signedOut), [[undefined, 'u', 's']]);
  const counted = await load({ before: `${STUB}; footfall('pageview'); footfall('identify', 'u', 's')`, more: 'data-manual' });
  assert.deepEqual(users(counted), [[undefined, undefined, undefined]]);
});

/** Report an error with a stack, and return its place and its stack as they are sent. */
async function reported(stack, { filename, more = 'data-mask="/user/*"' } = {}) {
  const { window, sent, settle } = await load({ more, url: 'https://ex.com/shop' });
  const error = Object.assign(new window.TypeError('x'), { stack });
  window.dispatchEvent(new window.ErrorEvent('error', { error, message: 'x', filename }));
  await settle();
  return JSON.parse(sent.find(({ type }) => type === 'error').properties);
}

const FRAMES = [
  // As browsers write them, without query string and fragment, and masked.
  ['@https://ex.com/user/42?token=1 line 12 > Function:1:7', '@https://ex.com/user/42 line 12 > Function:1:7', '@https://ex.com/user/* line 12 > Function:1:7'],
  ['f@https://ex.com/user/42#a line 3 > eval line 1 > eval:1:7', 'f@https://ex.com/user/42 line 3 > eval line 1 > eval:1:7', 'f@https://ex.com/user/* line 3 > eval line 1 > eval:1:7'],
  ['    at f (https://ex.com/user/42?a=(b)&t=10:20:30:3:9)', '    at f (https://ex.com/user/42:3:9)', '    at f (https://ex.com/user/*:3:9)'],
  ['    at https://ex.com/user/(42)/x:3:9', '    at https://ex.com/user/(42)/x:3:9', '    at https://ex.com/user/*:3:9'],
  ['f@https://ex.com/user/a(b?c=(d:3:9', 'f@https://ex.com/user/a(b:3:9', 'f@https://ex.com/user/*:3:9'],
  [
    '    at eval (eval at f (https://ex.com/user/42?a=1:3:9), <anonymous>:1:2)',
    '    at eval (eval at f (https://ex.com/user/42:3:9), <anonymous>:1:2)',
    '    at eval (eval at f (https://ex.com/user/*:3:9), <anonymous>:1:2)',
  ],
  ['#own@https://ex.com/app.js?v=1:3:9', '#own@https://ex.com/app.js:3:9', '#own@https://ex.com/app.js:3:9'],
  ['    at A.#own (https://ex.com/app.js?v=1:3:9)', '    at A.#own (https://ex.com/app.js:3:9)', '    at A.#own (https://ex.com/app.js:3:9)'],
  ['    at f (https://other.org/user/42?a=1:3:9)', '    at f (https://other.org/user/42:3:9)', '    at f (https://other.org/user/42:3:9)'],
  // Some browsers tell the line alone.
  ['f@https://ex.com/user/42?a=1:3', 'f@https://ex.com/user/42:3', 'f@https://ex.com/user/*:3'],
  // What cannot be read is left out where something is masked.
  ['    at https://ex.com/user/42?a=1:wasm-function[7]:0x1f', '    at https://ex.com/user/42:wasm-function[7]:0x1f', undefined],
  ['    at f (https://ex.com/user/42 and more)', '    at f (https://ex.com/user/42 and more)', undefined],
  ['    at f (<anonymous>)', '    at f (<anonymous>)', '    at f (<anonymous>)'],
  ['f@https://ex.com/user/42?to', 'f@https://ex.com/user/42', undefined],
];

test('frames of every browser lose query string and fragment', async () => {
  const { stack } = await reported(FRAMES.map(([frame]) => frame).join('\n'), { more: '' });
  assert.deepEqual(stack.split('\n'), FRAMES.map(([, plain]) => plain));
});

test('frames of every browser are masked, and those of the own host that cannot be read are left out', async () => {
  const { stack } = await reported(FRAMES.map(([frame]) => frame).join('\n'));
  assert.deepEqual(stack.split('\n'), FRAMES.map(([, , masked]) => masked).filter(Boolean));
});

test('the place of evaluated code is masked as the address that evaluates it', async () => {
  const place = async (filename, mask) => (await reported('', { filename, more: `data-mask="${mask}"` })).fileName;
  const code = 'https://ex.com/user/42/edit?token=1 line 12 > Function';
  assert.equal(await place(code, '/user/*/edit'), 'https://ex.com/user/*/edit line 12 > Function');
  assert.equal(await place(code, '/admin'), 'https://ex.com/user/42/edit line 12 > Function');
});
