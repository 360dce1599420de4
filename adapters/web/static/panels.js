import { adopt, chosen } from './address.js';
import { keepPlace, name } from './footfall.js';
import { tr } from './texts.js';

// The panels of the dashboard: fetched one by one, with tabs that are in the address.

export const panels = () => [...document.querySelectorAll('[data-panel]')];

// The style sheet shows it, which has no texts of its own.
document.documentElement.style.setProperty('--loading', JSON.stringify(` · ${tr('Loading')}`));

const asked = new Map();
const places = new Map();

// The numbers of a former address are dimmed and inert until those of this one are there; the tabs can be used.
function markStale(panel) {
  if ('stale' in panel.dataset) return;
  places.set(panel, keepPlace(panel));
  panel.dataset.stale = '';
  for (const part of contents(panel)) part.inert = true;
}

export async function fill(panel, { quiet = false } = {}) {
  const number = (asked.get(panel) ?? 0) + 1;
  asked.set(panel, number);
  panel.dataset.shown = chosen().get(panel.id) ?? '';
  panel.setAttribute('aria-busy', 'true');
  if (!quiet) markStale(panel);
  try {
    const parameters = chosen();
    const answer = await fetch(panel.dataset.panel);
    if (number !== asked.get(panel)) return;
    if (answer.redirected) return location.reload();
    if (!answer.ok) throw Error(answer.status);
    const content = await answer.text();
    if (number === asked.get(panel)) replace(panel, content, parameters);
  } catch {
    if (number === asked.get(panel) && !quiet) offerAgain(panel);
  } finally {
    if (number === asked.get(panel)) panel.removeAttribute('aria-busy');
  }
}

export const fillAll = (options) => Promise.all(panels().map((panel) => fill(panel, options)));

const contents = (panel) => [...panel.children].filter((part) => !part.matches('.panel-head'));

// A keyboard stays on its row or tab when the content is replaced, and what was open stays open.
function replace(panel, content, parameters) {
  // What is inert lost the focus when it became so.
  const restore = panel.contains(document.activeElement) ? keepPlace(panel) : places.get(panel) ?? keepPlace(panel);
  fresh(panel);
  panel.innerHTML = content;
  name(panel);
  adopt(panel, parameters);
  restore(panel, '.what, [data-tab]');
}

function fresh(panel) {
  places.delete(panel);
  delete panel.dataset.stale;
}

function offerAgain(panel) {
  const again = Object.assign(document.createElement('button'), { className: 'quiet', textContent: tr('Try again') });
  const words = Object.assign(document.createElement('p'), { className: 'empty', textContent: tr("Couldn't load. ") });
  words.append(again);
  again.addEventListener('click', () => fill(panel));
  // Numbers of another address do not stay.
  for (const part of contents(panel)) part.remove();
  panel.append(words);
  fresh(panel);
}

// A form of a panel, such as resolving an error, is sent without leaving the page.
export async function send(form) {
  const panel = form.closest('[data-panel]');
  const row = [...panel.querySelectorAll('li')].indexOf(form.closest('li'));
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => null);
  // A refusal is a page of its own: submitting the form without a script shows it.
  if (answer?.type !== 'opaqueredirect') return form.submit();
  await fill(panel);
  panel.querySelectorAll('.what')[row]?.focus();
}
