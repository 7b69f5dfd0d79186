import type { IncomingMessage, ServerResponse as Response } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ServerResponse } from '../platform/outgoing/node-http.ts';
import type { Shutdown } from '../platform/runtime/shutdown.ts';

const everyMs = 50;

/** Closes idle connections during shutdown; otherwise they would delay it until they time out. */
export function closeIdleConnectionsOnShutdown(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    // A stream may have sent its keep-alive header long before.
    const looking = setInterval(() => app.server.closeIdleConnections(), everyMs);
    app.server.once('close', () => clearInterval(looking));
  });
}

/** Response class that determines keep-alive when the headers are written: never after the shutdown has begun. */
export function createClosingResponse(shutdown: Shutdown) {
  return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...head: unknown[]): this {
      if (shutdown.hasBegun) this.shouldKeepAlive = false;
      return super.writeHead(...(head as Parameters<Response['writeHead']>));
    }
  };
}
