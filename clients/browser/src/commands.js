/** The function that a page calls, and the calls that it made before this script had loaded. */

import { guarded } from './guard.js';

/** Whether the function is there already, and not only its stub, which alone has a queue. */
export const isPublished = () => window.footfall && !window.footfall.q;

/**
 * Put the function in the place of its stub and carry out what the stub kept.
 *
 * @param {Record<string, (...args: any[]) => void>} commands
 */
export function publish(commands) {
  const kept = window.footfall?.q || [];
  window.footfall = guarded((command, ...args) => commands[command](...args));
  for (const args of kept) window.footfall(...args);
}
