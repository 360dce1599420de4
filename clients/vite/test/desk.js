/** A service that answers by a script, and builds that speak to it. */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { build, createLogger } from 'vite';
import footfall from '@footfall/vite';

export const KEY = 'ff_secret';
export const APPLICATION = {
  'index.html': '<!doctype html><html><head><script defer src="https://desk.example.com/footfall.js" data-site-id="1"></script></head><body><script type="module" src="/src/main.js"></script></body></html>',
  'src/main.js':
    "import './style.css';\nnew Worker(new URL('./worker.js', import.meta.url), { type: 'module' });\n" +
    "export function pay(total) {\n  if (total < 0) throw new RangeError('negative');\n  return total;\n}\n" +
    "import('./lazy.js').then((module) => module.lazy(pay));\nconsole.log(import.meta.env.FOOTFALL_RELEASE, import.meta.env.MODE);\n",
  'src/lazy.js': 'export const lazy = (pay) => pay(-1);\n',
  'src/worker.js': "self.onmessage = (event) => { throw new Error('worker ' + event.data); };\n",
  'src/style.css': 'body { color: red }\n',
};
const closing = [];
after(() => Promise.all(closing.map((close) => close())));

/** Start a service; `answer` returns [status, body, headers] for a request, or nothing to never answer. */
export async function desk(answer = accept) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray().catch(() => []);
    const bytes = Buffer.concat(chunks);
    const url = new URL(request.url, 'http://desk');
    const text = String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
    const seen = { method: request.method, path: url.pathname, query: Object.fromEntries(url.searchParams), key: request.headers.authorization, body: text && JSON.parse(text) };
    requests.push(seen);
    const given = await answer(seen, requests.length);
    if (given === undefined) return;
    if (given === 'reset') return void request.socket.destroy();
    const [status, body, headers = {}] = given;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())));
  return { url: `http://127.0.0.1:${server.address().port}`, requests };
}

export function accept({ method }) {
  return method === 'PUT' ? [201, { success: true, stored: true, digest: '0d1f' }] : [201, { success: true, annotationId: '0123456789ab' }];
}

/** Write the files of an application, below the package, so that it finds it; return its folder. */
export async function application(files = APPLICATION) {
  const root = await mkdtemp(join(dirname(fileURLToPath(import.meta.url)), 'application-'));
  closing.push(() => rm(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return root;
}

/** Return the files that a build has written, by their names. */
export async function output(root) {
  const dist = join(root, 'dist');
  const entries = await readdir(dist, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path.slice(dist.length + 1), await readFile(path, 'utf8')])));
}

/** Build an application with the plugin; return what was written and logged. */
export async function built(options, { files, environment = { FOOTFALL_API_KEY: KEY }, config = {}, plugins = [] } = {}) {
  const root = await application(files);
  const logged = [];
  const logger = createLogger('silent');
  for (const level of ['info', 'warn', 'error']) logger[level] = (message) => void logged.push(`${level} ${message}`);
  const began = performance.now();
  const failure = await within(environment, () => build({ root, configFile: false, customLogger: logger, plugins: [footfall(options), ...plugins], ...config })).then(
    () => undefined,
    (error) => error,
  );
  const seconds = (performance.now() - began) / 1_000;
  return { failure, seconds, written: await output(root), logged: logged.filter((line) => line.includes('footfall')), everything: logged.join('\n') };
}

/** Run with these variables of the environment and no others of Footfall. */
export async function within(environment, run) {
  const before = { ...process.env };
  for (const name of Object.keys(process.env)) if (name.startsWith('FOOTFALL_')) delete process.env[name];
  Object.assign(process.env, environment);
  try {
    return await run();
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}
