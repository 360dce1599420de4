import { adopt, changedBy, chosen, readdress } from './address.js';
import { name, offerCopies } from './footfall.js';
import { drawChart } from './chart.js';
import { closeMenuOf } from './menus.js';
import { fill, fillAll, panels, send } from './panels.js';
import { tr } from './texts.js';

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

function go(address) {
  if (new URL(address, location).href === location.href) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  show();
}

const withOtherTabs = () => panels().filter((panel) => panel.dataset.shown !== (chosen().get(panel.id) ?? ''));

// Shows what the address names; where only tabs are new, only their panels are read.
function show() {
  readdress();
  for (const link of document.querySelectorAll('a[href^="/sign-in?"]')) link.search = new URLSearchParams({ next: location.pathname + location.search });
  const tabs = withOtherTabs();
  if (view() === current && tabs.length) return tabs.forEach((panel) => fill(panel));
  current = view();
  read();
  fillAll();
}

async function read({ quiet = false } = {}) {
  const number = ++asked;
  const address = location.href;
  summary().setAttribute('aria-busy', 'true');
  if (!quiet) {
    summary().dataset.stale = '';
    say(tr('Loading'));
  }
  const answer = await fetch(address).catch(() => null);
  const content = answer?.ok && !answer.redirected ? await answer.text() : '';
  if (number !== asked) return;
  // The numbers on the page stay when they cannot be read again.
  if (quiet && !answer?.ok) return summary().removeAttribute('aria-busy');
  const page = new DOMParser().parseFromString(content, 'text/html');
  // A page of another kind, such as the sign-in or an error, is opened as browsers open pages.
  if (!page.getElementById('summary')) return location.replace(address);
  replace(page, new URL(address).searchParams);
  if (!quiet) announce();
}

function replace(page, parameters) {
  const before = summary();
  const focused = before.contains(document.activeElement) ? document.activeElement : null;
  before.replaceWith(document.adoptNode(page.getElementById('summary')));
  keepOpen(before, summary(), focused);
  name(summary());
  offerCopies(summary());
  adopt(summary(), parameters);
  drawChart();
}

// Open menus and tables stay open, with what was typed into them, and the focus where it was.
function keepOpen(before, after, focused) {
  const key = (menu) => menu.querySelector('summary').dataset.focus ?? menu.className;
  for (const menu of before.querySelectorAll('details[open]')) {
    const same = [...after.querySelectorAll('details')].find((one) => key(one) === key(menu));
    if (!same) continue;
    same.open = true;
    for (const { id, value, defaultValue } of menu.querySelectorAll('input[id], select[id]')) {
      const field = after.querySelector(`#${CSS.escape(id)}`);
      if (field && value !== defaultValue) field.value = value;
    }
  }
  if (!focused) return;
  const { id, dataset } = focused;
  const same = (id && after.querySelector(`#${CSS.escape(id)}`)) || (dataset.focus && after.querySelector(`[data-focus="${CSS.escape(dataset.focus)}"]`));
  (same || after.querySelector('h1')).focus({ preventScroll: true });
}

const say = (words) => (document.getElementById('announced').textContent = words);

function announce() {
  const filters = summary().querySelectorAll('.chip').length;
  const days = tr('Showing {days}', { days: summary().querySelector('.days').textContent });
  say([days, ...(filters ? [filters === 1 ? tr('1 filter') : tr('{count} filters', { count: filters })] : [])].join(', '));
}

const plainly = (event) => !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && event.button === 0;

addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  if (!link || !plainly(event) || link.getAttribute('target')) return;
  // Links of the map have no properties of an address.
  const address = new URL(link.getAttribute('href'), location);
  if (address.hash || address.origin !== location.origin || address.pathname !== base) return;
  event.preventDefault();
  closeMenuOf(link);
  go(address.href);
});

addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method === 'post') {
    if (!form.closest('[data-panel]')) return;
    event.preventDefault();
    send(form);
  } else if (new URL(form.action).pathname === base) {
    event.preventDefault();
    const address = `${base}?${changedBy(form)}`;
    closeMenuOf(form);
    go(address);
  }
});

document.addEventListener('narrow', ({ detail }) => {
  const address = new URL(location);
  for (const name of ['period', 'start_date', 'end_date']) address.searchParams.delete(name);
  address.searchParams.set('start_date', detail.from);
  address.searchParams.set('end_date', detail.to);
  if (detail.from !== chosen().get('start_date') || detail.to !== chosen().get('end_date')) go(address.href);
});

addEventListener('popstate', () => {
  if (view() !== current || withOtherTabs().length) show();
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
  if (!('current' in summary().dataset) || busy) return;
  read({ quiet: true });
  fillAll({ quiet: true });
}, 60_000);

for (const part of document.querySelectorAll('#summary, .panels, .bottom')) adopt(part, chosen());
adopt(document, chosen(), document.querySelectorAll('.crumbs a:not(.name)'));
drawChart();
fillAll();
