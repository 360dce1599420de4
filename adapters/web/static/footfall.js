// What every page can do beside forms and links. Without it, everything still works.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone) {
  document.cookie = `footfall_zone=${encodeURIComponent(zone)}; Path=/; SameSite=Lax; Max-Age=31536000`;
}

// Browsers know what countries and languages are called; the codes are what is filtered by.
export function name(part) {
  for (const [kind, type] of [['country', 'region'], ['language', 'language']]) {
    const names = new Intl.DisplayNames('en', { type, fallback: 'code' });
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
}

name(document);

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', async () => {
    const before = button.textContent;
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = before), 1500);
  });
}

for (const button of document.querySelectorAll('[data-confirm]')) {
  button.addEventListener('click', (event) => {
    if (!window.confirm(button.dataset.confirm)) event.preventDefault();
  });
}

for (const choice of document.querySelectorAll('[data-choice]')) {
  const form = choice.closest('form');
  const show = () => {
    const chosen = form.elements[choice.dataset.choice].value;
    for (const part of form.querySelectorAll('[data-when]')) part.hidden = part.dataset.when !== chosen;
  };
  choice.addEventListener('change', show);
  show();
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

for (const place of document.querySelectorAll('[data-waiting]')) {
  const words = place.lastElementChild;
  const before = words.innerHTML;
  const look = async () => {
    const answer = await fetch(place.dataset.waiting);
    if (!answer.ok) return;
    const { arrived } = await answer.json();
    place.firstElementChild.toggleAttribute('data-quiet', !arrived);
    if (!arrived) return setTimeout(look, 2000);
    const link = Object.assign(document.createElement('a'), { href: place.dataset.then, textContent: 'Look at the numbers' });
    words.replaceChildren('Events are arriving. ', link);
  };
  words.innerHTML = `Waiting for the first event… ${before}`;
  look();
}
