import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from '../http/node-http.ts';
import type { RelayDoor } from './relay-door.ts';

const keepAliveMs = 72_000;
const longestRequestMs = 600_000;
/** A head is a few kilobytes: who takes longer, or says nothing at all, is not waited for. */
const longestHeadMs = 20_000;
const lookEveryMs = 5000;
/** Each takes some ten kilobytes, whatever it does. */
const mostConnections = 20_000;

/** The HTTP server: what the relay's door does not take goes on to the framework. */
export function relayServer(
  door: RelayDoor,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const server = createServer({
    ...{ keepAliveTimeout: keepAliveMs, requestTimeout: longestRequestMs, noDelay: true },
    ...{ headersTimeout: longestHeadMs, connectionsCheckingInterval: lookEveryMs },
  });
  server.maxConnections = mostConnections;
  server.on('request', (request, response) => {
    if (!door.takes(request, response)) handle(request, response);
  });
  return server;
}
