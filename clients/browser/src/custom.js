/** Events that a page names itself. */

import { toJson } from './text.js';
import { track } from './tracker.js';

const MAX_PROPERTIES = 8192;

/**
 * Track a custom event. Properties are never cut: half of them would be something else.
 *
 * @param {string} name
 * @param {object} [properties]
 */
export function trackCustom(name, properties) {
  const json = properties && toJson(properties);
  if (!name || (json && (json[0] != '{' || json.length > MAX_PROPERTIES))) throw name;
  track('custom_event', { event_name: name, properties: json });
}
