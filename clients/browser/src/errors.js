/** The part of the script that makes an event of an error; it is loaded when a page reports its first one. */

import { clean as cut, toJson } from './text.js';

const MAX_PER_PAGE = 10;
// Together at most half of what the server takes, because JSON may double them, and well within the quota of beacons.
const MAX_MESSAGE = 8192;
const MAX_STACK = 16384;

// Extensions run in the page but are not the site's to repair.
const EXTENSION = /^[\w-]+-extension:/;
// The address of the page stands in its stack traces; query string and fragment have no business there. They go up to
// the position, or to the line in the page where Firefox saw the code that is evaluated. The last frame may be cut.
const QUERY_IN_FRAME = /(:\/\/[^\s?#]*)[?#]\S*?(?= line \d|(:(\d+|wasm-function\[\d+]|0x\w+)){1,2}[),]*(\s|$)|$)/g;

// JSON takes six characters for this one, and at most two for any other that is left.
/** @param {string} text @param {number} [maximum] */
const clean = (text, maximum) => cut(text, maximum).replace(/\v/g, '');

/** The errors of each page, none of which is reported twice. @type {WeakMap<object, Set<string>>} */
const seenOn = new WeakMap();

/**
 * Track an error, unless its page has reported it, or ten others, before.
 *
 * @param {typeof import('./tracker.js').track} track
 * @param {any} given anything that was thrown, or the ErrorEvent or PromiseRejectionEvent that tells of it
 * @param {import('./tracker.js').Page} page on which it happened
 * @param {object} [properties]
 * @param {import('./tracker.js').User} [by]
 */
export function run(track, given, page, properties, by) {
  const told = given?.isTrusted == null ? { type: 'error', error: given } : given;
  const { type, error, reason, message: words = 'rejected', filename, lineno, colno } = told;
  const thrown = error ?? reason;
  const otherName = type == 'error' ? 'Error' : 'UnhandledRejection';
  const { name = otherName, message = thrown, stack = '' } = thrown || {};
  // Where no place is told, the service reads it from the first frame.
  const where = {
    message: clean(message || words, MAX_MESSAGE),
    fileName: clean(filename || '').replace(/[?#]\S*/, ''),
    lineNumber: lineno || undefined,
    columnNumber: colno || undefined,
  };
  if (EXTENSION.test(where.fileName) || !isNew(name + toJson(where), page)) return;
  const frames = clean(stack, MAX_STACK).replace(QUERY_IN_FRAME, '$1');
  track('error', { ...by, event_name: clean(name), properties: toJson({ ...page.properties, ...properties, ...where, stack: frames }) }, page);
}

/**
 * @param {string} key
 * @param {object} page
 */
function isNew(key, page) {
  const seen = seenOn.get(page) || new Set();
  if (seen.size >= MAX_PER_PAGE || seen.has(key)) return false;
  seenOn.set(page, seen.add(key));
  return true;
}
