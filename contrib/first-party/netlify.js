// An Edge Function of Netlify: netlify/edge-functions/footfall.js, with forward.js beside it and the variables
// FOOTFALL_URL and FOOTFALL_KEY. Not tried.
import { forward } from './forward.js';

export const config = { path: ['/hello.js', '/parcel', '/parcel/*'] };

export default function (request, context) {
  const [service, key] = ['FOOTFALL_URL', 'FOOTFALL_KEY'].map((name) => Netlify.env.get(name));
  return forward(request, { service, key, address: context.ip });
}
