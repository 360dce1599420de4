/** The package: what is in it, what it does in a page that a bundler made, and on a server. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { start } from '@footfall/browser';
import { build } from 'esbuild';
import { JSDOM, VirtualConsole } from 'jsdom';

const here = fileURLToPath(new URL('..', import.meta.url));
const PAGE = new URL('../../../docs/track/browser-package.md', import.meta.url);
const windows = [];
after(() => windows.forEach((window) => window.close()));

/** Bundle an application with the package, as bundlers do. */
async function bundled(contents) {
  const { outputFiles } = await build({ stdin: { contents, resolveDir: here }, bundle: true, write: false, format: 'iife', logLevel: 'silent' });
  return outputFiles[0].text;
}

/** Run an application in a page, and return what it sent; `start` has the tracker on the window. */
async function application(contents, { url = 'https://example.com/shop?a=1', own = false, config = {}, before = '' } = {}) {
  const dom = new JSDOM('<!doctype html><title>Shop</title><body>', { url, referrer: 'https://search.example/', runScripts: 'outside-only', virtualConsole: new VirtualConsole() });
  const { window } = dom;
  const [sent, asked, warnings] = [[], [], []];
  windows.push(window);
  window.console.warn = (...args) => void warnings.push(args);
  window.matchMedia = () => ({ matches: false });
  window.navigator.sendBeacon = (target, data) => (sent.push({ target, ...JSON.parse(data) }), true);
  window.fetch = async (target) => (asked.push(String(target)), { json: async () => (String(target).includes('?own=') ? { own } : config) });
  window.eval(before);
  window.eval(await bundled(contents));
  const settle = () => new Promise((resolve) => setTimeout(resolve, 150));
  await settle();
  return { window, sent, asked, warnings, settle };
}

const tracking = (options) => `import { start } from '@footfall/browser'; window.tracker = start(${options});`;
const SERVICE = "site: 7, service: 'https://desk.example.org/'";

test('the packed package has the source, its types, and nothing else', async () => {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--dry-run'], { cwd: here });
  const paths = JSON.parse(stdout)[0].files.map(({ path }) => path);
  const parts = ['activity', 'clicks', 'core', 'declared', 'engagement', 'errors', 'guard', 'mark', 'own', 'page', 'paths', 'rules', 'text', 'tracker', 'vitals'];
  assert.deepEqual(paths.sort(), ['LICENSE', 'README.md', 'index.d.ts', 'index.js', 'package.json', ...parts.map((part) => `src/${part}.js`)].sort());
});

test('on a server it does nothing, and no method throws', () => {
  const tracker = start({ site: '1', service: 'https://desk.example.org/', before: () => null });
  for (const name of ['event', 'pageview', 'error', 'identify', 'off', 'on', 'ignore', 'count']) assert.equal(tracker[name]('x'), undefined);
  assert.equal(tracker.ignored(), false);
});

test('a page is counted with the options of its application, and no global function is left', async () => {
  const { window, sent, asked, warnings, settle } = await application(
    tracking(`{ ${SERVICE}, release: '2.0', user: { id: 42, signature: 'ab' }, properties: () => ({ path: location.pathname }), mask: ['/user/*', '/sh*'], skip: '/admin/*' }`) +
      "tracker.event('early', { n: 1 })",
  );
  for (const path of ['/user/7', '/admin/x', '/cart']) {
    window.history.pushState({}, '', path);
    await settle();
  }
  assert.deepEqual(
    sent.map(({ target, site_id, type, pathname, release, user_id, user_signature, properties }) => [target, site_id, type, pathname, release, user_id, user_signature, properties]),
    [
      ['pageview', '/sh*', '{"path":"/shop"}'],
      ['custom_event', '/sh*', '{"path":"/shop","n":1}'],
      ['pageview', '/user/*', '{"path":"/user/7"}'],
      ['pageview', '/cart', '{"path":"/cart"}'],
    ].map(([type, pathname, properties]) => ['https://desk.example.org/api/track', '7', type, pathname, '2.0', '42', 'ab', properties]),
  );
  assert.deepEqual([asked, warnings, window.footfall, window.localStorage.length], [['https://desk.example.org/api/track/7'], [], undefined, 0]);
});

