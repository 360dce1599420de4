import { language, tr } from './texts.js';

// Enhancements of all pages; every page works without them.

// A new site gets the time zone of the browser that adds it.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of document.querySelectorAll('[data-zone]')) field.value ||= zone ?? '';

// Browsers know the names of all time zones.
for (const list of document.querySelectorAll('[data-zones]')) {
  list.append(...Intl.supportedValuesOf('timeZone').map((value) => new Option('', value)));
}

// Shows the names of countries and languages in place of their codes.
export function name(part) {
  for (const [kind, type] of [['country', 'region'], ['language', 'language']]) {
    const names = new Intl.DisplayNames(language, { type, fallback: 'code' });
    for (const place of part.querySelectorAll(`[data-${kind}]`)) {
      const code = place.dataset[kind];
      try {
        place.textContent = names.of(code);
      } catch {
        continue;
      }
      const row = place.closest('[title]');
      if (row?.title.startsWith(`${code}:`)) row.title = place.textContent + row.title.slice(code.length);
    }
  }
  nameCountriesOfMap(part);
}

function nameCountriesOfMap(part) {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  for (const title of part.querySelectorAll('[data-country-of]')) {
    const code = title.dataset.countryOf;
    title.textContent = names.of(code) + title.textContent.slice(code.length);
    delete title.dataset.countryOf;
  }
}

// Shows the buttons that copy, where the browser can; pages whose parts are replaced call it for each new part.
export function offerCopies(part) {
  for (const button of part.querySelectorAll('[data-copy]')) button.hidden = !navigator.clipboard;
}

name(document);

// Remembers focus and open parts of something that is about to be replaced; returns what restores them in its successor.
export function keepPlace(part) {
  const active = part.contains(document.activeElement) ? document.activeElement : null;
  const words = active?.textContent.trim();
  const summaries = (one) => [...one.querySelectorAll('details > summary')];
  const open = summaries(part).filter((one) => one.parentElement.open).map((one) => one.textContent.trim());
  return (next, otherwise) => {
    for (const one of summaries(next)) if (open.includes(one.textContent.trim())) one.parentElement.open = true;
    // A focus that has moved on meanwhile stays where it is.
    if (!active || document.activeElement !== document.body) return;
    const same = [...next.querySelectorAll(active.localName)].find((one) => one.textContent.trim() === words);
    (same ?? (otherwise && next.querySelector(otherwise)))?.focus({ preventScroll: true });
  };
}
offerCopies(document);

addEventListener('click', async ({ target }) => {
  const button = target.closest?.('[data-copy]');
  if (!button || button.dataset.copied) return;
  const before = button.textContent;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  button.dataset.copied = before;
  button.textContent = tr('Copied');
  setTimeout(() => {
    button.textContent = before;
    delete button.dataset.copied;
  }, 1500);
});

for (const choice of document.querySelectorAll('[data-choice]')) {
  const form = choice.closest('form');
  const show = () => {
    const chosen = form.elements[choice.dataset.choice].value;
    for (const part of form.querySelectorAll('[data-when]')) part.hidden = part.dataset.when !== chosen;
  };
  choice.addEventListener('change', show);
  show();
}

// A second click would end the request of the first one, and with it the sign-in that its answer brings.
for (const form of document.querySelectorAll('form[data-once]')) {
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  window.addEventListener('pageshow', () => (isSent = false));
}

document.querySelector('[aria-invalid="true"]')?.focus();

for (const place of document.querySelectorAll('[data-preview]')) {
  const form = place.closest('form');
  let waiting;
  let asked = 0;
  const show = async () => {
    const number = ++asked;
    const fields = new URLSearchParams(new FormData(form));
    fields.delete('token');
    const answer = await fetch(`${place.dataset.preview}?${fields}`);
    if (answer.ok && number === asked) place.innerHTML = await answer.text();
  };
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 250);
  });
  show();
}

// Shows events that were refused while the page waits. Further ones with the same outcomes are shown, and not said again.
function showRefusals(markup) {
  const part = document.getElementById('refusals');
  part.innerHTML = markup;
  const outcomes = new Set([...part.querySelectorAll('strong')].map((one) => one.textContent));
  const words = tr('Events were refused: {outcomes}.', { outcomes: [...outcomes].sort().join(', ') });
  const said = document.getElementById('refusals-said');
  if (said.textContent !== words) said.textContent = words;
}

for (const place of document.querySelectorAll('[data-waiting]')) {
  const words = place.lastElementChild;
  const before = words.innerHTML;
  let waited = false;
  const look = async () => {
    // A network or a service that is away comes back.
    const answer = await fetch(place.dataset.waiting).catch(() => null);
    // A sign-in that is over and a site that is gone do not.
    if (answer?.redirected || answer?.status === 404) return;
    const found = answer?.ok ? await answer.json().catch(() => null) : null;
    if (found?.arrived) return show();
    if (found) {
      waited = true;
      if (found.refused && found.refused.mark !== place.dataset.refused) showRefusals(found.refused.shown);
      place.dataset.refused = found.refused?.mark ?? place.dataset.refused;
    }
    setTimeout(look, 2000);
  };
  const show = () => {
    place.firstElementChild.removeAttribute('data-quiet');
    if (waited) return location.assign(place.dataset.then);
    const link = Object.assign(document.createElement('a'), { href: place.dataset.then, textContent: tr('View dashboard') });
    words.replaceChildren(tr('Events are arriving. '), link);
  };
  words.innerHTML = `${tr('Waiting for the first event. Your dashboard opens when it arrives.')} ${before}`;
  look();
}

// Long lists go on as they are scrolled to their end: the link to the next rows is a page of its own without a script. While the
// keyboard is in their rows they do not, so that it reaches what stands after them.
const ends = new IntersectionObserver(
  (entries) => entries.filter((one) => one.isIntersecting).forEach((one) => lengthen(one.target)),
  { rootMargin: '600px' },
);

async function lengthen(link) {
  const id = link.dataset.more;
  const list = document.getElementById(id);
  if (list.querySelector(':focus-visible')) return;
  ends.unobserve(link);
  list.setAttribute('aria-busy', 'true');
  const answer = await fetch(link.href).catch(() => null);
  list.removeAttribute('aria-busy');
  // A link that cannot be followed here stays: it opens a page that says why.
  if (!answer?.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const rows = page.getElementById(id);
  if (!rows) return;
  name(rows);
  list.append(...[...rows.children].map((row) => document.adoptNode(row)));
  const last = (part) => part.querySelector(`[data-end-of="${CSS.escape(id)}"] [data-last]`);
  // Lists that do not know how long they are say nothing of it.
  if (last(document)) last(document).textContent = last(page).textContent;
  const next = page.querySelector(`[data-more="${CSS.escape(id)}"]`);
  if (!next) return link.remove();
  link.href = next.href;
  ends.observe(link);
}

for (const link of document.querySelectorAll('[data-more]')) ends.observe(link);
