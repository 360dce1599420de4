/** Sends with the published library of Umami for Node, and prints the status of each answer. */

import { Umami } from '@umami/node';

const [hostUrl, websiteId, userAgent] = process.argv.slice(2);
const umami = new Umami({ hostUrl, websiteId, userAgent });
const page = { hostname: 'localhost', url: '/home?utm_source=news', title: 'Home' };
const answers = [
  await umami.track(page),
  await umami.track({ ...page, name: 'sign up', data: { plan: 'pro', cart: { items: 2 } } }),
  await umami.identify({ plan: 'pro' }),
];
console.log(JSON.stringify(answers.map(({ status }) => status)));
