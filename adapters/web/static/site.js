// A site's page: draws the chart, fetches the panels, and keeps the number of those who are here current.

const masthead = document.querySelector('[data-zone]');
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
// The very first visit is counted in UTC; the cookie that every page sets makes the next one local.
if (zone && masthead.dataset.zone !== zone && !new URL(location).searchParams.has('time_zone') && !sessionStorage.getItem('zoned')) {
  sessionStorage.setItem('zoned', '1');
  location.reload();
}

// Browsers know what countries and languages are called; the codes are what is filtered by.
function name(panel) {
  for (const [kind, type] of [['country', 'region'], ['language', 'language']]) {
    const names = new Intl.DisplayNames('en', { type, fallback: 'code' });
    for (const link of panel.querySelectorAll(`[data-${kind}]`)) {
      try {
        link.textContent = names.of(link.dataset[kind]);
      } catch {
        link.textContent = link.dataset[kind];
      }
    }
  }
}

async function fill(panel, address) {
  panel.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(address);
    if (answer.redirected) return location.reload();
    if (!answer.ok) throw Error(answer.status);
    panel.innerHTML = await answer.text();
    name(panel);
  } catch {
    const again = Object.assign(document.createElement('button'), { className: 'quiet', textContent: 'Try again' });
    const words = Object.assign(document.createElement('p'), { className: 'empty', textContent: 'This did not arrive. ' });
    words.append(again);
    again.addEventListener('click', () => fill(panel, address));
    panel.querySelector('.waiting, .rows, .empty')?.replaceWith(words);
  } finally {
    panel.removeAttribute('aria-busy');
  }
}

for (const panel of document.querySelectorAll('[data-panel]')) {
  fill(panel, panel.dataset.panel);
  panel.addEventListener('click', async (event) => {
    const tab = event.target.closest('[data-tab]');
    if (!tab || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    await fill(panel, tab.href);
    panel.querySelector('[data-tab][aria-current]')?.focus();
  });
}

const online = document.querySelector('[data-online]');
setInterval(async () => {
  if (document.hidden) return;
  try {
    const { visitors } = await (await fetch(online.dataset.online)).json();
    online.textContent = visitors;
    online.previousElementSibling.toggleAttribute('data-quiet', !visitors);
  } catch {
    online.previousElementSibling.toggleAttribute('data-quiet', true);
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
  const indices = labels.map((_, index) => index);
  const series = [{}];
  if (before.length) series.push({ stroke: color('--faint'), width: 1.25, dash: [4, 4], points: { show: false } });
  // What is not over yet is no fall: the way to the last value is dashed.
  const done = values.map((value, index) => (index === open ? null : value));
  const going = values.map((value, index) => (index === open || index === open - 1 ? value : null));
  if (open != null) series.push({ stroke: color('--accent'), width: 1.5, dash: [3, 4], points: { show: false } });
  series.push({ stroke: color('--accent'), width: 2, fill: color('--accent-soft') + (matchMedia('(prefers-color-scheme: dark)').matches ? '80' : '99'), points: { show: labels.length < 3, size: 6 } });
  place.replaceChildren(reading);
  const plot = new uPlot({
    width: place.clientWidth,
    height: place.clientHeight,
    padding: [12, 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false }, points: { size: 8 } },
    scales: { x: { time: false }, y: { range: (_, least, most) => [0, Math.max(most * 1.05, kind === 'number' ? 4 : kind === 'percent' ? 0.1 : 10)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 30, space: 90, incrs: [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 30, 52], values: (_, at) => at.map((index) => (labels[index] ?? '').replace(/^\w{3} (?=\d)/, '').replace('week of ', '')) },
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
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    plot.destroy();
    plot = draw(place);
  });
}
