import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { closingResponse } from '../../http/closing-connections.ts';
import { originForm, withoutAlias } from '../../http/readable-url.ts';
import { createServer } from '../../platform/outgoing/node-http.ts';
import type { Shutdown } from '../../platform/runtime/shutdown.ts';
import type { RelayDoor } from './relay-door.ts';

const keepAliveMs = 72_000;
const longestRequestMs = 600_000;
/** A head is a few kilobytes: who takes longer, or says nothing at all, is not waited for. */
const longestHeadMs = 20_000;
const lookEveryMs = 5000;
/** A client may wait for half an hour in silence: the network is reminded of it, and tells when it is gone. */
const silentMs = 60_000;
/** A connection takes some ten kilobytes, whatever it does. */
const mostConnections = 20_000;

interface RelayServerDependencies {
  readonly door: RelayDoor;
  /** The framework's own way in. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly logger: FastifyBaseLogger;
  readonly shutdown: Shutdown;
}

/**
 * The HTTP server: what the relay's door does not take goes on to the framework. An exception in the listener of a
 * stranger's request would end the process, so it ends the connection.
 */
export function relayServer({ door, handle, logger, shutdown }: RelayServerDependencies): Server {
  const server = createServer({
    keepAliveTimeout: keepAliveMs,
    requestTimeout: longestRequestMs,
    noDelay: true,
    headersTimeout: longestHeadMs,
    connectionsCheckingInterval: lookEveryMs,
    keepAlive: true,
    keepAliveInitialDelay: silentMs,
    ServerResponse: closingResponse(shutdown),
  });
  server.maxConnections = mostConnections;
  server.on('request', (request, response) => {
    try {
      request.url = withoutAlias(originForm(request.url));
      if (!door.takes(request, response)) handle(request, response);
    } catch (error) {
      response.destroy();
      logger.error({ err: error }, 'a request could not be taken');
    }
  });
  return server;
}
