/** Exceptions that the page did not catch, and promises whose rejection nobody handled. */

import { listen } from './guard.js';
import { clean, toJson } from './text.js';
import { track } from './tracker.js';

const MAX_PER_PAGE = 10;
// Together at most half of what the server takes, because JSON may double them, and well within the quota of beacons.
const MAX_MESSAGE = 8192;
const MAX_STACK = 16384;
const MAX_FILE_NAME = 2048;

// Extensions run in the page but are not the site's to repair.
const EXTENSION = /^[\w-]+-extension:/;
// The address of the page stands in its stack traces; query string and fragment have no business there.
const QUERY_IN_FRAME = /[?#][^\s()]*?(?=:\d+:\d+)/g;

/** What was seen on this page. @type {Set<string>} */
const seen = new Set();

/** Begin anew on another page. */
export const forgetErrors = () => seen.clear();

/**
 * Track an error once a page, and at most ten different ones.
 *
 * @param {any} thrown anything, not only errors
 * @param {string} otherName
 * @param {string} otherMessage
 * @param {(string | number)[]} [place] file, line and column, when the browser tells them
 */
function caught(thrown, otherName, otherMessage, place) {
  const { name = otherName, message = thrown, stack = '' } = thrown || {};
  const frames = clean(stack, MAX_STACK).replace(QUERY_IN_FRAME, '');
  // Where no place is told, the service reads it from the first frame.
  const [file, line, column] = place || [];
  const error = {
    message: clean(message || otherMessage, MAX_MESSAGE),
    fileName: clean(file || '', MAX_FILE_NAME).split(/[?#]/)[0],
    lineNumber: +line || undefined,
    columnNumber: +column || undefined,
  };
  const key = name + toJson(error);
  if (seen.size >= MAX_PER_PAGE || seen.has(key) || EXTENSION.test(error.fileName)) return;
  seen.add(key);
  track('error', { event_name: name, properties: toJson({ ...error, stack: frames }) });
}

export function watchErrors() {
  listen('error', ({ error, message, filename, lineno, colno }) =>
    caught(error, 'Error', message, [filename, lineno, colno]),
  );
  listen('unhandledrejection', ({ reason }) => caught(reason, 'UnhandledRejection', 'rejected'));
}
