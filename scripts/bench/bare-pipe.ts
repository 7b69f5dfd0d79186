import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Runs as a separate process: a minimal relay on node:http. Takes the upstream's port as argument. */
const port = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true });

const server = createServer((request, response) => {
  const { method, url: path, headers } = request;
  const upstream = send({ host: '127.0.0.1', port, method, path, headers, agent }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  request.pipe(upstream);
});

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
