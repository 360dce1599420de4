/** The promise to the page: nothing that goes wrong in here ever reaches it. */

/** Say in the console what went wrong, and return nothing, whatever pages have made of the console. @param {unknown} error @returns {undefined} */
export const warn = (error) => {
  console.warn('footfall:', error);
};

/**
 * Wrap a function so that what it throws becomes a line in the console.
 *
 * @template {unknown[]} A
 * @template R
 * @param {(...args: A) => R} run
 * @returns {(...args: A) => R | undefined}
 */
export const guarded =
  (run) =>
  (...args) => {
    try {
      return run(...args);
    } catch (error) {
      return warn(error);
    }
  };

/**
 * Listen on the window before the page does, so that a page that stops an event does not hide it.
 *
 * @param {string} type
 * @param {(event: any) => void} run
 */
export const listen = (type, run) => addEventListener(type, guarded(run), true);
