// Known values are proposed in fields that ask for one: `data-propose` names a dimension or a part of an event,
// `data-propose-by` the field that chooses the dimension, and `data-propose-key` a family of dimensions whose keys are
// proposed, or the field that chooses it. The form's `data-values` has the address of the values.

const KINDS = { path: 'pathname', page: 'pathname', group: 'page_group', event: 'event_name' };
const FAMILIES = ['property', 'query'];

let waiting;
let proposed = 0;

addEventListener('input', ({ target }) => {
  const asking = target.form && [...target.form.elements].filter(({ dataset }) => dataset.proposeBy && dataset.proposeBy === target.name);
  const field = isAsking(target) ? target : asking?.[0];
  if (!field) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => propose(field), 200);
});
addEventListener('focusin', ({ target }) => {
  clearTimeout(waiting);
  if (isAsking(target)) propose(target);
});

const isAsking = ({ form, dataset }) => form?.dataset.values && (dataset.propose || dataset.proposeBy || dataset.proposeKey);

async function propose(field) {
  const number = ++proposed;
  const address = addressOf(field);
  const answer = address && (await fetch(address).catch(() => null));
  if (number !== proposed) return;
  const { values, labels } = answer?.ok ? await answer.json() : { values: [], labels: {} };
  listOf(field).replaceChildren(...values.map((value) => new Option(labels[value] ?? '', value)));
}

function addressOf({ form, dataset, value }) {
  const address = new URL(form.dataset.values, location);
  const chosen = form.elements[dataset.proposeBy]?.value;
  if (dataset.proposeKey || FAMILIES.includes(chosen)) return ofFamily(address, form, dataset, value);
  const by = dataset.propose ?? KINDS[chosen] ?? chosen;
  if (by === 'page-property-value') return ofPageProperty(address, form.elements.pagePropertyKey.value, value);
  if (!by || by.includes(':')) return null;
  // A pattern of paths is looked for by what stands before its wildcards.
  address.searchParams.set('search', by === 'pathname' ? value.split('*')[0] : value);
  if (!by.startsWith('property')) {
    address.searchParams.set('by', by);
    return address;
  }
  const { eventName, eventPropertyKey } = form.elements;
  address.pathname += '/properties';
  address.searchParams.set('event', eventName.value);
  if (by === 'property-value') address.searchParams.set('key', eventPropertyKey.value);
  return eventName.value && (by === 'property' || eventPropertyKey.value) ? address : null;
}

function ofFamily(address, { elements }, { proposeKey, proposeBy }, value) {
  const family = elements[proposeKey ?? proposeBy]?.value ?? proposeKey;
  const key = elements.add_key?.value;
  if (!FAMILIES.includes(family) || (proposeBy && !key)) return null;
  address.searchParams.set('by', proposeBy ? `${family}:${key}` : family);
  address.searchParams.set('search', value);
  return address;
}

function ofPageProperty(address, key, value) {
  address.searchParams.set('by', `property:${key}`);
  address.searchParams.set('search', value);
  return key && address;
}

function listOf(field) {
  if (!field.list) {
    const list = Object.assign(document.createElement('datalist'), { id: `${field.id}-values` });
    field.after(list);
    field.setAttribute('list', list.id);
  }
  return field.list;
}
