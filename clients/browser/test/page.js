/** A page of jsdom with the built script in it, and a service that answers it. */

import { after } from 'node:test';
import { JSDOM, VirtualConsole } from 'jsdom';
import { bundles } from '../build.js';

const FILES_OF_PAGES = await bundles();
// A page of jsdom cannot import: the parts come from the test instead.
export const scriptOf = (name) => FILES_OF_PAGES[name].replaceAll('import(', 'importPart(');
export const SCRIPT = scriptOf('script.js');

const windows = [];
after(() => windows.forEach((window) => window.close()));

/** Return the exports of a part, evaluated in a page. */
function evaluated(window, name) {
  const text = FILES_OF_PAGES[name].replace(/export\s*\{(.*?)\};?\s*$/, (_, names) => `return {${names.replace(/(\w+) as (\w+)/g, '$2: $1')}};`);
  return window.eval(`(() => {${text}})()`);
}

/** Load a page with the script; `config` is what the service answers, a promise of it, or undefined for a failure. */
export async function load({ attributes = 'data-site-id="1"', more = '', body = '', config = {}, url = 'https://example.com/shop?a=1', before = '', beacon = true, dark = false, src = 'script.js', missing = [], own = false, file = 'script.js' } = {}) {
  const sent = [];
  const asked = [];
  const parts = [];
  const warnings = [];
  const dom = new JSDOM(
    `<!doctype html><html><head><title>Shop</title></head><body>${body}
     <script src="https://desk.example.org/${src}" ${attributes} ${more}></script></body></html>`,
    { url, referrer: 'https://search.example/', runScripts: 'outside-only', pretendToBeVisual: true, virtualConsole: new VirtualConsole() },
  );
  const { window } = dom;
  const loaded = {};
  windows.push(window);
  window.console.warn = (...args) => warnings.push(args);
  const take = (target, data) => (sent.push({ target, ...JSON.parse(data) }), true);
  let measure;
  window.importPart = async (part) => {
    parts.push(part);
    const name = part.split('/').pop();
    if (missing.includes(name)) throw new Error(`no ${name}`);
    return name === 'vitals.js' ? { run: (measured) => (measure = measured) } : (loaded[name] ??= evaluated(window, name));
  };
  // Which jsdom does not know.
  window.matchMedia = (query) => ({ matches: dark && query === '(prefers-color-scheme:dark)' });
  window.navigator.sendBeacon = beacon ? take : undefined;
  window.fetch = (target, options = {}) => {
    if (options.method === 'POST') return Promise.resolve(take(target, options.body));
    asked.push(String(target));
    if (String(target).includes('?own=')) return Promise.resolve({ json: async () => ({ own }) });
    return config === undefined ? Promise.reject(new Error('away')) : Promise.resolve({ json: async () => await config });
  };
  if (before) window.eval(before);
  if (file === 'script.js') window.eval(SCRIPT);
  else {
    Object.defineProperty(window.document, 'currentScript', { value: window.document.querySelector('script[src]'), configurable: true });
    window.eval(scriptOf(file));
    delete window.document.currentScript;
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve, 150));
  await settle();
  return { window, document: window.document, sent, asked, parts, warnings, settle, measure: (measures) => measure(measures) };
}

