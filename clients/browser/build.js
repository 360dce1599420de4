/**
 * Bundles src/ into adapters/http/static/, whose files are committed and served by the service.
 *
 * `node build.js` writes them; `node build.js --check` says whether they are what the sources give, and small enough.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';

const here = new URL('.', import.meta.url);
// Inside the Python package, so that the service can serve them from wherever it is installed.
const dist = new URL('../../adapters/http/static/', here);
const LICENSE = new URL('node_modules/web-vitals/LICENSE', here);
const VITALS = JSON.parse(await readFile(new URL('node_modules/web-vitals/package.json', here), 'utf8'));

/** Bytes that each script has at most when it is sent with brotli. */
export const MAXIMA = { 'script.js': 1_825, 'umami.js': 2_770, 'plausible.js': 3_450, 'activity.js': 2_020, 'own.js': 800, 'errors.js': 700, 'vitals.js': 2_400 };

async function bundle(entry, compress = {}) {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(here),
    entryPoints: [`src/${entry}`],
    bundle: true,
    charset: 'utf8',
    format: 'esm',
    legalComments: 'none',
    target: 'es2021',
    write: false,
    // Writes `let` for `const`, which terser leaves: 10 bytes of the script with brotli.
    minifySyntax: true,
  });
  const options = {
    ecma: 2020,
    module: true,
    compress: { passes: 3, keep_fargs: false, unsafe_arrows: true, hoist_funs: true, ...compress },
  };
  return (await minify(outputFiles[0].text, options)).code;
}

/** Bundle what a tag loads. Not a module, which would lose document.currentScript: a function keeps its names from the page. */
async function script(entry) {
  // No boolean of its own is sent.
  return `(()=>{${await bundle(entry, { booleans_as_integers: true, reduce_funcs: false })}})();`;
}

/** Return the files by name, as the sources give them. */
export async function bundles() {
  return {
    'script.js': await script('script.js'),
    'umami.js': await script('umami.js'),
    'plausible.js': await script('plausible.js'),
    'activity.js': await bundle('activity.js'),
    'own.js': await bundle('own.js'),
    'errors.js': await bundle('errors.js'),
    'vitals.js': `/* contains web-vitals ${VITALS.version}: vitals.LICENSE.txt */${await bundle('vitals.js')}`,
    'vitals.LICENSE.txt': await readFile(LICENSE, 'utf8'),
  };
}

/** Return a text as it is sent with brotli: compressed here, because Python's standard library cannot. */
export function brotli(text) {
  const modes = [constants.BROTLI_MODE_TEXT, constants.BROTLI_MODE_GENERIC, constants.BROTLI_MODE_FONT];
  const forms = modes.map((mode) =>
    brotliCompressSync(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_MODE]: mode,
        [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
      },
    }),
  );
  return forms.reduce((one, other) => (other.length < one.length ? other : one));
}

/** Return what is wrong with the committed files, a line each. */
export async function faults(files) {
  const found = [];
  for (const [name, text] of Object.entries(files)) {
    const committed = await readFile(new URL(name, dist), 'utf8').catch(() => '');
    if (committed !== text) found.push(`adapters/http/static/${name} is not what the sources give: npm run build`);
  }
  for (const [name, maximum] of Object.entries(MAXIMA)) {
    const sent = await readFile(new URL(`${name}.br`, dist)).catch(() => brotli(''));
    // Not byte for byte: another version of the library may compress differently.
    if (brotliDecompressSync(sent).toString() !== files[name]) found.push(`${name}.br holds something else: npm run build`);
    if (sent.length > maximum) found.push(`${name} has ${sent.length} bytes with brotli, at most ${maximum}`);
  }
  return found;
}

async function write(files) {
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, dist), text);
  for (const name of Object.keys(MAXIMA)) await writeFile(new URL(`${name}.br`, dist), brotli(files[name]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await bundles();
  if (!process.argv.includes('--check')) await write(files);
  const found = await faults(files);
  for (const fault of found) console.error(fault);
  for (const name of Object.keys(MAXIMA)) console.log(`${name}: ${brotli(files[name]).length} bytes with brotli`);
  process.exitCode = found.length ? 1 : 0;
}
