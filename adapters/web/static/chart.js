import { language, tr } from './texts.js';

// The chart of the dashboard, drawn by uPlot from the data in the page.

const percentage = (value, digits) =>
  new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
const write = {
  number: (value) => new Intl.NumberFormat(language).format(value),
  percent: (value) => percentage(value, 1),
  duration: (value) => {
    const [seconds, two] = [Math.round(value), (number) => String(Math.floor(number)).padStart(2, '0')];
    if (seconds < 60) return tr('{seconds}s', { seconds });
    if (seconds < 3600) return tr('{minutes}m {seconds}s', { minutes: Math.floor(seconds / 60), seconds: two(seconds % 60) });
    return tr('{hours}h {minutes}m', { hours: Math.floor(seconds / 3600), minutes: two((seconds % 3600) / 60) });
  },
};

function draw(place) {
  const { labels, values, before, begun, open, beforeOpen, kind, marks } = JSON.parse(document.getElementById('chart-data').textContent);
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const reading = Object.assign(document.createElement('div'), { className: 'reading', hidden: true });
  const axis = { stroke: color('--soft'), font: '12px Figtree, sans-serif', ticks: { show: false } };
  const short = (value) => (kind === 'number' ? new Intl.NumberFormat(language, { notation: 'compact' }).format(value) : kind === 'percent' ? percentage(value, 0) : write.duration(value));
  const day = labels[0]?.split(', ')[0];
  const oneDay = labels.every((label) => label.startsWith(`${day}, `));
  // The axis omits the year, which the heading shows.
  const tick = (index) => (labels[index] ?? '').replace(oneDay ? `${day}, ` : /(?<=\d\.? \S{3,9}) \d{4}/, '').replace(tr('week of {day}', { day: '' }), '');
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = axis.font;
  const half = Math.ceil(Math.max(0, ...labels.map((_, index) => pen.measureText(tick(index)).width)) / 2);
  const indices = labels.map((_, index) => index);
  const series = [{}];
  if (before.length) series.push({ stroke: color('--faint'), width: 1.25, dash: [4, 4], spanGaps: true, points: { show: false } });
  // The line to the bucket that has not ended is dashed.
  const done = values.map((value, index) => (index === open ? null : value));
  const last = done.findLastIndex((value) => value != null);
  const going = values.map((value, index) => (index === open || index === last ? value : null));
  if (open != null) series.push({ stroke: color('--accent'), width: 1.5, dash: [3, 4], spanGaps: true, points: { show: last < 0, size: 6 } });
  // A rate of nothing has no point: the line goes on to the next one.
  series.push({ stroke: color('--accent'), width: 2, spanGaps: true, fill: color('--accent-soft') + color('--chart-fill'), points: { show: values.filter((value) => value != null).length < 3, size: 6 } });
  place.replaceChildren(reading);
  const plot = new uPlot({
    width: place.clientWidth,
    height: place.clientHeight,
    padding: [12, half + 2, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 8 } },
    scales: { x: { time: false }, y: { range: (_, least, most) => [0, Math.max(most * 1.05, kind === 'number' ? 4 : kind === 'percent' ? 0.1 : 10)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 30, space: 90, incrs: [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 30, 52], values: (_, at) => at.map(tick) },
      { ...axis, grid: { stroke: color('--line'), width: 1 }, size: 52, values: (_, at) => at.map((value) => (kind === 'number' && value % 1 ? '' : short(value))) },
    ],
    series,
    hooks: {
      setSelect: [(drawn) => {
        const { left, width } = drawn.select;
        if (width) narrow([left, left + width].map((place) => Math.round(drawn.posToVal(place, 'x'))));
      }],
      // A dashed line at the bucket of each annotation; the list below the chart has the texts.
      draw: [({ ctx, bbox, valToPos }) => {
        ctx.save();
        ctx.strokeStyle = color('--soft');
        ctx.lineWidth = devicePixelRatio;
        ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
        for (const at of new Set(marks.map(({ index }) => index))) {
          const x = valToPos(at, 'x', true);
          ctx.beginPath();
          ctx.moveTo(x, bbox.top);
          ctx.lineTo(x, bbox.top + bbox.height);
          ctx.stroke();
        }
        ctx.restore();
      }],
      setCursor: [({ cursor: { idx, left } }) => {
        reading.hidden = idx == null || left < 0;
        if (reading.hidden) return;
        reading.textContent = `${labels[idx]}: ${values[idx] != null ? write[kind](values[idx]) : idx < begun ? '–' : tr('no data yet')}`;
        if (before.length && before[idx] != null) {
          const earlier = document.createElement('small');
          const [words, value] = idx === open && beforeOpen != null ? [tr('previous period, to the same time'), beforeOpen] : [tr('previous period'), before[idx]];
          earlier.textContent = `${words}: ${write[kind](value)}`;
          reading.append(earlier);
        }
        for (const { text } of marks.filter(({ index }) => index === idx).slice(0, 3)) {
          const note = document.createElement('small');
          note.textContent = text;
          reading.append(note);
        }
        const edge = place.clientWidth - reading.offsetWidth;
        reading.style.left = `${Math.max(0, Math.min(edge, left + 52 - reading.offsetWidth / 2))}px`;
      }],
    },
  }, [indices, ...(before.length ? [before] : []), ...(open == null ? [] : [going]), done], place);
  return plot;
}

// Selects the days of the buckets between two of them.
function narrow([first, last]) {
  const { days } = JSON.parse(document.getElementById('chart-data').textContent);
  const [from, to] = [days[Math.max(0, first)]?.[0], days[Math.min(days.length - 1, last)]?.[1]];
  if (from && to) document.dispatchEvent(new CustomEvent('narrow', { detail: { from, to } }));
}

let plot;
let watching;

// Draws the chart of the page anew; the page may have another one than before.
export function drawChart() {
  plot?.destroy();
  watching?.disconnect();
  plot = undefined;
  const place = document.getElementById('chart');
  if (!place) return;
  plot = draw(place);
  const { days } = JSON.parse(document.getElementById('chart-data').textContent);
  // A click selects a single bucket; uPlot reports drags only. A finger cannot hover: its first tap reads a bucket.
  let touched = false;
  let read = null;
  plot.over.addEventListener('pointerdown', ({ pointerType }) => (touched = pointerType === 'touch'));
  plot.over.addEventListener('click', () => {
    const { idx } = plot.cursor;
    if (plot.select.width || idx == null) return;
    if (!touched || read === idx) narrow([idx, idx]);
    else if (days.length) place.querySelector('.reading').append(Object.assign(document.createElement('small'), { textContent: tr('Tap again to open') }));
    read = touched ? idx : null;
  });
  watching = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: place.clientHeight }));
  watching.observe(place);
}

// Print always uses the light theme.
for (const medium of ['(prefers-color-scheme: dark)', 'print']) matchMedia(medium).addEventListener('change', drawChart);
