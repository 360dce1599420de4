/** The part of the script that makes an event of an error; it is loaded when a page reports its first one. */

import { clean, toJson } from './text.js';

const MAX_PER_PAGE = 10;
// Together at most half of what the server takes, because JSON may double them, and well within the quota of beacons.
const MAX_MESSAGE = 8192;
const MAX_STACK = 16384;

// Extensions run in the page but are not the site's to repair.
const EXTENSION = /^[\w-]+-extension:/;
// The address of the page stands in its stack traces; query string and fragment have no business there.
const QUERY_IN_FRAME = /[?#][^\s()]*?(?=:\d+:\d+)/g;

/** The errors of each page, none of which is reported twice. @type {WeakMap<object, Set<string>>} */
const seenOn = new WeakMap();

/**
 * Return the fields of an event for an error; undefined when the page has reported it, or ten others, before.
 *
 * @param {any} event an ErrorEvent or a PromiseRejectionEvent, which holds anything, not only errors
 * @param {{properties?: object}} page on which it happened
 */
export function describe({ type, error, reason, message: told = 'rejected', filename, lineno, colno }, page) {
  const thrown = error ?? reason;
  const otherName = type == 'error' ? 'Error' : 'UnhandledRejection';
  const { name = otherName, message = thrown, stack = '' } = thrown || {};
  // Where no place is told, the service reads it from the first frame.
  const where = {
    message: clean(message || told, MAX_MESSAGE),
    fileName: clean(filename || '').split(/[?#]/)[0],
    lineNumber: lineno || undefined,
    columnNumber: colno || undefined,
  };
  if (EXTENSION.test(where.fileName) || !isNew(name + toJson(where), page)) return undefined;
  const frames = clean(stack, MAX_STACK).replace(QUERY_IN_FRAME, '');
  return { event_name: name, properties: toJson({ ...page.properties, ...where, stack: frames }) };
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
