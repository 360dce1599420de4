/**
 * Bundles src/ into adapters/http/static/, whose files are committed and served by the service.
 *
 * `node build.js` writes them; `node build.js --check` says whether they are what the sources give, and small enough.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = new URL('.', import.meta.url);
// Inside the Python package, so that the service can serve them from wherever it is installed.
const dist = new URL('../../adapters/http/static/', here);
const LICENSE = new URL('node_modules/web-vitals/LICENSE', here);
const VITALS = JSON.parse(await readFile(new URL('node_modules/web-vitals/package.json', here), 'utf8'));

export const MAX_SCRIPT = 2_048;
export const MAX_TOGETHER = 5_120;

const common = {
  absWorkingDir: fileURLToPath(here),
  bundle: true,
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  target: 'es2020',
  write: false,
};

async function bundle(options) {
  const { outputFiles } = await build({ ...common, ...options });
  return outputFiles[0].text;
}

/** Return the files by name, as the sources give them. */
export async function bundles() {
  return {
    'script.js': await bundle({ entryPoints: ['src/script.js'], format: 'iife' }),
    'vitals.js': await bundle({
      entryPoints: ['src/vitals.js'],
      format: 'esm',
      banner: { js: `/* contains web-vitals ${VITALS.version}: vitals.LICENSE.txt */` },
    }),
    'vitals.LICENSE.txt': await readFile(LICENSE, 'utf8'),
  };
}

/** Bytes that a text has when it is sent compressed. */
export const gzipped = (text) => gzipSync(text, { level: 9 }).length;

/** Return what is wrong with the committed files, a line each. */
export async function faults(files) {
  const found = [];
  for (const [name, text] of Object.entries(files)) {
    const committed = await readFile(new URL(name, dist), 'utf8').catch(() => '');
    if (committed !== text) found.push(`adapters/http/static/${name} is not what the sources give: npm run build`);
  }
  const script = gzipped(files['script.js']);
  const together = script + gzipped(files['vitals.js']);
  if (script > MAX_SCRIPT) found.push(`script.js has ${script} bytes gzipped, at most ${MAX_SCRIPT}`);
  if (together > MAX_TOGETHER) found.push(`both parts have ${together} bytes gzipped, at most ${MAX_TOGETHER}`);
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await bundles();
  if (!process.argv.includes('--check')) {
    for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, dist), text);
  }
  const found = await faults(files);
  for (const fault of found) console.error(fault);
  for (const name of ['script.js', 'vitals.js']) console.log(`${name}: ${gzipped(files[name])} bytes gzipped`);
  process.exitCode = found.length ? 1 : 0;
}