test('its methods do what the commands of the script do', async () => {
  const { window, sent, settle } = await application(tracking(`{ ${SERVICE}, endpoint: '/parcel', off: true }`) + "tracker.event('lost')");
  assert.deepEqual(sent, []);
  const { tracker } = window;
  tracker.on();
  await settle();
  tracker.before = (event) => (event.event_name === 'dropped' ? null : event);
  tracker.event('dropped');
  tracker.event();
  tracker.pageview({ path: '/step-2' });
  await settle();
  tracker.error(new window.RangeError('far'), { step: 2 });
  await settle();
  tracker.identify('u', 's');
  tracker.ignore();
  tracker.event('lost');
  assert.equal(tracker.ignored(), true);
  tracker.count();
  await settle();
  tracker.off();
  tracker.event('lost');
  assert.deepEqual(
    sent.map(({ target, type, pathname, event_name, user_id }) => [target, type, pathname, event_name, user_id]),
    [
      ['pageview', '/shop', undefined, undefined],
      ['pageview', '/step-2', undefined, undefined],
      ['error', '/step-2', 'RangeError', undefined],
      ['pageview', '/shop', undefined, 'u'],
    ].map((one) => ['https://example.com/parcel', ...one]),
  );
});

test('a second start returns the tracker of the first one', async () => {
  const { window, sent } = await application(tracking(`{ ${SERVICE} }`) + `window.other = start({ ${SERVICE} })`);
  assert.deepEqual([window.other === window.tracker, sent.length], [true, 1]);
});

test('an address that asks not to be counted is obeyed before the page is counted', async () => {
  const url = 'https://example.com/?footfall=ignore.0af3';
  const marked = await application(tracking(`{ ${SERVICE} }`) + "tracker.event('early')", { url, own: true });
  const refused = await application(tracking(`{ ${SERVICE} }`) + "tracker.event('early')", { url });
  assert.deepEqual([marked.window.tracker.ignored(), marked.sent, marked.window.location.search], [true, [], '']);
  assert.deepEqual([refused.window.tracker.ignored(), refused.sent.map(({ type }) => type)], [false, ['pageview', 'custom_event']]);
});

test('an objection is followed where nothing can be stored, and an address that is given to members says the truth', async () => {
  const before = 'Object.defineProperty(window, "localStorage", { get() { throw new Error("blocked"); } })';
  const { window, sent, settle } = await application(tracking(`{ ${SERVICE} }`) + "tracker.event('early')", { before, url: 'https://example.com/?footfall=ignore.0af3', own: true });
  const { tracker } = window;
  assert.match(window.document.querySelector('[role=status]').textContent, /^Footfall still counts/);
  assert.equal(tracker.ignored(), false);
  tracker.ignore();
  tracker.event('lost');
  assert.equal(tracker.ignored(), true);
  tracker.count();
  await settle();
  assert.deepEqual([tracker.ignored(), sent.map(({ type }) => type)], [false, ['pageview', 'custom_event', 'pageview']]);
});

test('an application that names its user right after the start names that of the first page', async () => {
  const { sent } = await application(tracking(`{ ${SERVICE} }`) + "tracker.event('early'); tracker.identify('u', 's'); tracker.event('late')");
  assert.deepEqual(sent.map(({ type, user_id, user_signature }) => [type, user_id, user_signature]), [
    ['pageview', 'u', 's'],
    ['custom_event', undefined, undefined],
    ['custom_event', 'u', 's'],
  ]);
});

test('options that make no address are a warning, and the application goes on', async () => {
  const { window, sent, warnings } = await application(tracking('{ site: 1 }') + "tracker.event('x')");
  assert.deepEqual([sent, warnings.length, window.tracker.ignored()], [[], 1, false]);
});

test('the example of the documentation works as it stands', async () => {
  const [code] = /```js\n([^]*?)```/.exec(await readFile(PAGE, 'utf8')).slice(1);
  const { sent } = await application(code);
  assert.deepEqual(
    sent.map(({ type, pathname, event_name, properties }) => [type, pathname, event_name, properties]),
    [['pageview', '/shop', undefined, undefined], ['custom_event', '/shop', 'sign up', '{"plan":"pro"}']],
  );
});
