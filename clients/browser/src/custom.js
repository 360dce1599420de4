/** Events that a page names itself. */

import { track } from './tracker.js';

/**
 * @param {string} name
 * @param {object} [properties]
 */
export function trackCustom(name, properties) {
  if (!name) throw name;
  track('custom_event', { event_name: name, properties });
}
