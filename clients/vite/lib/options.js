/** The options of the plugin, checked, with what the environment says. */

import { execFileSync } from 'node:child_process';

export const KEY = 'FOOTFALL_API_KEY';
const MOST_RELEASE = 200;
const text = (value) => typeof value === 'string' && value.trim() !== '';
const flag = (value) => typeof value === 'boolean';

/** Each option: what it may be, and its default. */
const OPTIONS = {
  url: [(value) => text(value) && /^https?:\/\/[^/?#@\s]+\/?$/.test(value), 'the address of the service, such as https://desk.example.com'],
  site: [(value) => text(value) || (Number.isInteger(value) && value > 0), 'the number or the text id of a site'],
  release: [(value) => text(value) && value.length <= MOST_RELEASE, `a text of at most ${MOST_RELEASE} characters`],
  prefix: [(value) => typeof value === 'string', 'a text', ''],
  deploy: [(value) => flag(value) || text(value), 'a boolean or a text', true],
  publishMaps: [flag, 'a boolean', false],
  strict: [flag, 'a boolean', false],
  timeout: [(value) => Number.isFinite(value) && value > 0, 'a positive number of seconds', 120],
};
const FROM_ENVIRONMENT = { url: 'FOOTFALL_URL', site: 'FOOTFALL_SITE', release: 'FOOTFALL_RELEASE' };

/** Return the complete options; those that only an upload needs may be undefined. */
export function read(given, environment = process.env) {
  const unknown = Object.keys(given).find((name) => !(name in OPTIONS));
  if (unknown !== undefined) throw new TypeError(`Option '${unknown}' does not exist; there are ${Object.keys(OPTIONS).join(', ')}. The key is in ${KEY} alone`);
  const read = {};
  for (const [name, [fits, what, otherwise]] of Object.entries(OPTIONS)) {
    const variable = FROM_ENVIRONMENT[name];
    const value = given[name] ?? (variable && environment[variable] ? environment[variable] : otherwise);
    if (value !== undefined && !fits(value)) throw new TypeError(`${given[name] === undefined ? variable : `Option '${name}'`} must be ${what}`);
    read[name] = value;
  }
  return read;
}

/** Return the commit of the checkout; undefined where there is none. */
export function commit(folder) {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 5_000 }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Return the key of the environment, undefined without one. */
export function apiKey(environment = process.env) {
  const key = environment[KEY];
  // The error of a header that cannot be sent would show it.
  if (key && !/^[\x21-\x7e]+$/.test(key)) throw new Error(`${KEY} is no API key`);
  return key || undefined;
}

/** Refuse a configuration of Vite that would put the key into the pages. */
export function keepKeyOutOfPages({ envPrefix = [] }) {
  if ([envPrefix].flat().some((prefix) => KEY.startsWith(prefix))) throw new Error(`envPrefix would put ${KEY} into the pages`);
}
