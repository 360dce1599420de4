/** Real builds with the plugin: what is uploaded, marked, named and written. */

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import footfall from '@footfall/vite';
import { APPLICATION, application, built, desk, KEY, output, within } from './desk.js';

const run = promisify(execFile);
const here = fileURLToPath(new URL('..', import.meta.url));
const maps = (written) => Object.keys(written).filter((name) => name.endsWith('.map'));
const code = (written) => Object.keys(written).filter((name) => name.endsWith('.js')).sort();

test('the source maps of all code are uploaded, and then the deploy is marked', async () => {
  const { url, requests } = await desk();
  const { failure, written, logged } = await built({ url, site: 1, release: '1.4.2' });

  const uploads = requests.slice(0, -1);
  assert.equal(failure, undefined);
  assert.deepEqual(uploads.map(({ query }) => query.file).sort(), code(written));
  assert.equal(code(written).length, 3);
  for (const { method, path, query, key, body } of uploads) {
    assert.deepEqual([method, path, query.release, key], ['PUT', '/api/sites/1/source-maps', '1.4.2', `Bearer ${KEY}`]);
    assert.equal(body.code, written[query.file]);
    assert.ok(JSON.parse(body.map).sourcesContent.every((text) => text.length > 0));
  }
  const { method, path, body } = requests.at(-1);
  assert.deepEqual([method, path, body], ['POST', '/api/sites/1/releases', { release: '1.4.2' }]);
  assert.deepEqual(logged, ['info footfall: 3 source maps of 1.4.2 uploaded, 0 unchanged, deploy marked']);
});

test('no map is written, no code names one, and the key is nowhere', async () => {
  const { url } = await desk();
  const { written, everything } = await built({ url, site: 1, release: '1.4.2' }, { config: { build: { sourcemap: true } } });

  assert.deepEqual(maps(written), []);
  assert.ok(!Object.values(written).join('').includes('sourceMappingURL'));
  assert.ok(!`${Object.values(written).join('')}${everything}`.includes(KEY));
});

test('maps are published when that is asked for', async () => {
  const { url, requests } = await desk();
  const { written } = await built({ url, site: 1, release: '1.4.2', publishMaps: true });

  assert.equal(maps(written).length, 3);
  assert.ok(written[code(written)[0]].includes('sourceMappingURL'));
  assert.equal(requests.length, 4);
});

const ELSEWHERE = {
  'maps in the code of outputs': { build: { rollupOptions: { output: { sourcemap: 'inline' } } } },
  'maps of outputs beside the code': { build: { rollupOptions: { output: { sourcemap: true } } } },
  'no maps of outputs': { build: { rollupOptions: { output: { sourcemap: false } } } },
  'maps with names of their own': { build: { rollupOptions: { output: { sourcemapFileNames: 'maps/[name]-[hash].map' } } } },
  'code with another ending': { build: { rollupOptions: { output: { entryFileNames: 'assets/[name].app' } } } },
};

for (const [what, config] of Object.entries(ELSEWHERE)) {
  test(`${what}: all are uploaded, and none is published`, async () => {
    const { url, requests } = await desk();
    const { written } = await built({ url, site: 1, release: '1.4.2' }, { config });

    assert.deepEqual(maps(written), []);
    assert.ok(!Object.values(written).join('').includes('sourceMappingURL'));
    assert.equal(requests.filter(({ method }) => method === 'PUT').length, 3);
  });
}

test('maps of workers with names of their own are not published', async () => {
  const { url } = await desk();
  const { written } = await built({ url, site: 1, release: '1.4.2' }, { config: { worker: { rollupOptions: { output: { sourcemapFileNames: 'maps/[name]-[hash].map' } } } } });

  assert.deepEqual(maps(written), []);
});

test('files that are called maps and are none stay', async () => {
  const { url } = await desk();
  const files = { ...APPLICATION, 'src/hills.map': 'hills'.repeat(2_000), 'src/lazy.js': "import hills from './hills.map?url';\nexport const lazy = (pay) => pay(hills);\n" };
  const { written } = await built({ url, site: 1, release: '1.4.2' }, { files });

  assert.equal(maps(written).length, 1);
});

test('pages name the release: in the tag, and in the environment of the code', async () => {
  const { url } = await desk();
  const release = 'v1 <"&é';
  const { written } = await built({ url, site: 1, release });

  assert.ok(written['index.html'].includes(' data-release="v1 &lt;&quot;&amp;é" '), written['index.html']);
  assert.ok(Object.values(written).some((text) => text.includes('v1 <"&é')));
});

