import { tr } from './texts.js';

// Passkeys: asks the service for a challenge, the browser for an answer, and sends the form with it.

const form = document.querySelector('[data-passkey]');
const problem = document.querySelector('[data-passkey-problem]');

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');

function say(message) {
  problem.textContent = message;
  problem.hidden = false;
}

// Why passkeys do not work here; nothing when they do.
function obstacle() {
  const { origin } = form.dataset;
  if (location.origin !== origin) return tr('Passkeys work at {origin} only. Open this page there.', { origin });
  if (!window.PublicKeyCredential) return tr('This browser has no passkeys.');
  return '';
}

async function options() {
  const fields = new URLSearchParams();
  if (form.elements.token) fields.set('token', form.elements.token.value);
  const answer = await fetch(form.dataset.options, { method: 'POST', body: fields });
  if (answer.ok) return answer.json();
  const type = answer.headers.get('Content-Type') ?? '';
  throw new Error(type.includes('json') ? (await answer.json()).error : tr('Reload the page and try again.'));
}

const known = (list) => (list ?? []).map((one) => ({ ...one, id: bytes(one.id) }));

async function made() {
  const wanted = await options();
  const publicKey = {
    ...wanted,
    challenge: bytes(wanted.challenge),
    user: { ...wanted.user, id: bytes(wanted.user.id) },
    excludeCredentials: known(wanted.excludeCredentials),
  };
  const { response, ...credential } = parts(await navigator.credentials.create({ publicKey }));
  return { ...credential, response: { ...base(response), attestationObject: text(response.attestationObject) } };
}

async function proven() {
  const wanted = await options();
  const publicKey = {
    ...wanted,
    challenge: bytes(wanted.challenge),
    allowCredentials: known(wanted.allowCredentials),
  };
  const { response, ...credential } = parts(await navigator.credentials.get({ publicKey }));
  return {
    ...credential,
    response: {
      ...base(response),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: response.userHandle ? text(response.userHandle) : null,
    },
  };
}

const base = (response) => ({ clientDataJSON: text(response.clientDataJSON) });
const parts = (one) => ({
  id: one.id,
  rawId: text(one.rawId),
  type: one.type,
  clientExtensionResults: {},
  response: one.response,
});

function explained(error) {
  if (error.name === 'InvalidStateError') return tr('This device has a passkey for your account already.');
  if (error.name === 'NotAllowedError') return tr('No passkey was chosen. Try again, or use another way.');
  return error.message || tr('This did not work. Try again, or use another way.');
}

if (form) {
  const reason = obstacle();
  const button = form.querySelector('button');
  button.disabled = Boolean(reason);
  if (reason) say(reason);
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.hidden = true;
    button.disabled = true;
    try {
      const answer = await (form.dataset.passkey === 'register' ? made() : proven());
      form.elements.answer.value = JSON.stringify(answer);
      form.submit();
    } catch (error) {
      say(explained(error));
      button.disabled = false;
    }
  });
}
