// A Worker for the routes example.com/hello.js and example.com/parcel*, with the variable FOOTFALL_URL and the secret
// FOOTFALL_KEY. Tried in Miniflare 4, not tried at Cloudflare.
import { forward } from './forward.js';

export default {
  fetch(request, env) {
    const address = request.headers.get('cf-connecting-ip');
    return forward(request, { service: env.FOOTFALL_URL, key: env.FOOTFALL_KEY, address });
  },
};
