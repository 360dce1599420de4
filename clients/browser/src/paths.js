/** Patterns of paths, with the meaning that those of goals have (docs/read/reports.md#path-patterns). */

// Decoded, the escapes of / % * ? # and of control characters would say something else.
const ESCAPES = /(%(?!2[35AF]|3F|[01]|7F)[\dA-F]{2})+/gi;

/** Decode a path as the service does before it stores and compares it; what is no UTF-8 stays. @param {string} path */
const decoded = (path) =>
  path.replace(ESCAPES, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });

/**
 * Read patterns with `|` between them: a `*` matches within a segment, one at the end any rest, `**` anything.
 *
 * @param {string} [patterns]
 * @returns {(path?: string) => string | undefined} the first pattern that matches a whole path
 */
export function matcher(patterns = '') {
  const read = patterns.split('|').filter(Boolean).map((pattern) => {
    const path = decoded(pattern.trim().replace(/^\/?/, '/'));
    const expression = path
      .replace(/[^\w/*]/g, '\\$&')
      .replace(/\*+/g, (run, at, all) => (run[1] || !all[at + 1] ? '[^]*' : '[^/]*'));
    return { path, expression: RegExp(`^${expression}$`) };
  });
  return (path = '') => read.find(({ expression }) => expression.test(decoded(path)))?.path;
}
