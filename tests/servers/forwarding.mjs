// A server that answers by contrib/first-party/forward.js, with the address of the connection: what a platform does.
// node forwarding.mjs MODULE PORT SERVICE KEY
import http from 'node:http';
import { Readable } from 'node:stream';

const [module, port, service, key] = process.argv.slice(2);
const { forward } = await import(module);

http
  .createServer(async (request, response) => {
    const { method, headers, url, socket } = request;
    const body = method === 'POST' ? Readable.toWeb(request) : undefined;
    const asked = new Request(`http://shop.example${url}`, { method, headers, body, duplex: 'half' });
    const answer = await forward(asked, { service, key, address: socket.remoteAddress });
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  })
  .listen(Number(port), '127.0.0.1');
