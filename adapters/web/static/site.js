import './menus.js';
import { name, offerCopies } from './footfall.js';
import { drawChart } from './chart.js';
import { carry, carryAll, chosen, fill, fillAll, openTab, panels, send } from './panels.js';

// The dashboard of a site: links and forms change the page in place, and the address with it.

const { base } = document.querySelector('[data-base]').dataset;
const summary = () => document.getElementById('summary');

// All parameters of the address but the tabs, which change single panels.
function view() {
  const parameters = chosen();
  for (const { id } of panels()) parameters.delete(id);
  return parameters.toString();
}

let current = view();
let asked = 0;

async function show(address, { push = true, quiet = false } = {}) {
  const number = ++asked;
  if (push) history.pushState(null, '', address);
  current = view();
  summary().setAttribute('aria-busy', 'true');
  const answer = await fetch(address).catch(() => null);
  const content = answer?.ok && !answer.redirected ? await answer.text() : '';
  if (number !== asked) return;
  // The numbers on the page stay when they cannot be read again.
  if (quiet && !answer?.ok) return summary().removeAttribute('aria-busy');
  const page = new DOMParser().parseFromString(content, 'text/html');
  // A page of another kind, such as the sign-in or an error, is opened as browsers open pages.
  if (!page.getElementById('summary')) return location.replace(address);
  replace(page);
  if (!quiet) announce();
  await fillAll();
}

function replace(page) {
  const focused = summary().contains(document.activeElement) ? document.activeElement.dataset.focus ?? '' : null;
  const open = summary().querySelector('.numbers')?.open;
  summary().replaceWith(document.adoptNode(page.getElementById('summary')));
  for (const panel of panels()) panel.dataset.panel = page.getElementById(panel.id)?.dataset.panel ?? panel.dataset.panel;
  const table = summary().querySelector('.numbers');
  if (table && open) table.open = true;
  name(summary());
  offerCopies(summary());
  carryAll();
  drawChart();
  if (focused != null) (summary().querySelector(`[data-focus="${CSS.escape(focused)}"]`) ?? summary().querySelector('h1')).focus({ preventScroll: true });
}

function announce() {
  const filters = summary().querySelectorAll('.chip').length;
  document.getElementById('announced').textContent = `Showing ${summary().querySelector('.days').textContent}${filters ? `, ${filters} ${filters === 1 ? 'filter' : 'filters'}` : ''}`;
}

const plainly = (event) => !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && event.button === 0;

addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  if (!link || !plainly(event) || link.getAttribute('target')) return;
  // Links of the map have no properties of an address.
  const address = new URL(link.getAttribute('href'), location);
  if (address.hash || address.origin !== location.origin || address.pathname !== base) return;
  event.preventDefault();
  if (link.closest('[data-tab]')) openTab(link);
  else show(carry(address));
});

addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method === 'post') {
    if (!form.closest('[data-panel]')) return;
    event.preventDefault();
    send(form);
  } else if (new URL(form.action).pathname === base) {
    event.preventDefault();
    show(carry(new URL(`${base}?${parametersOf(form)}`, location)));
  }
});

// The fields of a form as parameters of the address; an added filter is one of the filters there.
function parametersOf(form) {
  const parameters = new URLSearchParams(new FormData(form));
  if (!parameters.has('add_parameter')) return parameters;
  const parts = ['add_parameter', 'add_type', 'add_value'].map((field) => parameters.get(field));
  for (const field of ['add_parameter', 'add_type', 'add_value']) parameters.delete(field);
  parameters.append('filter', parts.join(','));
  return parameters;
}

document.addEventListener('narrow', ({ detail }) => {
  const address = new URL(location);
  for (const name of ['period', 'start_date', 'end_date']) address.searchParams.delete(name);
  address.searchParams.set('start_date', detail.from);
  address.searchParams.set('end_date', detail.to);
  if (detail.from !== chosen().get('start_date') || detail.to !== chosen().get('end_date')) show(carry(address));
});

addEventListener('popstate', () => {
  if (view() !== current) return show(location.href, { push: false });
  carryAll();
  for (const panel of panels()) if (panel.dataset.shown !== (chosen().get(panel.id) ?? '')) fill(panel);
});

setInterval(async () => {
  const online = document.querySelector('[data-online]');
  if (document.hidden || !online) return;
  const dot = document.querySelector('.online .dot');
  try {
    const { visitors } = await (await fetch(online.dataset.online)).json();
    online.textContent = visitors;
    dot.toggleAttribute('data-quiet', !visitors);
  } catch {
    dot.toggleAttribute('data-quiet', true);
  }
}, 10_000);

// A period that is not over is read again each minute, unless that would take a menu or a field away.
setInterval(() => {
  const busy = document.hidden || document.querySelector(`.menu[open], .dates[open], [aria-busy]`) || document.activeElement?.matches('input, select');
  if ('current' in summary().dataset && !busy) show(location.href, { push: false, quiet: true });
}, 60_000);

drawChart();
fillAll();
