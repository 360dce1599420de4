/** Reads the tag of a tracked page, and puts the function that pages call in the place of its stub. */

import { start } from './core.js';
import { declared } from './declared.js';
import { guarded, warn } from './guard.js';

/** @type {string} */
let site;

export async function publish() {
  // An optimizer may have dropped the attributes of the tag, or the tag itself from what the browser knows of this script.
  /** @type {any} */
  const tag = [document.currentScript, ...document.scripts].find(
    (/** @type {any} */ tag) => tag && (site = tag.dataset.siteId || /[?&]site=(\w+)/.exec(tag.src)?.[1]),
  );
  if (!tag) throw 'no data-site-id';
  const { dataset: options, src } = tag;
  const endpoint = new URL(options.endpoint || 'api/track', src).href;
  /** @type {import('./tracker.js').Setup['load']} */
  const load = (part, ...args) => import(`${endpoint}/${part}.js`).then((loaded) => loaded.run(...args)).catch(warn);
  // What the address asks of this browser comes before the page is counted.
  if (location.search.includes('footfall=')) await load('own', site, endpoint);
  const stub = window.footfall;
  // Another copy of this script is there already; a stub, called or not, is none.
  if (stub?.ready) return;
  // A hook may be there before this script; an element that is named like the function has none.
  /** @type {any} */
  const api = Object.assign(guarded((/** @type {string} */ command, ...args) => commands[command](...args)), stub, { ready: true, q: 0 });
  /** @type {Record<string, any>} */
  const commands = start({ site, endpoint, options, declared: () => declared(tag), load, api });
  for (const name in commands) api[name] = api.bind(0, name);
  window.footfall = api;
  for (const args of stub?.q || []) api(...args);
}
