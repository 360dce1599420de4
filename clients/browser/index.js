/** The script of tracked pages as a package: the same source, without a tag and without a global function. */

import { start as begin } from './src/core.js';
import { guarded, warn } from './src/guard.js';
import { ignored } from './src/mark.js';

/** Bundlers make files of these, as the service has for its script. @type {Record<string, () => Promise<{ run: (...args: any[]) => any }>>} */
const PARTS = {
  activity: () => import('./src/activity.js'),
  errors: () => import('./src/errors.js'),
  own: () => import('./src/own.js'),
  vitals: () => import('./src/vitals.js'),
};

const COMMANDS = /** @type {const} */ (['event', 'pageview', 'error', 'identify', 'off', 'on', 'ignore', 'count']);

/** @type {import('./index.js').Tracker | undefined} */
let running;

/** Return patterns as the attributes of a tag have them. @param {string | readonly string[]} patterns */
const joined = (patterns) => (typeof patterns == 'string' ? patterns : patterns.join('|'));

/** Return options as the attributes of a tag: what is false or absent has none. @param {import('./index.js').Options} options */
function attributes({ hash, manual, off, respectGpc, respectDnt, release, downloads, skip, mask, user }) {
  const given = {
    hash,
    manual,
    off,
    respectGpc,
    respectDnt,
    release,
    downloads: downloads && joined(downloads),
    skip: skip && joined(skip),
    mask: mask && joined(mask),
    user: user?.id,
    userSignature: user?.signature,
  };
  // Empty downloads are none; no other text is empty for a reason.
  const kept = Object.entries(given).filter(([name, value]) => value || (name == 'downloads' && value === ''));
  return Object.fromEntries(kept);
}

/** @type {typeof import('./index.js').start} */
export function start(options) {
  if (running) return running;

  /** @type {ReturnType<typeof begin> | undefined} */
  let commands;
  /** What was called before the page is counted. @type {[typeof COMMANDS[number], any[]][]} */
  const waiting = [];
  /** @param {typeof COMMANDS[number]} name @param {any[]} args */
  const call = (name, args) => {
    if (commands) /** @type {(...args: any[]) => void} */ (commands[name])(...args);
    else waiting.push([name, args]);
  };
  const methods = COMMANDS.map((name) => [name, guarded((...args) => call(name, args))]);
  const tracker = /** @type {import('./index.js').Tracker} */ ({
    ...Object.fromEntries(methods),
    ignored: () => !!ignored(),
    before: options.before,
  });
  // A server renders the page, and another copy of this module counts it.
  if (typeof window == 'undefined') return tracker;

  async function run() {
    const site = String(options.site);
    const endpoint = new URL(options.endpoint ?? new URL('api/track', options.service), location.href).href;
    const { properties = {} } = options;
    /** @type {import('./src/tracker.js').Setup['load']} */
    const load = (part, ...args) => PARTS[part]().then(({ run }) => run(...args)).catch(warn);
    // What the address asks of this browser comes before the page is counted.
    if (location.search.includes('footfall=')) await load('own', site, endpoint);
    const declared = () => (typeof properties == 'function' ? properties() : properties);
    commands = begin({ site, endpoint, options: attributes(options), declared, load, api: tracker });
    for (const [name, args] of waiting) tracker[name](.../** @type {[any]} */ (args));
  }

  running = tracker;
  run().catch(warn);
  return tracker;
}
