// Script and endpoint of Footfall under names of your site. Tried with Next.js 16 behind nginx.
//
//   <script defer src="/hello.js" data-site-id="1" data-endpoint="/parcel"></script>
//
// FOOTFALL_TRUSTED_PROXIES names the machine of Next.js, and that of the proxy before it, which has to write
// X-Forwarded-For: Next.js writes none, and hands on what it was sent, cookies and passwords of the site included.
const footfall = 'https://desk.example.com';

export default {
  async rewrites() {
    return [
      { source: '/hello.js', destination: `${footfall}/footfall.js` },
      { source: '/parcel', destination: `${footfall}/api/track` },
      { source: '/parcel/:path*', destination: `${footfall}/api/track/:path*` },
    ];
  },
};
