import type { FastifyInstance } from 'fastify';

const everyMs = 50;

/**
 * Once the app is closing, a connection ends with the reply it waits for: one that is kept open for a next request
 * would hold up the end of the process until it times out.
 */
export function endConnectionsWhenClosing(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    // A stream may have sent its head, and with it the promise to keep the connection, long before.
    const looking = setInterval(() => app.server.closeIdleConnections(), everyMs);
    app.server.once('close', () => clearInterval(looking));
  });
  app.addHook('onSend', async (_, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}
