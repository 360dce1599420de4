import { name } from './footfall.js';

// A site's page: draws the chart, fetches the panels, and keeps the number of those who are here current.

const masthead = document.querySelector('[data-zone]');
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const chosen = () => new URL(location).searchParams;

// The very first visit is counted in UTC; the cookie that every page sets makes the next one local. Frames in pages of
// others have neither cookie nor storage, but an address that nobody sees.
if (zone && masthead.dataset.zone !== zone && !chosen().has('time_zone')) {
  if ('embedded' in masthead.dataset) {
    const local = new URL(location);
    local.searchParams.set('time_zone', zone);
    location.replace(local);
  } else if (!sessionStorage.getItem('zoned')) {
    sessionStorage.setItem('zoned', '1');
    location.reload();
  }
}

const { base } = masthead.dataset;
const panels = [...document.querySelectorAll('[data-panel]')];

// Which tab of each panel is shown is in the address: what leads elsewhere from here takes it along.
function carry(address, except) {
  const now = chosen();
  for (const { id } of panels) {
    if (id === except) continue;
    if (now.has(id)) address.searchParams.set(id, now.get(id));
    else address.searchParams.delete(id);
  }
  return address.href;
}

function carryAll() {
  for (const link of document.links) {
    const address = new URL(link.href);
    if (address.origin !== location.origin) continue;
    if (address.pathname === base || address.pathname.startsWith(`${base}/panels/`)) {
      link.href = carry(address, link.closest('[data-panel]')?.id);
    }
  }
}

document.querySelector('.dates form')?.addEventListener('formdata', ({ formData }) => {
  const now = chosen();
  for (const { id } of panels) {
    formData.delete(id);
    if (now.has(id)) formData.set(id, now.get(id));
  }
});

const dates = document.querySelector('.dates');
addEventListener('click', ({ target }) => {
  if (dates && !dates.contains(target)) dates.open = false;
});
dates?.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  dates.open = false;
  dates.querySelector('summary').focus();
});

const asked = new Map();

async function fill(panel) {
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
    panel.innerHTML = content;
    name(panel);
  } catch {
    const again = Object.assign(document.createElement('button'), { className: 'quiet', textContent: 'Try again' });
    const words = Object.assign(document.createElement('p'), { className: 'empty', textContent: 'This did not arrive. ' });
    words.append(again);
    again.addEventListener('click', () => fill(panel));
    panel.querySelector('.waiting, .rows, .empty, .scroll')?.replaceWith(words);
  } finally {
    if (number === asked.get(panel)) panel.removeAttribute('aria-busy');
  }
}

for (const panel of panels) {
  fill(panel);
  panel.addEventListener('click', async (event) => {
    const tab = event.target.closest('[data-tab]');
    if (!tab || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, '', tab.href);
    carryAll();
    await fill(panel);
    panel.querySelector('[data-tab][aria-current]')?.focus();
  });
  panel.addEventListener('submit', async (event) => {
    const row = [...panel.querySelectorAll('li')].indexOf(event.target.closest('li'));
    event.preventDefault();
    const body = new URLSearchParams(new FormData(event.target));
    const answer = await fetch(event.target.action, { method: 'POST', body, redirect: 'manual' }).catch(() => null);
    // A refusal is a page of its own, which sending the form once more shows.
    if (answer?.type !== 'opaqueredirect') return event.target.submit();
    await fill(panel);
    panel.querySelectorAll('.what')[row]?.focus();
  });
}

addEventListener('popstate', () => {
  carryAll();
  for (const panel of panels) if (panel.dataset.shown !== (chosen().get(panel.id) ?? '')) fill(panel);
});

const online = document.querySelector('[data-online]');
const dot = document.querySelector('.online .dot');
setInterval(async () => {
  if (document.hidden) return;
  try {
    const { visitors } = await (await fetch(online.dataset.online)).json();
    online.textContent = visitors;
    dot.toggleAttribute('data-quiet', !visitors);
  } catch {
    dot.toggleAttribute('data-quiet', true);
  }
}, 10_000);

