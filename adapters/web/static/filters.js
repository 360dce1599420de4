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

// In a form that does more than to add a filter.
addEventListener('keydown', (event) => {
  const button = event.target.id === 'add_value' && event.target.form.querySelector('button[value=filter]');
  if (event.key !== 'Enter' || !button) return;
  event.preventDefault();
  button.click();
});
