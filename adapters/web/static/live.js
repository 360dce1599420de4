import './filters.js';
import './menus.js';
import { keepPlace, name } from './footfall.js';

// The last half hour is read again every five seconds, while it can be seen.

let reading = false;

async function read() {
  if (document.hidden || reading) return;
  reading = true;
  try {
    const answer = await fetch(location.href);
    if (answer.redirected) return location.reload();
    if (!answer.ok) throw Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const part = document.adoptNode(page.getElementById('live'));
    name(part);
    const restore = keepPlace(document.getElementById('live'));
    document.getElementById('live').replaceWith(part);
    restore(part);
  } catch {
    // The numbers stay; the dot says that they are not those of now.
    document.querySelector('#live .dot').toggleAttribute('data-quiet', true);
  } finally {
    reading = false;
  }
}

setInterval(read, 5_000);
document.addEventListener('visibilitychange', read);
