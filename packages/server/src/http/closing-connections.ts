import type { FastifyInstance } from 'fastify';
import type { Shutdown } from '../shutdown.ts';

const everyMs = 50;

/**
 * Once the node is on its way out, a connection ends with the reply it waits for: who is told so asks another node next. One
 * that is kept open all the same is closed with the app: it would hold up the end of the process until it times out.
 */
export function endConnectionsWhenClosing(app: FastifyInstance, shutdown: Shutdown): void {
  app.addHook('preClose', async () => {
    // A stream may have sent its head, and with it the promise to keep the connection, long before.
    const looking = setInterval(() => app.server.closeIdleConnections(), everyMs);
    app.server.once('close', () => clearInterval(looking));
  });
  app.addHook('onSend', async (_, reply) => {
    if (shutdown.hasBegun) reply.header('connection', 'close');
  });
}
