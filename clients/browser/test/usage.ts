/** The types of the package, as an application uses them; it is compiled and never run. */

import { start, type Hook, type Options, type Tracker } from '@footfall/browser';

const before: Hook = (event) => (event.pathname.startsWith('/secret') ? null : { ...event, properties: { ...event.properties, mail: undefined } });
const options: Options = {
  site: 1,
  service: 'https://desk.example.com/',
  hash: true,
  downloads: ['pdf', 'dwg'],
  release: '2.0',
  skip: ['/admin/*'],
  mask: '/user/*|/order/*',
  off: false,
  user: { id: 7, signature: 'ab12' },
  properties: () => ({ plan: 'pro' }),
  before,
};

const tracker: Tracker = start(options);
tracker.event('sign up', { seats: 3 });
tracker.pageview({ path: '/step-2', title: 'Address' });
tracker.pageview();
tracker.error(new Error('x'), { step: 2 });
tracker.error('anything');
tracker.identify('7', 'ab12');
tracker.identify(null);
tracker.off();
tracker.on();
tracker.ignore();
const isIgnored: boolean = tracker.ignored();
if (isIgnored) tracker.count();
tracker.before = undefined;

// @ts-expect-error a site is required
start({ service: 'https://desk.example.com/' });
// @ts-expect-error properties are an object
tracker.event('x', 'text');
// @ts-expect-error a hook returns an event or null
tracker.before = () => {};
// @ts-expect-error there is no such option
start({ site: 1, endpoint: '/parcel', skipped: '/admin' });