const write = {
  number: (value) => new Intl.NumberFormat('en').format(value),
  percent: (value) => `${(value * 100).toFixed(1)}%`,
  duration: (value) => (value < 60 ? `${Math.round(value)}s` : `${Math.floor(value / 60)}m ${String(Math.round(value % 60)).padStart(2, '0')}s`),
};

function draw(place) {
  const { labels, values, before, open, kind } = JSON.parse(document.getElementById('chart-data').textContent);
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const reading = Object.assign(document.createElement('div'), { className: 'reading', hidden: true });
  const axis = { stroke: color('--soft'), font: '12px Figtree, sans-serif', ticks: { show: false } };
  const short = (value) => (kind === 'number' ? new Intl.NumberFormat('en', { notation: 'compact' }).format(value) : kind === 'percent' ? `${Math.round(value * 100)}%` : write.duration(value));
  const day = labels[0]?.split(', ')[0];
  const oneDay = labels.every((label) => label.startsWith(`${day}, `));
  const indices = labels.map((_, index) => index);
  const series = [{}];
  if (before.length) series.push({ stroke: color('--faint'), width: 1.25, dash: [4, 4], points: { show: false } });
  // What is not over yet is no fall: the way to the last value is dashed.
  const done = values.map((value, index) => (index === open ? null : value));
  const going = values.map((value, index) => (index === open || index === open - 1 ? value : null));
  if (open != null) series.push({ stroke: color('--accent'), width: 1.5, dash: [3, 4], points: { show: false } });
  series.push({ stroke: color('--accent'), width: 2, fill: color('--accent-soft') + (matchMedia('screen and (prefers-color-scheme: dark)').matches ? '80' : '99'), points: { show: labels.length < 3, size: 6 } });
  place.replaceChildren(reading);
  const plot = new uPlot({
    width: place.clientWidth,
    height: place.clientHeight,
    padding: [12, 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false }, points: { size: 8 } },
    scales: { x: { time: false }, y: { range: (_, least, most) => [0, Math.max(most * 1.05, kind === 'number' ? 4 : kind === 'percent' ? 0.1 : 10)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 30, space: 90, incrs: [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 30, 52], values: (_, at) => at.map((index) => (labels[index] ?? '').replace(oneDay ? `${day}, ` : /^\w{3} (?=\d)/, '').replace('week of ', '')) },
      { ...axis, grid: { stroke: color('--line'), width: 1 }, size: 52, values: (_, at) => at.map((value) => (kind === 'number' && value % 1 ? '' : short(value))) },
    ],
    series,
    hooks: {
      setCursor: [({ cursor: { idx, left } }) => {
        reading.hidden = idx == null || left < 0;
        if (reading.hidden) return;
        reading.textContent = `${labels[idx]}: ${values[idx] == null ? "to come" : write[kind](values[idx])}`;
        if (before.length && before[idx] != null) {
          const earlier = document.createElement('small');
          earlier.textContent = `period before: ${write[kind](before[idx])}`;
          reading.append(earlier);
        }
        const edge = place.clientWidth - reading.offsetWidth;
        reading.style.left = `${Math.max(0, Math.min(edge, left + 52 - reading.offsetWidth / 2))}px`;
      }],
    },
  }, [indices, ...(before.length ? [before] : []), ...(open == null ? [] : [going]), done], place);
  return plot;
}

const place = document.getElementById('chart');
if (place) {
  let plot = draw(place);
  new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: place.clientHeight })).observe(place);
  // Paper is light, whatever the screen is.
  for (const medium of ['(prefers-color-scheme: dark)', 'print']) {
    matchMedia(medium).addEventListener('change', () => {
      plot.destroy();
      plot = draw(place);
    });
  }
}
