/** Rules for the texts that are sent: the server refuses what is too long or cannot be stored, so it is cut here. */

// Control characters that are no white space, and halves of surrogate pairs.
const UNSTORABLE = /[^\P{Cc}\s]|\p{Cs}/gu;

const MAX_TEXT = 2048;

/** @param {string} text */
const storable = (text) => text.replace(UNSTORABLE, '');

/**
 * Cut a text to a length in UTF-16 units (never fewer than the characters that the server counts) and make it storable.
 *
 * @param {unknown} text
 * @param {number} [maximum]
 */
export const clean = (text, maximum = MAX_TEXT) => storable(String(text).slice(0, maximum));

/**
 * Write an object as JSON, each of its texts made storable.
 *
 * @param {unknown} value
 * @param {Record<string, number>} [maxima] of the texts under some keys; without it no text is cut
 */
export const toJson = (value, maxima) =>
  JSON.stringify(value, (key, inner) =>
    typeof inner == 'string' ? storable(inner.slice(0, maxima ? maxima[key] ?? MAX_TEXT : Infinity)) : inner,
  );