test('a tag that names its release keeps it', async () => {
  const { url } = await desk();
  const files = { ...APPLICATION, 'index.html': APPLICATION['index.html'].replace('data-site-id', 'data-release="own" data-site-id') };
  const { written } = await built({ url, site: 1, release: '1.4.2' }, { files });

  assert.deepEqual(written['index.html'].match(/data-release="[^"]*"/g), ['data-release="own"']);
});

test('the environment names service, site and release; without a release it is the commit', async () => {
  const { url, requests } = await desk();
  const named = { FOOTFALL_API_KEY: KEY, FOOTFALL_URL: `${url}/`, FOOTFALL_SITE: 'shop', FOOTFALL_RELEASE: '2.0' };
  await built({ deploy: 'New checkout', prefix: '/app/' }, { environment: named });
  assert.equal(requests[0].path, '/api/sites/shop/source-maps');
  assert.ok(requests[0].query.file.startsWith('app/assets/'));
  assert.deepEqual(requests.at(-1).body, { release: '2.0', text: 'New checkout' });

  const { stdout } = await run('git', ['rev-parse', 'HEAD'], { cwd: here });
  await built({ url, site: 1 });
  assert.equal(requests.at(-1).body.release, stdout.trim());
});

test('a deploy is not marked where that is not wanted', async () => {
  const { url, requests } = await desk();
  await built({ url, site: 1, release: '1', deploy: false });

  assert.deepEqual([...new Set(requests.map(({ method }) => method))], ['PUT']);
});

test('code for a server is built as without the plugin', async () => {
  const { url, requests } = await desk();
  const { failure, written } = await built({ url, site: 1, release: '1' }, { config: { build: { ssr: 'src/lazy.js', sourcemap: true } } });

  assert.equal(failure, undefined);
  assert.equal(maps(written).length, 1);
  assert.deepEqual(requests, []);
});

test('a build that fails sends nothing', async () => {
  const { url, requests } = await desk();
  const { failure } = await built({ url, site: 1, release: '1' }, { files: { ...APPLICATION, 'src/lazy.js': 'export const lazy = (' } });

  assert.ok(failure);
  assert.deepEqual(requests, []);
});

test('a build that fails while its files are written sends nothing', async () => {
  const { url, requests } = await desk();
  const late = { name: 'late', writeBundle: () => Promise.reject(new Error('late')) };
  const { failure } = await built({ url, site: 1, release: '1' }, { plugins: [late] });

  assert.match(String(failure), /late/);
  assert.deepEqual(requests, []);
});

test('a build that watches sends nothing', async () => {
  const { url, requests } = await desk();
  const root = await application();
  await within({ FOOTFALL_API_KEY: KEY }, async () => {
    const watcher = await build({ root, configFile: false, logLevel: 'silent', build: { watch: {} }, plugins: [footfall({ url, site: 1, release: '1' })] });
    await new Promise((resolve) => watcher.on('event', ({ code: what }) => what === 'END' && resolve()));
    await watcher.close();
  });

  assert.ok((await output(root))['index.html']);
  assert.deepEqual(requests, []);
});

test('a build that is killed while it uploads leaves no map', async () => {
  let asked;
  const waiting = new Promise((resolve) => (asked = resolve));
  const { url } = await desk(() => void asked());
  const config = `import footfall from '@footfall/vite';\nexport default { plugins: [footfall({ url: '${url}', site: 1, release: '1' })] };\n`;
  const root = await application({ ...APPLICATION, 'vite.config.mjs': config });

  const child = spawn(process.execPath, [fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url)), 'build'], { cwd: root, env: { ...process.env, FOOTFALL_API_KEY: KEY } });
  const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)));
  await waiting;
  child.kill('SIGKILL');

  assert.equal(await ended, 'SIGKILL');
  assert.equal(code(await output(root)).length, 3);
  assert.deepEqual(maps(await output(root)), []);
});

test('the packed package has the plugin, its types, and nothing else', async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--dry-run'], { cwd: here });
  const paths = JSON.parse(stdout)[0].files.map(({ path }) => path);
  assert.deepEqual(paths.sort(), ['LICENSE', 'README.md', 'client.d.ts', 'index.d.ts', 'index.js', 'lib/options.js', 'lib/service.js', 'package.json']);
});
