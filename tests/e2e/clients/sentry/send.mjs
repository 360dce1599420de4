/** Sends with the published SDK of Sentry for Node, and prints the ids of its events. */

import * as Sentry from '@sentry/node';

Sentry.init({
  dsn: process.argv[2],
  release: '1.4.2',
  environment: 'production',
  sendDefaultPii: true,
  tracesSampleRate: 1,
});
Sentry.setUser({ id: 'private-7', email: 'private@example.com' });
Sentry.setTag('tag', 'private');
Sentry.addBreadcrumb({ message: 'private' });

function charge() {
  throw new TypeError('card is undefined');
}

function pay() {
  try {
    charge();
  } catch (cause) {
    throw new Error('cannot be paid', { cause });
  }
}

const ids = [];
try {
  Sentry.startSpan({ name: 'private' }, pay);
} catch (failure) {
  ids.push(Sentry.captureException(failure));
}
ids.push(Sentry.captureMessage('a note', 'info'));
// Large envelopes are compressed.
Sentry.getCurrentScope().addAttachment({ filename: 'private.txt', data: 'private\n\n{}\n'.repeat(5_000) });
ids.push(Sentry.captureException(new RangeError('large'), { extra: { private: 'private '.repeat(10_000) } }));
await Sentry.flush(20_000);
console.log(JSON.stringify(ids));
