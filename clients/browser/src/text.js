/** Rules for the texts that are sent: the server refuses what is too long or cannot be stored, so it is cut here. */

// Control characters that are no white space, and halves of surrogate pairs. What is left at most doubles as JSON.
const UNSTORABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/gu;

const MAX_FIELD = 2048;
/** @type {Record<string, number>} */
const MAXIMA = { event_name: 256, page_title: 512, properties: 65536 };

/**
 * Cut a text to a length in UTF-16 units (never fewer than the characters that the server counts) and make it storable.
 *
 * @param {unknown} text
 * @param {number} [maximum]
 */
export const clean = (text, maximum) => String(text).slice(0, maximum).replace(UNSTORABLE, '');

/**
 * Write an object as JSON, each of its texts made storable.
 *
 * @param {unknown} value
 * @param {(key: string) => number | undefined} [maximum] of the text under a key
 */
export const toJson = (value, maximum) =>
  JSON.stringify(value, (key, inner) => (typeof inner == 'string' ? clean(inner, maximum?.(key)) : inner));

/**
 * Write the body of a tracking event, every field within its limit.
 *
 * @param {object} fields
 */
export const toBody = (fields) => toJson(fields, (key) => MAXIMA[key] || MAX_FIELD);
