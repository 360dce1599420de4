/** A failing upload: the build is made, says so, and waits no longer than it may. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import footfall from '@footfall/vite';
import { Service } from '../lib/service.js';
import { accept, APPLICATION, built, desk, KEY, within } from './desk.js';

const OPTIONS = { site: 1, release: '1.4.2' };
const refusal = (status, error, details) => [status, { success: false, error, ...(details && { details }) }];
const FAILURES = {
  'a key that is not accepted': [() => refusal(401, 'Unauthorized'), /Unauthorized/, 1],
  'a proxy with a page of its own': [() => [200, '<html>'], /answered 200 without a message/, 1],
  'a redirection, which could take the key along': [() => [302, '', { Location: 'http://127.0.0.1:1/' }], /answered 302/, 1],
  'a refusal of each file': [({ method }, n) => (method === 'PUT' && n !== 2 ? refusal(400, 'Invalid request', { fieldErrors: { map: ['is no source map'] } }) : accept({ method })), /1 source maps of 1.4.2 uploaded.*refused: assets\/.*Invalid request: map is no source map/, 4],
};

for (const [what, [answer, message, count]] of Object.entries(FAILURES)) {
  test(`${what} is a warning`, async () => {
    const { url, requests } = await desk(answer);
    const { failure, written, logged, everything } = await built({ url, ...OPTIONS });

    assert.equal(failure, undefined);
    assert.ok(written['index.html']);
    assert.equal(logged.length, 1);
    assert.match(logged[0], /^warn /);
    assert.match(logged[0], message);
    assert.equal(requests.length, count);
    assert.ok(!everything.includes(KEY));
  });
}

test('a failure fails a build that is strict, and no map is left', async () => {
  const { url } = await desk(() => refusal(401, 'Unauthorized'));
  const { failure, written } = await built({ url, ...OPTIONS, strict: true });

  assert.match(String(failure), /Unauthorized/);
  assert.ok(!String(failure?.stack).includes(KEY));
  assert.deepEqual(Object.keys(written).filter((name) => name.endsWith('.map')), []);
});

test('a service that never answers is waited for as long as all requests may take', async () => {
  const { url } = await desk(() => undefined);
  const { failure, logged, seconds } = await built({ url, ...OPTIONS, timeout: 0.5 });

  assert.equal(failure, undefined);
  assert.match(logged[0], /the time for all requests is over/);
  assert.ok(seconds < 10, `${seconds} s`);
});

test('a service that is slow is waited for', async () => {
  const { url, requests } = await desk(async (seen) => (await new Promise((resolve) => setTimeout(resolve, 300)), accept(seen)));
  const { logged } = await built({ url, ...OPTIONS });

  assert.match(logged[0], /^info .*3 source maps/);
  assert.equal(requests.length, 4);
});

test('a service that is not there is named, and not for ever', async () => {
  const { logged } = await built({ url: 'http://127.0.0.1:1', ...OPTIONS, timeout: 2 });

  assert.match(logged[0], /^warn footfall: (?:the time for all requests is over|http:\/\/127.0.0.1:1 does not answer: )/);
});

for (const status of [429, 503]) {
  test(`requests that are answered with ${status} are sent again, at last without success`, async () => {
    const { url, requests } = await desk((seen, n) => (n % 2 ? [status, '', { 'Retry-After': '0' }] : accept(seen)));
    const service = new Service({ url, site: 1, timeout: 10 }, KEY, [1, 1]);
    const file = { name: 'a.js', code: 'é', map: '{}' };

    assert.deepEqual(await service.upload('1', file), { stored: true });
    await service.mark('1');
    assert.equal(requests.length, 4);

    const never = await desk(() => refusal(status, 'busy'));
    await assert.rejects(new Service({ url: never.url, site: 1, timeout: 10 }, KEY, [1, 1]).upload('1', file), /busy/);
    assert.equal(never.requests.length, 3);
  });
}

test('a mark whose answer is lost is not sent again, an upload is', async () => {
  const { url, requests } = await desk((seen, n) => (n === 1 || seen.method === 'POST' ? 'reset' : accept(seen)));
  const service = new Service({ url, site: 1, timeout: 10 }, KEY, [1, 1]);

  assert.deepEqual(await service.upload('1', { name: 'a.js', code: '', map: '{}' }), { stored: true });
  await assert.rejects(service.mark('1'), /does not answer/);
  assert.equal(requests.length, 3);
});

test('a pause ends with the time for all requests', async () => {
  const { url } = await desk(() => [503, '', { 'Retry-After': '30' }]);
  const began = performance.now();

  await assert.rejects(new Service({ url, site: 1, timeout: 0.3 }, KEY).upload('1', { name: 'a.js', code: '', map: '' }), /time for all requests/);
  assert.ok(performance.now() - began < 5_000);
});

for (const [what, code, message] of [
  ['too large', 'é'.repeat(16 << 20), /32 MiB/],
  ['too large when it is compressed', randomBytes(17 << 20).toString('base64'), /16 MiB/],
]) {
  test(`a file that is ${what} is not sent`, async () => {
    const { url, requests } = await desk();
    const service = new Service({ url, site: 1, timeout: 60 }, KEY);

    assert.match((await service.upload('1', { name: 'a.js', code, map: '{}' })).refused, message);
    assert.deepEqual(requests, []);
  });
}

test('a site without room for maps has its deploy marked, and the first files named', async () => {
  const { url, requests } = await desk(({ method }) => (method === 'PUT' ? refusal(409, 'The site has 512 MiB of maps') : accept({ method })));
  const lazy = Array.from({ length: 9 }, (_, n) => [`src/lazy${n}.js`, `export const lazy = () => '${n}';\n`]);
  const main = `${APPLICATION['src/main.js']}${lazy.map(([name]) => `import('./${name.slice(4)}').then((module) => module.lazy());\n`).join('')}`;
  const { logged } = await built({ url, ...OPTIONS }, { files: { ...APPLICATION, ...Object.fromEntries(lazy), 'src/main.js': main } });

  assert.equal(requests.at(-1).method, 'POST');
  assert.match(logged[0], /deploy marked; refused: .*512 MiB.*, and \d+ more$/);
});

test('what was sent before the service failed is said', async () => {
  const { url } = await desk(({ method }, n) => (n < 3 ? accept({ method }) : refusal(401, 'Unauthorized')));
  const { logged } = await built({ url, ...OPTIONS });

  assert.equal(logged[0], 'warn footfall: Unauthorized; 2 of 3 source maps of 1.4.2 are there, no deploy marked');
});

for (const [what, environment, options, message] of [
  ['a key', {}, { url: 'http://127.0.0.1:1', ...OPTIONS }, /FOOTFALL_API_KEY is not set/],
  ['an address', { FOOTFALL_API_KEY: KEY }, OPTIONS, /'url' is missing/],
  ['a site', { FOOTFALL_API_KEY: KEY }, { url: 'http://127.0.0.1:1', release: '1' }, /'site' is missing/],
  ['a key that can be sent', { FOOTFALL_API_KEY: `${KEY}\né` }, { url: 'http://127.0.0.1:1', ...OPTIONS }, /FOOTFALL_API_KEY is no API key/],
]) {
  test(`a build without ${what} is made without maps, and says so`, async () => {
    const { failure, written, logged, everything } = await built(options, { environment });

    assert.equal(failure, undefined);
    assert.deepEqual(Object.keys(written).filter((name) => name.endsWith('.map')), []);
    assert.match(logged[0], message);
    assert.ok(!everything.includes(KEY));
  });
}

test('a build whose pages would hold the key fails', async () => {
  const { failure, written } = await built({ url: 'http://127.0.0.1:1', ...OPTIONS }, { config: { envPrefix: ['VITE_', 'FOOTFALL_'] } });

  assert.match(String(failure), /envPrefix would put FOOTFALL_API_KEY into the pages/);
  assert.deepEqual(written, {});
});

for (const [options, message] of [
  [{ apiKey: 'ff_secret' }, /Option 'apiKey' does not exist.*key is in FOOTFALL_API_KEY/],
  [{ url: 'desk.example.com' }, /Option 'url'/],
  [{ url: 'https://user:secret@desk.example.com' }, /Option 'url'/],
  [{ site: 0 }, /Option 'site'/],
  [{ release: 'x'.repeat(201) }, /Option 'release'/],
  [{ deploy: '' }, /Option 'deploy'/],
  [{ timeout: Infinity }, /Option 'timeout'/],
]) {
  test(`an invalid option is named: ${Object.keys(options)[0]} ${String(Object.values(options)[0]).slice(0, 20)}`, async () => {
    await within({}, () => assert.throws(() => footfall(options), (error) => error instanceof TypeError && message.test(error.message) && !error.message.includes('secret')));
  });
}
