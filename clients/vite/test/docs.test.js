/** The configurations of the page are those of real builds. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { build } from 'vite';
import { APPLICATION, application, desk, KEY, output, within } from './desk.js';

const PAGE = await readFile(new URL('../../../docs/errors/vite.md', import.meta.url), 'utf8');
const [CONFIG, MAIN, ...others] = [...PAGE.matchAll(/^```js\n(.*?)^```$/gms)].map(([, text]) => text);

test('the configuration of the page builds an application that names its release and has no maps', async () => {
  const { url, requests } = await desk();
  const config = CONFIG.replace('https://desk.example.com', url);
  const root = await application({ ...APPLICATION, 'vite.config.mjs': config, 'src/main.js': MAIN.replace("import { start } from '@footfall/browser';", 'const start = (options) => console.log(options);') });

  await within({ FOOTFALL_API_KEY: KEY, FOOTFALL_RELEASE: '1.4.2' }, () => build({ root, logLevel: 'silent' }));

  const written = await output(root);
  assert.deepEqual(others, []);
  assert.ok(requests.some(({ method, body }) => method === 'POST' && body.release === '1.4.2'));
  assert.ok(Object.values(written).some((text) => /release:[`"']1\.4\.2/.test(text)), JSON.stringify(written));
  assert.ok(Object.keys(written).every((name) => !name.endsWith('.map')));
});

test('the page names every option', async () => {
  const types = await readFile(new URL('../index.d.ts', import.meta.url), 'utf8');
  const names = [...types.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name);

  assert.equal(names.length, 8);
  assert.deepEqual(names.filter((name) => !PAGE.includes(`| \`${name}\` |`)), []);
});
