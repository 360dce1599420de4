// The address holds what is chosen on the dashboard. A link or a form changes what is its own there, and nothing else,
// whatever was chosen since the server wrote it.

export const chosen = () => new URL(location).searchParams;

const ADDRESSED = 'a[href], form, [data-panel]';
// The pages below the one of a site that show its view.
const PAGES = ['panels', 'errors', 'live', 'changes', 'values', 'segments'];

// What the server wrote into elements, and the parameters of the page that it wrote them for.
const written = new WeakMap();

// Remembers the links and forms in a part of the page that was made for these parameters, and brings them up to date.
export function adopt(part, parameters, elements = part.querySelectorAll(ADDRESSED)) {
  for (const element of elements) {
    // The query of a form that is not posted is that of its fields.
    const names = ['href', 'data-values', 'data-panel', ...(element.method === 'post' ? ['action'] : [])];
    const addresses = names.filter((name) => element.hasAttribute(name)).map((name) => [name, element.getAttribute(name)]);
    written.set(element, { parameters, addresses });
  }
  readdress(part);
}

// Writes all addresses of a part again: each is the present one with its own change.
export function readdress(part = document) {
  for (const element of part.querySelectorAll(ADDRESSED)) {
    for (const [name, address] of written.get(element)?.addresses ?? []) {
      const target = new URL(address, location);
      if (!isOfView(target)) continue;
      target.search = changed(target.searchParams, element);
      element.setAttribute(name, target.pathname + target.search + target.hash);
    }
  }
}

// The present parameters with the change of a form: the fields that can be filled in are its own.
export function changedBy(form) {
  const own = [...form.elements].filter(({ type, name }) => type !== 'hidden' && name).map(({ name }) => name);
  return changed(new URLSearchParams(new FormData(form)), form, own);
}

function isOfView({ origin, pathname }) {
  const base = document.querySelector('[data-base]')?.dataset.base;
  return origin === location.origin && (pathname === base || PAGES.some((page) => `${pathname}/`.startsWith(`${base}/${page}/`)));
}

// The present parameters, with those changed in which an element differs from the page that it was made for. Its own
// are changed in any case: the first tab has none, and a chosen one may be chosen no more.
function changed(wanted, element, own = ownNames(element)) {
  const { parameters } = written.get(element);
  const present = chosen();
  for (const name of new Set([...own, ...parameters.keys(), ...wanted.keys()])) {
    if (name === 'filter' || (!own.includes(name) && `${parameters.getAll(name)}` === `${wanted.getAll(name)}`)) continue;
    present.delete(name);
    for (const value of wanted.getAll(name)) present.append(name, value);
  }
  const [before, after] = [parameters.getAll('filter'), wanted.getAll('filter')];
  const added = after.filter((one) => !before.includes(one));
  // A value takes the place of another one.
  const replaced = added.map((one) => one.match(/^\w+,equals,/)?.[0]).filter(Boolean);
  const kept = present.getAll('filter').filter((one) => (after.includes(one) || !before.includes(one)) && !replaced.some((start) => one.startsWith(start)));
  present.delete('filter');
  for (const filter of new Set([...kept, ...added])) present.append('filter', filter);
  return present.toString();
}

function ownNames(element) {
  const panel = element.closest('[data-tab]') && element.closest('[data-panel]');
  return panel ? [panel.id] : (element.closest('[data-own]')?.dataset.own.split(' ') ?? []);
}
