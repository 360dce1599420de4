/** The promise to the page: nothing that goes wrong in here ever reaches it. */

/** @param {unknown} error */
export const warn = (error) => console.warn('footfall:', error);

/**
 * Wrap a function so that what it throws becomes a line in the console.
 *
 * @template {unknown[]} A
 * @param {(...args: A) => void} run
 * @returns {(...args: A) => void}
 */
export const guarded =
  (run) =>
  (...args) => {
    try {
      run(...args);
    } catch (error) {
      warn(error);
    }
  };

/**
 * Listen on the window before the page does, so that a page that stops an event does not hide it.
 *
 * @param {string} type
 * @param {(event: any) => void} run
 */
export const listen = (type, run) => addEventListener(type, guarded(run), true);
