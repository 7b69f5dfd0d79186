import type { IncomingMessage, ServerResponse as Response } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ServerResponse } from '../platform/outgoing/node-http.ts';
import type { Shutdown } from '../platform/runtime/shutdown.ts';

const everyMs = 50;

/** Closes idle connections while the app closes: they would hold up the end of the process until they time out. */
export function endConnectionsWhenClosing(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    // A stream may have sent its head, and with it the promise to keep the connection, long before.
    const looking = setInterval(() => app.server.closeIdleConnections(), everyMs);
    app.server.once('close', () => clearInterval(looking));
  });
}

/** Responses that decide when their head is written whether the connection is kept: not once the shutdown has begun. */
export function closingResponse(shutdown: Shutdown) {
  return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...head: unknown[]): this {
      if (shutdown.hasBegun) this.shouldKeepAlive = false;
      return super.writeHead(...(head as Parameters<Response['writeHead']>));
    }
  };
}
