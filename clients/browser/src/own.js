/** The part of the script that keeps a member's own visits out: it obeys an address that members are given. */

import { MARK } from './mark.js';

// As members are given it; any other part of the query string is left as it is.
const ASKED = /^footfall=(ignore|count)[.](.*)/;

/**
 * Mark this browser, or take its mark away, when the address asks for it with the token of the site. The address loses
 * what asks for it before the page is counted, whatever the service answers.
 *
 * @param {string} site
 * @param {string} endpoint
 */
export async function run(site, endpoint) {
  const parts = location.search.slice(1).split('&');
  const [, command, token] = parts.map((part) => ASKED.exec(part)).find(Boolean) || [];
  if (!command) return;
  const rest = parts.filter((part) => !ASKED.test(part)).join('&');
  history.replaceState(history.state, '', location.pathname + (rest && '?' + rest) + location.hash);
  const answer = await fetch(`${endpoint}/${encodeURIComponent(site)}?own=${token}`, { cache: 'no-store' });
  const { own } = await answer.json();
  // A stranger who guesses marks no browser.
  if (own) say(obey(command));
}

/** @param {string} command */
function obey(command) {
  const here = `visits to ${location.host} from this browser`;
  try {
    if (command == 'ignore') localStorage[MARK] = 1;
    else delete localStorage[MARK];
  } catch {
    return `Footfall still counts ${here}: it lets pages store nothing.`;
  }
  return command == 'ignore' ? `Footfall no longer counts ${here}.` : `Footfall counts ${here}.`;
}

/** Show a sentence over the page, until it is closed. @param {string} text */
function say(text) {
  const note = document.createElement('div');
  const close = document.createElement('button');
  note.setAttribute('role', 'status');
  note.style.cssText =
    'position:fixed;right:1em;bottom:1em;max-width:calc(100% - 2em);box-sizing:border-box;padding:1em;border-radius:.5em;' +
    'background:#1b1b1f;color:#fff;font:16px/1.5 system-ui,sans-serif;z-index:2147483647';
  close.type = 'button';
  close.textContent = 'Close';
  close.style.cssText = 'margin-left:1em;font:inherit';
  close.onclick = () => note.remove();
  note.append(text, close);
  // A script that is not deferred may run before there is a body.
  (document.body || document.documentElement).append(note);
  console.info('footfall:', text);
}
