// Values are proposed while a filter is typed.
let waiting;
let proposed = 0;
addEventListener('input', ({ target }) => {
  if (!target.form?.dataset.values || !target.name.startsWith('add_')) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => propose(target.form), 200);
});
addEventListener('focusin', ({ target }) => {
  if (target.id === 'add_value') propose(target.form);
});

async function propose(form) {
  const number = ++proposed;
  const address = new URL(form.dataset.values, location);
  address.searchParams.set('by', form.elements.add_parameter.value);
  address.searchParams.set('search', form.elements.add_value.value);
  const answer = await fetch(address).catch(() => null);
  if (number !== proposed) return;
  const { values, labels } = answer?.ok ? await answer.json() : { values: [], labels: {} };
  form.querySelector('datalist').replaceChildren(...values.map((value) => new Option(labels[value] ?? '', value)));
}

// A filter that is meant is added in place; without one, the page says which values there are.
addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.dataset.values || form.method === 'post') return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const meant = new URL(`${form.dataset.values}`, location);
  const page = new URL(location);
  for (const field of ['add_parameter', 'add_type', 'add_value']) {
    for (const { searchParams } of [meant, page]) searchParams.set(field, form.elements[field].value);
  }
  meant.pathname += '/meant';
  const answer = await fetch(meant).catch(() => null);
  const address = answer?.ok ? (await answer.json()).address : null;
  if (!address) return location.assign(page);
  const link = form.appendChild(Object.assign(document.createElement('a'), { href: address, hidden: true }));
  link.click();
}, true);

// In a form that does more than to add a filter.
addEventListener('keydown', (event) => {
  const button = event.target.id === 'add_value' && event.target.form.querySelector('button[value=filter]');
  if (event.key !== 'Enter' || !button) return;
  event.preventDefault();
  button.click();
});
