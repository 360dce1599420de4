// What a function of a hosting platform needs to hand script and endpoint of Footfall on under names of the site:
//
//   <script defer src="/hello.js" data-site-id="1" data-endpoint="/parcel"></script>
//
// The addresses from which platforms send are not known, so that the service cannot trust them: the function names the
// visitor with an API key of its own. The key makes what it says true, so users, times and keys of pages are left out:
// signed users come by a page of the service, or through a proxy. FOOTFALL_RATE_LIMIT counts all visitors as one key.
const HANDED_ON = ['accept-language', 'referer', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'];
const LEFT_OUT = ['api_key', 'timestamp', 'user_id', 'user_signature'];

/**
 * Answer a request for /hello.js, /parcel or a path below it.
 * @param {Request} request
 * @param {{service: string, key: string, address: string}} options the origin of Footfall, an API key, and the address
 *   of the visitor as the platform knows it
 */
export async function forward(request, { service, key, address }) {
  const { pathname, search } = new URL(request.url);
  const path = pathname === '/hello.js' ? '/footfall.js' : pathname.replace(/^\/parcel(?=\/|$)/, '/api/track');
  const headers = new Headers();
  for (const name of HANDED_ON) {
    if (request.headers.has(name)) headers.set(name, request.headers.get(name));
  }
  if (request.method === 'GET' && path !== pathname) return fetch(service + path + search, { headers });
  if (request.method !== 'POST' || pathname !== '/parcel') return new Response(null, { status: 404 });

  let event;
  try {
    event = Object(await request.json());
  } catch {
    return new Response(null, { status: 400 });
  }
  for (const name of LEFT_OUT) delete event[name];
  const visitor = { ip_address: address, user_agent: request.headers.get('user-agent') ?? '', bots: 'judge' };
  headers.set('authorization', `Bearer ${key}`);
  headers.set('content-type', 'application/json');
  return fetch(`${service}/api/track`, { method: 'POST', headers, body: JSON.stringify({ ...event, ...visitor }) });
}
