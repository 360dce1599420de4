/** What elements say in attributes of the page. */

export const PREFIX = 'data-footfall-';

/**
 * Return what an element says in attributes with the prefix, by the rest of their names.
 *
 * @param {Element} element
 */
export function declared(element) {
  /** @type {Record<string, string>} */
  const properties = {};
  for (const { name, value } of element.attributes) {
    const key = name.split(PREFIX)[1];
    if (key) properties[key] = value;
  }
  return properties;
}
