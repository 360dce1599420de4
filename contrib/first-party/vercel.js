// Routing Middleware of Vercel: middleware.js at the root of the project, with forward.js beside it and the variables
// FOOTFALL_URL and FOOTFALL_KEY. Vercel overwrites X-Real-IP. Not tried.
import { forward } from './forward.js';

export const config = { matcher: ['/hello.js', '/parcel', '/parcel/:path*'] };

export default function middleware(request) {
  const { FOOTFALL_URL: service, FOOTFALL_KEY: key } = process.env;
  return forward(request, { service, key, address: request.headers.get('x-real-ip') });
}
