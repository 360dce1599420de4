/** The function that a page calls, and the calls that it made before this script had loaded. */

import { guarded } from './guard.js';

/** Whether another copy of this script has put the function in its place; a stub, called or not, is none. */
export const isPublished = () => window.footfall?.ready;

/**
 * Put the function in the place of its stub and carry out what the stub kept.
 *
 * @param {Record<string, (...args: any[]) => void>} commands
 */
export function publish(commands) {
  const kept = window.footfall?.q || [];
  /** @type {NonNullable<Window['footfall']>} */
  const run = guarded((/** @type {string} */ command, ...args) => commands[command](...args));
  run.ready = true;
  window.footfall = run;
  for (const args of kept) run(...args);
}
