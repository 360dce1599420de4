import { adopt } from './address.js';
import './proposals.js';

// A filter that is meant is added in place; without one, the page says which values there are.
addEventListener('submit', async (event) => {
  const form = event.target;
  // Other pages are opened as browsers open them.
  if (!form.dataset.values || form.method === 'post' || !document.getElementById('summary')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const meant = new URL(form.dataset.values, location);
  const page = new URL(location);
  const { searchParams: before } = new URL(location);
  for (const field of ['add_parameter', 'add_key', 'add_type', 'add_value']) {
    for (const { searchParams } of [meant, page]) searchParams.set(field, form.elements[field].value);
  }
  meant.pathname += '/meant';
  const answer = await fetch(meant).catch(() => null);
  const address = answer?.ok ? (await answer.json()).address : null;
  if (!address) return location.assign(page);
  const link = form.appendChild(Object.assign(document.createElement('a'), { href: address, hidden: true }));
  adopt(form, before, [link]);
  link.click();
}, true);

// In a form that does more than to add a filter.
addEventListener('keydown', (event) => {
  const button = event.target.id === 'add_value' && event.target.form.querySelector('button[value=filter]');
  if (event.key !== 'Enter' || !button) return;
  event.preventDefault();
  button.click();
});
