import { keepPlace, name } from './footfall.js';

// The panels of the dashboard: fetched one by one, with tabs that are in the address.

export const panels = () => [...document.querySelectorAll('[data-panel]')];
export const chosen = () => new URL(location).searchParams;
const base = () => document.querySelector('[data-base]').dataset.base;

// The address contains the tab of each panel; links take it along.
export function carry(address, except) {
  const now = chosen();
  for (const { id } of panels()) {
    if (id === except) continue;
    if (now.has(id)) address.searchParams.set(id, now.get(id));
    else address.searchParams.delete(id);
  }
  return address.href;
}

export function carryAll() {
  for (const link of document.links) {
    const address = new URL(link.href);
    if (address.origin !== location.origin) continue;
    if (address.pathname === base() || address.pathname.startsWith(`${base()}/panels/`)) {
      link.href = carry(address, link.closest('[data-tab]') ? link.closest('[data-panel]')?.id : undefined);
    }
  }
}

const asked = new Map();

export async function fill(panel) {
  const number = (asked.get(panel) ?? 0) + 1;
  asked.set(panel, number);
  panel.dataset.shown = chosen().get(panel.id) ?? '';
  panel.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(carry(new URL(panel.dataset.panel, location)));
    if (answer.redirected) return location.reload();
    if (!answer.ok) throw Error(answer.status);
    const content = await answer.text();
    if (number !== asked.get(panel)) return;
    replace(panel, content);
  } catch {
    if (number === asked.get(panel)) offerAgain(panel);
  } finally {
    if (number === asked.get(panel)) panel.removeAttribute('aria-busy');
  }
}

export const fillAll = () => Promise.all(panels().map(fill));

// A keyboard stays on its row or tab when the content is replaced, and what was open stays open.
function replace(panel, content) {
  const restore = keepPlace(panel);
  panel.innerHTML = content;
  name(panel);
  restore(panel, '.what, [data-tab]');
}

function offerAgain(panel) {
  const again = Object.assign(document.createElement('button'), { className: 'quiet', textContent: 'Try again' });
  const words = Object.assign(document.createElement('p'), { className: 'empty', textContent: "Couldn't load. " });
  words.append(again);
  again.addEventListener('click', () => fill(panel));
  panel.querySelector('.waiting, .rows, .empty, .scroll')?.replaceWith(words);
}

export async function openTab(tab) {
  const panel = tab.closest('[data-panel]');
  history.pushState(null, '', tab.href);
  carryAll();
  await fill(panel);
  panel.querySelector('[data-tab][aria-current]')?.focus({ preventScroll: true });
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
