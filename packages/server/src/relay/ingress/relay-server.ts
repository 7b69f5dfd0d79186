import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { createClosingResponse } from '../../http/closing-connections.ts';
import { stripPathAlias, toOriginForm } from '../../http/readable-url.ts';
import { createServer } from '../../platform/outgoing/node-http.ts';
import type { Shutdown } from '../../platform/runtime/shutdown.ts';
import type { RelayIngress } from './relay-ingress.ts';

const keepAliveMs = 72_000;
const maxRequestMs = 600_000;
/** Headers are only a few kilobytes, so slow or silent clients are disconnected. */
const maxHeadMs = 20_000;
const checkEveryMs = 5000;
/** TCP keep-alive delay. A client may wait silently for half an hour; this detects a disconnected one. */
const silentMs = 60_000;
/** A connection takes about ten kilobytes, even when idle. */
const maxConnections = 20_000;

interface RelayServerDependencies {
  readonly door: RelayIngress;
  /** Fastify's request handler. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly logger: FastifyBaseLogger;
  readonly shutdown: Shutdown;
}

/**
 * HTTP server that passes all requests that the relay ingress does not serve to Fastify. An exception in a request
 * listener would crash the process, so it closes the connection instead.
 */
export function relayServer({ door, handle, logger, shutdown }: RelayServerDependencies): Server {
  const server = createServer({
    keepAliveTimeout: keepAliveMs,
    requestTimeout: maxRequestMs,
    noDelay: true,
    headersTimeout: maxHeadMs,
    connectionsCheckingInterval: checkEveryMs,
    keepAlive: true,
    keepAliveInitialDelay: silentMs,
    ServerResponse: createClosingResponse(shutdown),
  });
  server.maxConnections = maxConnections;
  server.on('request', (request, response) => {
    try {
      request.url = stripPathAlias(toOriginForm(request.url));
      if (!door.takes(request, response)) handle(request, response);
    } catch (error) {
      response.destroy();
      logger.error({ err: error }, 'a request could not be accepted');
    }
  });
  return server;
}
